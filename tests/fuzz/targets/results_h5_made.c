/* SPDX-License-Identifier: BSD-3-Clause */
/* Results as .h5 that HDF5 itself has written, but not we: the bytes choose types, sizes, names, shapes and the scene.
 * So what is ours is tested without the reader of HDF5. */
#include "fuzz.h"
#include "results_check.h"

/* HDF5 leaks memory when it gives up a damaged file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

#ifdef HOLON_HDF5

#include <hdf5.h>
#include <string.h>

enum { MOST_MEMBERS = 12, MOST_ROWS = 20 };

static hid_t random_type(FuzzBytes *bytes, int depth)
{
    switch (fuzz_byte(bytes) % (depth > 1 ? 9 : 13)) {
    case 1: return H5Tcopy(H5T_NATIVE_FLOAT);
    case 2: return H5Tcopy(H5T_IEEE_F64BE);
    case 3: return H5Tcopy(H5T_NATIVE_LDOUBLE);
    case 4: return H5Tcopy(H5T_NATIVE_INT);
    case 5: return H5Tcopy(H5T_C_S1);
    case 6: return H5Tcopy(H5T_NATIVE_OPAQUE);
    case 7: return H5Tcopy(H5T_IEEE_F32BE);
    case 9: {
        hsize_t size = fuzz_byte(bytes) % 4 + 1U;
        hid_t base = random_type(bytes, depth + 1), type = H5Tarray_create2(base, 1, &size);
        H5Tclose(base);
        return type;
    }
    case 10: {
        hid_t base = random_type(bytes, depth + 1), type = H5Tvlen_create(base);
        H5Tclose(base);
        return type;
    }
    case 11: {
        hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    }
    default: return H5Tcopy(H5T_NATIVE_DOUBLE);
    }
}

/* Members at places of their own, which may have gaps. */
static hid_t record_type(FuzzBytes *bytes)
{
    int count = fuzz_byte(bytes) % MOST_MEMBERS + 1;
    hid_t type = H5Tcreate(H5T_COMPOUND, 4000);
    size_t offset = 0;
    for (int i = 0; i < count; ++i) {
        char name[8] = {0};
        int length = fuzz_byte(bytes) % 7;
        for (int j = 0; j < length; ++j)
            name[j] = (char)fuzz_byte(bytes);
        hid_t member = random_type(bytes, 0);
        offset += fuzz_byte(bytes) % 3;
        if (H5Tinsert(type, i == 0 && length < 4 ? "t" : name, offset, member) >= 0)
            offset += H5Tget_size(member);
        H5Tclose(member);
    }
    return type;
}

static void write_rows(FuzzBytes *bytes, hid_t data, hid_t type, hsize_t rows)
{
    char *numbers = calloc(rows + 1, H5Tget_size(type));
    bool has_pointers = H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tdetect_class(type, H5T_STRING) > 0;
    for (size_t i = 0; !has_pointers && bytes->size > 0 && i < rows * H5Tget_size(type); ++i)
        numbers[i] = (char)fuzz_byte(bytes);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    free(numbers);
}

static void write_motion(FuzzBytes *bytes, hid_t file)
{
    hsize_t shape[3] = {fuzz_byte(bytes) % MOST_ROWS, 2, 2};
    int rank = fuzz_byte(bytes) % 16;
    hid_t type = fuzz_byte(bytes) % 16 > 0 ? record_type(bytes) : random_type(bytes, 0);
    hid_t space = rank == 0   ? H5Screate(H5S_SCALAR)
                  : rank == 1 ? H5Screate(H5S_NULL)
                              : H5Screate_simple(rank < 4 ? rank : 1, shape, NULL);
    hid_t data = H5Dcreate2(file, "motion", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (data >= 0 && rank >= 4)
        write_rows(bytes, data, type, shape[0]);
    if (data >= 0)
        H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
}

static void write_scene(FuzzBytes *bytes, hid_t file)
{
    hsize_t count = fuzz_byte(bytes) % 3;
    hid_t type = random_type(bytes, 0), space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0)
        H5Tset_size(type, fuzz_byte(bytes) + 1U);
    hid_t data = H5Dcreate2(file, "scene", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (data >= 0)
        write_rows(bytes, data, type, count == 0 ? 1 : count);
    if (data >= 0)
        H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
}

static void write_file(FuzzBytes *bytes, const char *path)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    FUZZ_CHECK(file >= 0, "no file '%s'", path);
    unsigned what = fuzz_byte(bytes) % 16;
    if (what == 1)
        H5Gclose(H5Gcreate2(file, "motion", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    else if (what == 2)
        H5Lcreate_soft("/motion", file, "motion", H5P_DEFAULT, H5P_DEFAULT);
    else if (what != 3)
        write_motion(bytes, file);
    if (what % 4 == 0)
        write_scene(bytes, file);
    H5Fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzBytes bytes = {data, size};
    const char *path = fuzz_file(".h5", NULL, 0);
    write_file(&bytes, path);
    fuzz_memory_begin(1 << 26, 0);
    fuzz_check_results(path, ".h5");
    fuzz_memory_end();
    return 0;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_check_results(fuzz_file(".h5", data, size), ".h5");
    return 0;
}

#endif
