/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints that are whole, with a right hash, but say what no run can say: they are refused, whoever made them. */
#include <holon/results.h>

#include "check.h"
#include "cli/run/checkpoint_parts.h"

#include <math.h>
#include <stdarg.h>

static char sentence[600];

int cli_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return EXIT_BAD_INPUT;
}

/* What a checkpoint says before the parts of the simulation. */
typedef struct Said {
    double t, until, every, interval;
    int64_t word_count, text_length, model[2], rows, columns;
} Said;

static const Said usual = {1, 2, 0.1, 10, 2, 4, {-5, 1}, 3, 2};

static void put_text(CliBytes *bytes, int64_t length)
{
    cli_bytes_whole(bytes, length);
    memcpy(cli_bytes_add(bytes, 4), "abcd", 4);
}

/* Writes it, sealed, and opens it. */
static int open_said(const Said *said)
{
    const double numbers[] = {said->t, said->until, said->every, said->interval}, row[2] = {1, 2};
    CliBytes bytes = {0};
    CliResumed resumed;
    cli_bytes_add(&bytes, CLI_CHECKPOINT_HEADER);
    put_text(&bytes, 4);
    cli_bytes_whole(&bytes, said->word_count);
    put_text(&bytes, said->text_length);
    put_text(&bytes, 4);
    cli_bytes_doubles(&bytes, numbers, 4);
    cli_bytes_whole(&bytes, said->model[0]);
    cli_bytes_whole(&bytes, said->model[1]);
    cli_bytes_whole(&bytes, said->rows);
    cli_bytes_whole(&bytes, said->columns);
    cli_bytes_doubles(&bytes, row, 2);
    cli_checkpoint_seal(&bytes, false);
    CHECK_OK(hol_file_write("made.ck", (const char *)bytes.items, bytes.size, NULL));
    cli_bytes_free(&bytes);
    sentence[0] = '\0';
    int code = cli_resumed_open("made.ck", &resumed);
    if (code == EXIT_DONE) {
        CHECK(resumed.t == said->t && resumed.until == said->until && resumed.every == said->every);
        CHECK(resumed.interval == said->interval && resumed.rows == said->rows && resumed.column_count == 2);
        CHECK(resumed.model == ((unsigned long long)said->model[0] << 1 | 1) && resumed.last_row[1] == 2);
    }
    cli_resumed_free(&resumed);
    remove("made.ck");
    return code;
}

static void check_refused(const char *what, const Said *said)
{
    CHECK_CONTEXT("%s", what);
    CHECK_EQUAL_INT(open_said(said), EXIT_BAD_INPUT);
    CHECK_CONTAINS(sentence, "the checkpoint 'made.ck' is damaged: begin the run again");
}

#define REFUSED(member, wrong)                                                                                         \
    do {                                                                                                               \
        Said said = usual;                                                                                             \
        said.member = wrong;                                                                                           \
        check_refused(#member " = " #wrong, &said);                                                                    \
    } while (0)

static void numbers_out_of_range_are_refused(void)
{
    CHECK_EQUAL_INT(open_said(&usual), EXIT_DONE);
    CHECK_STRING(sentence, "");
    REFUSED(t, NAN);
    REFUSED(t, INFINITY);
    REFUSED(until, NAN);
    REFUSED(until, -INFINITY);
    REFUSED(every, NAN);
    REFUSED(every, -0.1);
    REFUSED(interval, NAN);
    REFUSED(interval, 0);
    REFUSED(interval, -1);
    REFUSED(word_count, 0);
    REFUSED(word_count, -1);
    REFUSED(word_count, 100001);
    REFUSED(text_length, -1);
    REFUSED(text_length, 1000);
    REFUSED(text_length, INT64_MAX);
    REFUSED(model[1], 2);
    REFUSED(model[1], -1);
    REFUSED(rows, -2);
    REFUSED(rows, INT64_MAX);
    REFUSED(rows, 0);
    REFUSED(rows, -1);
    REFUSED(columns, -1);
    REFUSED(columns, 0);
    REFUSED(columns, 3);
    REFUSED(columns, INT64_MAX / 8 + 2);
}

CHECK_MAIN(TEST(numbers_out_of_range_are_refused))
