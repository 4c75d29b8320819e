/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that nothing harms: older files, second writers, kills, full disks, and files that are continued. */
#include <holon/results.h>

#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 3, MOST = 1 << 21, FEW = 200 };
static const char *const columns[COLUMNS] = {"t", "crank.phi", "x"};
static char path[64], part[90];

static const char *fresh(const char *ending)
{
    snprintf(path, sizeof path, "/%s/holon-safe-%d%s", "tmp", (int)getpid(), ending);
    snprintf(part, sizeof part, "%s.holon-part", path);
    unlink(path);
    unlink(part);
    return path;
}

static bool is_built(const char *ending)
{
#ifdef HOLON_HDF5
    return *ending;
#else
    return *ending && strcmp(ending, ".h5") != 0; /* the last one */
#endif
}

static size_t load(const char *name, char *bytes)
{
    FILE *file = fopen(name, "rb");
    size_t size = file ? fread(bytes, 1, MOST, file) : 0;
    if (file)
        fclose(file);
    return size;
}

static void store(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    REQUIRE(file != NULL);
    CHECK(fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

static bool contains(const char *name, const char *text)
{
    static char bytes[MOST];
    return load(name, bytes) == strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

/* No number is zero: zeros in a file were not added. */
static void fill(long row, double *values)
{
    values[0] = 0.5 + (double)row;
    values[1] = 1.0 / (double)(row + 3);
    values[2] = -1e-5 * (double)(row + 1);
}

static HolStatus add_rows(HolResults *results, long from, long until)
{
    double values[COLUMNS];
    HolStatus status = HOL_OK;
    for (long row = from; row < until && status == HOL_OK; ++row) {
        fill(row, values);
        status = hol_results_add(results, values);
    }
    return status;
}

static HolResults *begin(void)
{
    HolResults *results = NULL;
    HolMessage message;
    CHECK_OK(hol_results_create(path, columns, COLUMNS, &results, &message));
    return results;
}

/* The rows of the file, all of which must be right; -1 if it cannot be read. */
static long count_rows(bool *is_incomplete)
{
    HolResultsReader *reader = NULL;
    HolMessage message;
    double values[COLUMNS], wanted[COLUMNS];
    bool more = true;
    long row = 0;
    if (hol_results_open(path, &reader, &message) != HOL_OK)
        return -1;
    while (hol_results_next(reader, values, &more, &message) == HOL_OK && more) {
        fill(row++, wanted);
        CHECK(memcmp(values, wanted, sizeof wanted) == 0);
    }
    CHECK(!more);
    if (is_incomplete)
        *is_incomplete = hol_results_is_incomplete(reader);
    hol_results_close(reader);
    return row;
}

static void an_older_file_stays_until_the_second_row(void)
{
    for (int i = 0; is_built(hol_results_ending(i)); ++i) {
        CHECK_CONTEXT("%s", hol_results_ending(i));
        fresh(hol_results_ending(i));
        store(path, "older", 5);
        HolResults *results = begin();
        REQUIRE(results != NULL);
        CHECK_OK(add_rows(results, 0, 1));
        CHECK(contains(path, "older"));
        CHECK(!hol_results_has_name(results));
        hol_results_discard(results);
        CHECK(contains(path, "older"));
        CHECK(access(part, F_OK) != 0);
        results = begin();
        REQUIRE(results != NULL);
        CHECK_OK(add_rows(results, 0, 2));
        CHECK_EQUAL_INT(count_rows(NULL), 2);
        CHECK(hol_results_has_name(results));
        CHECK(access(part, F_OK) != 0);
        hol_results_destroy(results);
        CHECK_EQUAL_INT(count_rows(NULL), 2);
        unlink(path);
    }
}

static void a_file_that_was_not_there_goes_again(void)
{
    fresh(".csv");
    HolResults *results = begin();
    REQUIRE(results != NULL);
    CHECK(access(path, F_OK) == 0);
    hol_results_discard(results);
    CHECK(access(path, F_OK) != 0);
    CHECK(access(part, F_OK) != 0);
    hol_results_discard(NULL);
}

static void a_second_writer_is_refused(void)
{
    HolResults *second = NULL;
    HolMessage message;
    for (int i = 0; is_built(hol_results_ending(i)); ++i)
        for (int has_older = 0; has_older < 2; ++has_older) {
            CHECK_CONTEXT("%s, %d", hol_results_ending(i), has_older);
            fresh(hol_results_ending(i));
            if (has_older)
                store(path, "older", 5);
            HolResults *first = begin();
            REQUIRE(first != NULL);
            for (long row = 0; row < 4; ++row) { /* before and after the first takes the name */
                CHECK_STATUS(hol_results_create(path, columns, COLUMNS, &second, &message), HOL_NOT_WRITTEN);
                CHECK(second == NULL);
                CHECK_CONTAINS(message.text, path);
                CHECK_CONTAINS(message.text, "is being written by another run");
                CHECK_STATUS(hol_results_continue(path, columns, COLUMNS, 0, &second, &message), HOL_NOT_WRITTEN);
                CHECK_OK(add_rows(first, row, row + 1));
            }
            CHECK_OK(hol_results_finish(first));
            hol_results_destroy(first);
            CHECK_EQUAL_INT(count_rows(NULL), 4);
            CHECK(access(part, F_OK) != 0);
            unlink(path);
        }
}

static void what_a_killed_run_left_is_taken_over(void)
{
    fresh(".csv");
    store(part, "something long that a killed run left", 37);
    CHECK(chmod(part, 01644) == 0);
    HolResults *results = begin();
    REQUIRE(results != NULL);
    CHECK_OK(add_rows(results, 0, 1));
    hol_results_destroy(results);
    CHECK(contains(path, "t,crank.phi,x\n0.5,0.3333333333333333,-1e-05\n"));
    CHECK(access(part, F_OK) != 0);
    unlink(path);
}

/* Rows are in the file after sync(), and without it when time has passed. */
static void rows_can_be_read_meanwhile(void)
{
    const struct timespec pause = {.tv_nsec = 300000000};
    for (int i = 0; is_built(hol_results_ending(i)); ++i) {
        CHECK_CONTEXT("%s", hol_results_ending(i));
        fresh(hol_results_ending(i));
        HolResults *results = begin();
        REQUIRE(results != NULL);
        CHECK_EQUAL_INT(count_rows(NULL), 0);
        CHECK_OK(add_rows(results, 0, 7));
        CHECK_OK(hol_results_sync(results));
        CHECK_EQUAL_INT(count_rows(NULL), 7);
        CHECK_OK(add_rows(results, 7, 8));
        nanosleep(&pause, NULL);
        CHECK_OK(add_rows(results, 8, 9));
        CHECK_EQUAL_INT(count_rows(NULL), 9);
        CHECK_OK(add_rows(results, 9, 20000));
        CHECK(count_rows(NULL) > 9000);
        hol_results_destroy(results);
        CHECK_EQUAL_INT(count_rows(NULL), 20000);
        unlink(path);
    }
}

/* A program that adds no more rows for long, but says that it is still there. */
static void rows_are_written_when_due(void)
{
    const struct timespec pause = {.tv_nsec = 300000000};
    for (int i = 0; is_built(hol_results_ending(i)); ++i) {
        CHECK_CONTEXT("%s", hol_results_ending(i));
        fresh(hol_results_ending(i));
        HolResults *results = begin();
        REQUIRE(results != NULL);
        CHECK_OK(add_rows(results, 0, 7));
        CHECK_OK(hol_results_flush_due(results));
        nanosleep(&pause, NULL);
        CHECK_OK(hol_results_flush_due(results));
        CHECK_EQUAL_INT(count_rows(NULL), 7);
        hol_results_destroy(results);
        unlink(path);
    }
}

static void check_content(const char *name, const char *wanted)
{
    char text[20] = "";
    FILE *file = fopen(name, "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CHECK_STRING(text, wanted);
}

/* A held file has one writer from the beginning to the end, also while it is replaced or not there. */
static void a_held_file_has_one_writer(void)
{
    HolHeldFile *held = NULL, *second = NULL;
    HolMessage message;
    fresh(".ck");
    for (int is_older = 0; is_older < 2; ++is_older) {
        REQUIRE_OK(hol_file_hold(path, &held, &message));
        for (int i = 0; i < 3; ++i) {
            CHECK_STATUS(hol_file_hold(path, &second, &message), HOL_NOT_WRITTEN);
            CHECK_CONTAINS(message.text, "is being written by another run");
            CHECK_STATUS(hol_file_write(path, "other", 5, &message), HOL_NOT_WRITTEN);
            CHECK_OK(i == 1 ? hol_file_remove(held, &message) : hol_file_replace(held, "one", 3, &message));
            CHECK((access(path, F_OK) == 0) == (i != 1));
        }
        check_content(path, "one");
        hol_file_release(held);
        CHECK_OK(hol_file_write(path, "three", 5, &message));
        check_content(path, "three");
    }
    unlink(path);
}

/* A file of a user that has a second name is not the leftover of a killed run. */
static void a_linked_temporary_file_is_spared(void)
{
    char other[100];
    HolMessage message;
    fresh(".json");
    snprintf(other, sizeof other, "%s.other", path);
    store(other, "precious", 8);
    REQUIRE(link(other, part) == 0);
    CHECK_STATUS(hol_file_write(path, "text", 4, &message), HOL_NOT_WRITTEN);
    check_content(other, "precious");
    unlink(part);
    unlink(other);
}

static void sync_takes_the_name(void)
{
    fresh(".csv");
    store(path, "older", 5);
    HolResults *results = begin();
    REQUIRE(results != NULL);
    CHECK_OK(hol_results_sync(results));
    CHECK(contains(path, "t,crank.phi,x\n"));
    hol_results_destroy(results);
    unlink(path);
}

/* Continues a file of many rows, with something torn behind them, from row `from` on. */
static void continue_from(long from, const char *whole, size_t size)
{
    static char bytes[MOST];
    HolResults *results = NULL;
    HolMessage message;
    FILE *file = fopen(path, "ab");
    REQUIRE(file != NULL);
    fputs("1.25,3", file);
    fclose(file);
    REQUIRE_OK(hol_results_continue(path, columns, COLUMNS, from, &results, &message));
    CHECK_EQUAL_INT(hol_results_row_count(results), from);
    CHECK_EQUAL_INT(count_rows(NULL), from);
    CHECK_OK(add_rows(results, from, FEW));
    CHECK_OK(hol_results_finish(results));
    hol_results_destroy(results);
    CHECK_EQUAL_INT(count_rows(NULL), FEW);
    CHECK_EQUAL_INT(load(path, bytes), size);
    CHECK(memcmp(bytes, whole, size) == 0);
}

static void a_continued_file_is_the_same_as_an_uninterrupted_one(void)
{
    static char whole[MOST];
    static const long from[] = {0, 1, FEW / 2, FEW - 1, FEW};
    HolResults *results = NULL;
    HolMessage message;
    for (int i = 0; is_built(hol_results_ending(i)); ++i) {
        CHECK_CONTEXT("%s", hol_results_ending(i));
        fresh(hol_results_ending(i));
        results = begin();
        REQUIRE(results != NULL);
        CHECK_OK(add_rows(results, 0, FEW));
        hol_results_destroy(results);
        size_t size = load(path, whole);
        for (size_t k = 0; k < sizeof from / sizeof *from; ++k)
            continue_from(from[k], whole, size);
        static const char *const others[COLUMNS] = {"t", "crank.phi", "y"};
        CHECK_STATUS(hol_results_continue(path, others, COLUMNS, 1, &results, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, "its column 3 is 'x', not 'y'");
        CHECK_STATUS(hol_results_continue(path, columns, 2, 1, &results, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, "it has 3 columns, not 2");
        CHECK_STATUS(hol_results_continue(path, columns, COLUMNS, FEW + 1, &results, &message), HOL_BAD_INPUT);
        CHECK_CONTAINS(message.text, "it has fewer than 201 rows");
        CHECK_EQUAL_INT(count_rows(NULL), FEW);
        unlink(path);
        CHECK_STATUS(hol_results_continue(path, columns, COLUMNS, 1, &results, &message), HOL_NOT_WRITTEN);
        CHECK_CONTAINS(message.text, "No such file");
    }
}

/* The text that was attached last stands behind the rows of .h5; that before them is kept. */
static void a_continued_file_keeps_a_scene(void)
{
    char beside[90];
    for (int i = 0; is_built(hol_results_ending(i)); ++i) {
        CHECK_CONTEXT("%s", hol_results_ending(i));
        fresh(hol_results_ending(i));
        HolMessage message;
        HolResultsReader *reader = NULL;
        HolResults *results = begin();
        REQUIRE(results != NULL);
        CHECK_OK(hol_results_attach(results, "{\"first\": 1}", &message));
        CHECK_OK(add_rows(results, 0, 10));
        CHECK_OK(hol_results_attach(results, "{\"latest\": 1}", &message));
        hol_results_destroy(results);
        REQUIRE_OK(hol_results_continue(path, columns, COLUMNS, 5, &results, &message));
        CHECK_OK(add_rows(results, 5, 30));
        CHECK_OK(hol_results_sync(results));
        REQUIRE_OK(hol_results_open(path, &reader, &message));
        CHECK_CONTAINS(hol_results_attached(reader), strcmp(hol_results_ending(i), ".h5") == 0 ? "first" : "latest");
        hol_results_close(reader);
        CHECK_OK(hol_results_attach(results, "{\"resumed\": 1}", &message));
        CHECK_OK(hol_results_finish(results));
        CHECK_STATUS(hol_results_attach(results, "{}", &message), HOL_BAD_INPUT);
        hol_results_destroy(results);
        REQUIRE_OK(hol_results_open(path, &reader, &message));
        CHECK_STRING(hol_results_attached(reader), "{\"resumed\": 1}");
        hol_results_close(reader);
        CHECK_EQUAL_INT(count_rows(NULL), 30);
        snprintf(beside, sizeof beside, "%s.scene.json", path);
        unlink(beside);
        unlink(path);
    }
}

static void a_scene_stays_with_its_results(void)
{
    char beside[90];
    HolMessage message;
    fresh(".csv");
    snprintf(beside, sizeof beside, "%s.scene.json", path);
    store(path, "older", 5);
    store(beside, "{\"older\"}", 9);
    HolResults *results = begin();
    REQUIRE(results != NULL);
    CHECK_OK(hol_results_attach(results, "{\"newer\"}", &message));
    CHECK_OK(add_rows(results, 0, 1));
    CHECK(contains(beside, "{\"older\"}"));
    CHECK_OK(add_rows(results, 1, 2));
    CHECK(contains(beside, "{\"newer\"}"));
    hol_results_destroy(results);
    unlink(beside);
    unlink(path);
}

/* "0.25" may be the beginning of "0.2512": a line counts with its end. */
static void a_last_line_without_an_end_is_dropped(void)
{
    bool is_incomplete = false;
    const char *text = "t,crank.phi,x\n0.5,0.3333333333333333,-1e-05\n1.5,0.25,-2e-0";
    fresh(".csv");
    store(path, text, strlen(text));
    CHECK_EQUAL_INT(count_rows(&is_incomplete), 1);
    CHECK(is_incomplete);
    store(path, text, strlen(text) - strlen("1.5,0.25,-2e-0"));
    CHECK_EQUAL_INT(count_rows(&is_incomplete), 1);
    CHECK(!is_incomplete);
    HolResultsReader *reader = NULL;
    HolMessage message;
    store(path, text, 8);
    CHECK_STATUS(hol_results_open(path, &reader, &message), HOL_BAD_INPUT);
    CHECK_CONTAINS(message.text, "is cut off within its line of names");
    unlink(path);
}

static void a_torn_last_record_is_dropped(void)
{
    static char bytes[MOST];
    bool is_incomplete = false;
    fresh(".npy");
    HolResults *results = begin();
    REQUIRE(results != NULL);
    CHECK_OK(add_rows(results, 0, 10));
    hol_results_destroy(results);
    size_t size = load(path, bytes);
    store(path, bytes, size + 5);
    CHECK_EQUAL_INT(count_rows(&is_incomplete), 10);
    CHECK(is_incomplete);
    unlink(path);
}

/* A file that may not grow stands for a full disk. */
static void a_full_disk_leaves_complete_rows(void)
{
    struct rlimit before, small;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; is_built(hol_results_ending(i)); ++i)
        for (rlim_t most = 3000; most < 200000; most += 17777) {
            CHECK_CONTEXT("%s, %ld bytes", hol_results_ending(i), (long)most);
            fresh(hol_results_ending(i));
            HolResults *results = begin();
            small = (struct rlimit){most, before.rlim_max};
            REQUIRE(results != NULL && setrlimit(RLIMIT_FSIZE, &small) == 0);
            CHECK_STATUS(add_rows(results, 0, 20000), HOL_NOT_WRITTEN);
            CHECK_STATUS(hol_results_finish(results), HOL_NOT_WRITTEN);
            long rows = hol_results_row_count(results);
            CHECK_CONTAINS(hol_results_message(results), "File too large");
            hol_results_destroy(results);
            REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
            bool is_incomplete = true;
            CHECK_EQUAL_INT(count_rows(&is_incomplete), rows);
            CHECK(!is_incomplete);
            CHECK(rows > ((long)most - 2000) / 70);
            unlink(path);
        }
}

static void a_full_disk_spares_older_results(void)
{
    struct rlimit before, small;
    HolMessage message;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; is_built(hol_results_ending(i)); ++i) {
        CHECK_CONTEXT("%s", hol_results_ending(i));
        fresh(hol_results_ending(i));
        store(path, "older", 5);
        HolResults *results = NULL;
        small = (struct rlimit){10, before.rlim_max};
        REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
        CHECK_STATUS(hol_results_create(path, columns, COLUMNS, &results, &message), HOL_NOT_WRITTEN);
        REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
        CHECK(contains(path, "older"));
        CHECK(access(part, F_OK) != 0);
        unlink(path);
    }
}

static void links_and_permissions_are_kept(void)
{
    char link[90];
    struct stat there;
    HolMessage message;
    fresh(".csv");
    snprintf(link, sizeof link, "%s.link.csv", path);
    store(path, "older", 5);
    REQUIRE(chmod(path, 0640) == 0 && (unlink(link), symlink(path, link)) == 0);
    HolResults *results = NULL;
    REQUIRE_OK(hol_results_create(link, columns, COLUMNS, &results, &message));
    CHECK_OK(add_rows(results, 0, 3));
    hol_results_destroy(results);
    CHECK_EQUAL_INT(count_rows(NULL), 3);
    CHECK(lstat(link, &there) == 0 && S_ISLNK(there.st_mode));
    CHECK(stat(path, &there) == 0 && (there.st_mode & 07777) == 0640);
    REQUIRE_OK(hol_file_write(link, "text", 4, &message));
    CHECK(contains(path, "text"));
    CHECK(lstat(link, &there) == 0 && S_ISLNK(there.st_mode));
    CHECK(stat(path, &there) == 0 && (there.st_mode & 07777) == 0640);
    unlink(path);
    REQUIRE_OK(hol_file_write(link, "again", 5, &message)); /* it leads nowhere now */
    CHECK(contains(path, "again"));
    CHECK_STATUS(hol_file_write("no/such/folder/x", "", 0, &message), HOL_NOT_WRITTEN);
    CHECK_CONTAINS(message.text, "cannot write 'no/such/folder/x': No such file");
    CHECK_OK(hol_file_write("/dev/null", "text", 4, &message));
    CHECK(stat("/dev/null", &there) == 0 && S_ISCHR(there.st_mode));
    unlink(link);
    unlink(path);
}

static void pipes_take_csv_only(void)
{
    HolMessage message;
    HolResults *results = NULL;
    REQUIRE(mkfifo(fresh(".npy"), 0600) == 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    CHECK_STATUS(hol_results_create(path, columns, COLUMNS, &results, &message), HOL_NOT_WRITTEN);
    CHECK_CONTAINS(message.text, "it is a pipe, which takes .csv only");
    close(reader);
    REQUIRE(mkfifo(fresh(".csv"), 0600) == 0);
    reader = open(path, O_RDONLY | O_NONBLOCK);
    results = begin();
    REQUIRE(results != NULL);
    CHECK_OK(add_rows(results, 0, 1));
    CHECK_OK(hol_results_finish(results));
    hol_results_destroy(results);
    char text[100] = "";
    CHECK(read(reader, text, sizeof text - 1) > 0);
    CHECK_STRING(text, "t,crank.phi,x\n0.5,0.3333333333333333,-1e-05\n");
    close(reader);
    unlink(path);
}

CHECK_MAIN(TEST(an_older_file_stays_until_the_second_row), TEST(a_file_that_was_not_there_goes_again),
           TEST(a_second_writer_is_refused), TEST(what_a_killed_run_left_is_taken_over),
           TEST(rows_can_be_read_meanwhile), TEST(rows_are_written_when_due), TEST(a_held_file_has_one_writer),
           TEST(a_linked_temporary_file_is_spared), TEST(sync_takes_the_name),
           TEST(a_continued_file_is_the_same_as_an_uninterrupted_one), TEST(a_continued_file_keeps_a_scene),
           TEST(a_scene_stays_with_its_results), TEST(a_last_line_without_an_end_is_dropped),
           TEST(a_torn_last_record_is_dropped), TEST(a_full_disk_leaves_complete_rows),
           TEST(a_full_disk_spares_older_results), TEST(links_and_permissions_are_kept), TEST(pipes_take_csv_only))
