/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of HDF5 that other programs wrote, some of them to do harm. */
#include <holon/results.h>

#include "check.h"

#include <string.h>
#include <unistd.h>

#ifdef HOLON_HDF5

#include <hdf5.h>

static const char path[] = "foreign_hdf5.h5";

/* Two rows of t and x, and `count` texts of 8 letters as the scene; count 0: one that is no list. */
static void write_foreign(hid_t number, hsize_t count)
{
    const float rows[2][2] = {{0, 1.5F}, {1, -2.5F}};
    static const char texts[64 * 8] = "{}";
    const hsize_t two = 2;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t record = H5Tcreate(H5T_COMPOUND, sizeof rows[0]), space = H5Screate_simple(1, &two, NULL);
    H5Tinsert(record, "t", 0, H5T_NATIVE_FLOAT);
    H5Tinsert(record, "x", sizeof(float), number);
    hid_t motion = H5Dcreate2(file, "motion", record, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Dwrite(motion, record, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    hid_t text = H5Tcopy(H5T_C_S1), list = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    H5Tset_size(text, 8);
    hid_t scene = H5Dcreate2(file, "scene", text, list, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Dwrite(scene, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0);
    H5Dclose(scene);
    H5Sclose(list);
    H5Tclose(text);
    H5Dclose(motion);
    H5Sclose(space);
    H5Tclose(record);
    H5Fclose(file);
}

static HolResultsReader *open_foreign(void)
{
    HolResultsReader *reader = NULL;
    HolMessage message;
    CHECK_OK(hol_results_open(path, &reader, &message));
    unlink(path);
    return reader;
}

static void numbers_of_other_widths_are_read(void)
{
    double row[2];
    bool more;
    HolMessage message;
    write_foreign(H5T_NATIVE_FLOAT, 0);
    HolResultsReader *reader = open_foreign();
    REQUIRE(reader && hol_results_column_count(reader) == 2);
    CHECK_STRING(hol_results_column(reader, 1), "x");
    CHECK_STRING(hol_results_attached(reader), "{}");
    CHECK_OK(hol_results_next(reader, row, &more, &message));
    CHECK_OK(hol_results_next(reader, row, &more, &message));
    CHECK_NEAR(row[1], -2.5, 0);
    hol_results_close(reader);
}

/* It would be longer than what was made ready for one. */
static void a_list_of_texts_is_no_scene(void)
{
    write_foreign(H5T_NATIVE_FLOAT, 64);
    HolResultsReader *reader = open_foreign();
    REQUIRE(reader);
    CHECK(hol_results_attached(reader) == NULL);
    hol_results_close(reader);
}

/* The library would read bits wherever a damaged file says that they are. */
static void numbers_of_unknown_bits_are_refused(void)
{
    HolResultsReader *reader = NULL;
    HolMessage message;
    hid_t number = H5Tcopy(H5T_NATIVE_FLOAT);
    CHECK(H5Tset_fields(number, 31, 26, 5, 0, 26) >= 0);
    write_foreign(number, 0);
    H5Tclose(number);
    CHECK_STATUS(hol_results_open(path, &reader, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "has no dataset 'motion' with named columns of IEEE numbers");
    CHECK(reader == NULL);
    unlink(path);
}

CHECK_MAIN(TEST(numbers_of_other_widths_are_read), TEST(a_list_of_texts_is_no_scene),
           TEST(numbers_of_unknown_bits_are_refused))

#else

static void a_build_without_it_says_so(void)
{
    HolMessage message;
    HolResults *results = NULL;
    const char *const names[] = {"t"};
    CHECK_STATUS(hol_results_create("foreign_hdf5.h5", names, 1, &results, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "has no HDF5 support");
}

CHECK_MAIN(TEST(a_build_without_it_says_so))

#endif
