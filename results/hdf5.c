/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5: records of doubles in the dataset "motion" and a text in "scene". hdf5_layout.c writes them, the HDF5 library
 * reads them, and files of other programs. Built without the library, every function fails with a message. */
#include "hdf5_layout.h"
#include "kind.h"

#include <string.h>

#ifdef HOLON_HDF5

#include <hdf5.h>
#include <stdlib.h>

typedef struct Hdf5 {
    hid_t file, type, data;
    double *rows; /* of a block */
    int row_count, room;
    long first; /* index of the first row of the block */
} Hdf5;

enum { BLOCK_SIZE = 1 << 18 /* bytes */, MAX_TRIES = 3 };
static const char DATA[] = HOL_HDF5_DATA, SCENE[] = HOL_HDF5_SCENE;

/* By default HDF5 prints errors and closes files when the program ends; version 1.10 crashes there if a file could not
 * be closed on a full disk. So both are switched off, and files are closed explicitly. */
static void hdf5_disable_handlers(void)
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static hid_t create_type(const char *const *names, int count)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, (size_t)count * sizeof(double));
    for (int i = 0; i < count && type >= 0; ++i)
        if (H5Tinsert(type, names[i], (size_t)i * sizeof(double), H5T_NATIVE_DOUBLE) < 0) {
            H5Tclose(type);
            type = -1;
        }
    return type;
}

static void close_ids(Hdf5 *h)
{
    if (h->data >= 0)
        H5Dclose(h->data);
    if (h->type >= 0)
        H5Tclose(h->type);
    if (h->file >= 0)
        H5Fclose(h->file);
}

static bool hdf5_make_room(Hdf5 *h, int column_count)
{
    h->room = BLOCK_SIZE / ((int)sizeof(double) * column_count);
    h->room = h->room < 1 ? 1 : h->room;
    h->rows = malloc((size_t)h->room * (size_t)column_count * sizeof *h->rows);
    return h->rows != NULL;
}

static hid_t block_of(const Hdf5 *h, hsize_t begin, hsize_t count)
{
    hid_t space = H5Dget_space(h->data);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, NULL, &count, NULL);
    return space;
}

/* Whether a dataset holds one text, not a list of texts. */
static bool is_single(hid_t data)
{
    hid_t space = H5Dget_space(data);
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    if (space >= 0)
        H5Sclose(space);
    return single;
}

static bool is_text(hid_t data, hid_t type)
{
    return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && is_single(data);
}

/* A text that is there and cannot be read is empty; NULL: nothing was attached, or it is too large. */
static HolStatus read_text(HolResultsReader *reader, hid_t data, hid_t type)
{
    size_t size = is_text(data, type) ? H5Tget_size(type) : HOL_LARGEST_SCENE;
    char *text = size < HOL_LARGEST_SCENE ? calloc(size + 1, 1) : NULL;
    if (size < HOL_LARGEST_SCENE && !text)
        return HOL_NO_MEMORY;
    if (text && H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        text[0] = '\0';
    } else if (text && !*text) {
        free(text);
        text = NULL;
    }
    reader->attached = text;
    return HOL_OK;
}

static HolStatus read_scene(HolResultsReader *reader, hid_t file)
{
    htri_t is_there = H5Lexists(file, SCENE, H5P_DEFAULT);
    hid_t data = is_there > 0 ? H5Dopen2(file, SCENE, H5P_DEFAULT) : -1;
    hid_t type = data >= 0 ? H5Dget_type(data) : -1;
    HolStatus status = HOL_OK;
    if (type >= 0)
        status = read_text(reader, data, type);
    else if (is_there != 0)
        status = (reader->attached = calloc(1, 1)) ? HOL_OK : HOL_NO_MEMORY;
    if (type >= 0)
        H5Tclose(type);
    if (data >= 0)
        H5Dclose(data);
    return status;
}

/* Whether a member is a number of a usual kind within its record. The library converts any other, too, but believes
 * what the file states about its bits: in a damaged file these are outside of the number. */
static bool is_number(hid_t record, unsigned member)
{
    const hid_t known[] = {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_NATIVE_LDOUBLE};
    const size_t size = H5Tget_size(record), offset = H5Tget_member_offset(record, member);
    hid_t type = H5Tget_member_class(record, member) == H5T_FLOAT ? H5Tget_member_type(record, member) : -1;
    bool good = false;
    for (size_t i = 0; type >= 0 && i < sizeof known / sizeof *known; ++i)
        good = good || H5Tequal(type, known[i]) > 0;
    good = good && offset <= size && H5Tget_size(type) <= size - offset;
    if (type >= 0)
        H5Tclose(type);
    return good;
}

/* The names of the members, which must be numbers. */
static bool read_members(HolResultsReader *reader, hid_t type)
{
    int count = H5Tget_class(type) == H5T_COMPOUND ? H5Tget_nmembers(type) : 0;
    bool good = count > 0 && hol_reader_columns(reader, count);
    for (int i = 0; good && i < count; ++i) {
        char *name = H5Tget_member_name(type, (unsigned)i);
        good = name && is_number(type, (unsigned)i) && hol_reader_add_column(reader, name, strlen(name));
        H5free_memory(name);
    }
    return good;
}

static bool hdf5_measure(HolResultsReader *reader, const Hdf5 *h)
{
    hsize_t size = 0;
    hid_t space = H5Dget_space(h->data);
    bool good = H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &size, NULL) == 1;
    H5Sclose(space);
    reader->row_count = (long)size;
    return good;
}

static HolStatus hdf5_read_names(HolResultsReader *reader, HolMessage *message)
{
    Hdf5 *h = reader->own = calloc(1, sizeof *h);
    if (!h)
        return HOL_NO_MEMORY;
    hdf5_disable_handlers();
    h->type = h->data = -1;
    h->file = -1;
    for (int i = 0; i < MAX_TRIES && h->file < 0; ++i) /* it may be growing */
        h->file = H5Fopen(reader->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (h->file < 0)
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is not an HDF5 file, or is cut off", reader->path);
    h->data = H5Lexists(h->file, DATA, H5P_DEFAULT) > 0 ? H5Dopen2(h->file, DATA, H5P_DEFAULT) : -1;
    hid_t type = h->data >= 0 ? H5Dget_type(h->data) : -1;
    bool good = type >= 0 && read_members(reader, type) && hdf5_measure(reader, h);
    if (type >= 0)
        H5Tclose(type);
    if (!good)
        return hol_fail(
            message, HOL_BAD_INPUT,
            "'%s' has no dataset '%s' with named columns of IEEE numbers, as 'holon run --output' writes it",
            reader->path, DATA);
    h->type = create_type((const char *const *)reader->columns, reader->column_count);
    HolStatus status = read_scene(reader, h->file);
    return status == HOL_OK && h->type >= 0 && hdf5_make_room(h, reader->column_count) ? HOL_OK : HOL_NO_MEMORY;
}

static bool read_block(const HolResultsReader *reader, Hdf5 *h)
{
    long left = reader->row_count - reader->next;
    const hsize_t count = (hsize_t)(left < h->room ? left : h->room);
    hid_t memory = H5Screate_simple(1, &count, NULL), file = block_of(h, (hsize_t)reader->next, count);
    bool good = H5Dread(h->data, h->type, memory, file, H5P_DEFAULT, h->rows) >= 0;
    H5Sclose(memory);
    H5Sclose(file);
    h->first = reader->next;
    h->row_count = (int)count;
    return good;
}

static HolStatus hdf5_read_row(HolResultsReader *reader, double *values, bool *more, HolMessage *message)
{
    Hdf5 *h = reader->own;
    size_t count = (size_t)reader->column_count;
    *more = reader->next < reader->row_count;
    if (!*more)
        return HOL_OK;
    if (reader->next >= h->first + h->row_count && !read_block(reader, h))
        return hol_fail(message, HOL_BAD_INPUT, "'%s' is damaged: row %ld of %ld cannot be read", reader->path,
                        reader->next + 1, reader->row_count);
    memcpy(values, h->rows + (size_t)(reader->next++ - h->first) * count, count * sizeof *values);
    return HOL_OK;
}

static void hdf5_forget(HolResultsReader *reader)
{
    Hdf5 *h = reader->own;
    if (!h)
        return;
    close_ids(h);
    free(h->rows);
    free(h);
}

static HolStatus hdf5_begin(HolResults *results, const char *const *columns, FILE *file)
{
    return hol_hdf5_begin(results, columns, file);
}

#else

static const char WITHOUT[] =
    "'%s': this build has no HDF5 support; install libhdf5-dev and build again, or use .csv or .npy";

static HolStatus hdf5_begin(HolResults *results, const char *const *columns, FILE *file)
{
    (void)columns;
    (void)file;
    return hol_fail(&results->message, HOL_BAD_INPUT, WITHOUT, results->path);
}

static HolStatus hdf5_read_names(HolResultsReader *reader, HolMessage *message)
{
    return hol_fail(message, HOL_BAD_INPUT, WITHOUT, reader->path);
}

static HolStatus hdf5_read_row(HolResultsReader *reader, double *values, bool *more, HolMessage *message)
{
    (void)values;
    *more = false;
    return hol_fail(message, HOL_BAD_INPUT, WITHOUT, reader->path);
}

static void hdf5_forget(HolResultsReader *reader)
{
    (void)reader;
}

#endif

static size_t hdf5_add(const HolResults *results, const double *values, char *to)
{
    memcpy(to, values, results->row_size);
    return results->row_size;
}

const HolResultsKind hol_results_hdf5 = {.ending = ".h5",
                                         .number_size = sizeof(double),
                                         .is_patched = true,
                                         .begin = hdf5_begin,
                                         .add = hdf5_add,
                                         .mark = hol_hdf5_mark,
                                         .finish = hol_hdf5_finish,
                                         .release = hol_hdf5_release,
                                         .resume = hol_hdf5_resume,
                                         .attach = hol_hdf5_attach,
                                         .read_names = hdf5_read_names,
                                         .read_row = hdf5_read_row,
                                         .forget = hdf5_forget};
