/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of a run, damaged: the first byte chooses a run (RAW: the rest is the file itself), the second what is
 * made to fit again, whether the file is cut, an allocation fails and the run ends later, the third which allocation;
 * the rest is a list of changes, four bytes of place, kind and value each. A file that is refused is refused with one sentence, and leaves the simulation as it was, bit for bit.
 * One that is accepted may hold wrong numbers: its run continues or fails, inside its memory, and has a checkpoint
 * again. The good file then restores all. */
#include <holon/holon.h>

#include "base/hash.h"
#include "command.h"
#include "fuzz.h"
#include "run/checkpoint_parts.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { RUNS = 4, RAW = 0xff, STEPS = 5, MORE_STEPS = 2, REPORT_ROWS = 6, MOST_MEMORY = 1 << 26 };
enum { FIT_FILE = 1, FIT_SIMULATION = 2, CUT = 4, FAIL = 8, LATER = 16 }; /* the second byte */
enum { IMAGE_HEADER = 64, IMAGE_CHECKSUM = 56 };                          /* of a saved simulation */

static const struct {
    const char *model, *key, *value, *record; /* key: of the model, NULL: none is changed */
    bool has_report;
} choices[RUNS] = {{"four-bar", NULL, NULL, "all", true},
                   {"bricard", "run.reactions", "minimum-norm", "all", true},
                   {"cantilever", "parameters.elements", "1", "energy", true},
                   {"rolling-disc", NULL, NULL, NULL, false}};

/* A run after some steps, and its checkpoint. */
typedef struct Run {
    HolModel *model;
    HolMechanism *mechanism;
    HolSimulation *simulation;
    CliRecording recording;
    HolHistory history;
    HolRun run;
    uint8_t *good, *image; /* the file, and the part of it that is the simulation */
    size_t size, image_size;
} Run;

static int sentences;

int cli_fail(const char *format, ...)
{
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    FUZZ_CHECK(strlen(text) > 10, "the message is '%s'", text);
    ++sentences;
    return EXIT_BAD_INPUT;
}

static CliRunParts parts_of(Run *run)
{
    return (CliRunParts){.model = hol_model_fingerprint(run->model),
                         .simulation = run->simulation,
                         .recording = &run->recording,
                         .history = &run->history,
                         .run = &run->run,
                         .interval = 10};
}

/* The whole file again, from what there is now. */
static CliBytes run_checkpoint(Run *run)
{
    static const char *const words[] = {"--quiet", "--", "model"};
    const CliRunParts parts = parts_of(run);
    CliBytes bytes = {0};
    cli_bytes_add(&bytes, CLI_CHECKPOINT_HEADER);
    cli_bytes_text(&bytes, "/");
    cli_bytes_whole(&bytes, 3);
    for (int i = 0; i < 3; ++i)
        cli_bytes_text(&bytes, words[i]);
    cli_checkpoint_put_parts(&bytes, &parts);
    FUZZ_CHECK(!bytes.failed, "no checkpoint");
    cli_checkpoint_seal(&bytes, false);
    return bytes;
}

static HolStatus run_record(void *user, const HolState *state, const HolMeasures *measures)
{
    Run *run = user;
    hol_history_add(&run->history, state->t, measures);
    return cli_recording_add(&run->recording, state, measures);
}

static void run_create_simulation(Run *run)
{
    HolMessage message = {{0}};
    bool made = hol_mechanism_assemble(run->mechanism, &message) == HOL_OK;
    HolInitialState start = hol_mechanism_initial_state(run->mechanism);
    HolSimulationOptions options = hol_mechanism_options(run->mechanism);
    made = made && hol_simulation_create(hol_mechanism_system(run->mechanism), &start, &options, &run->simulation,
                                         &message) == HOL_OK;
    FUZZ_CHECK(made, "%s", message.text);
}

static void run_create(Run *run, int which)
{
    const char *key = choices[which].key;
    run->model = hol_model_create();
    bool made = hol_model_load(run->model, choices[which].model) == HOL_OK &&
                (!key || hol_model_set(run->model, key, "%s", choices[which].value) == HOL_OK) &&
                hol_mechanism_create(run->model, &run->mechanism) == HOL_OK;
    FUZZ_CHECK(made, "the model '%s' is refused", choices[which].model);
    run_create_simulation(run);
    made = cli_recording_choose(&run->recording, run->model, run->mechanism, choices[which].record) == EXIT_DONE &&
           cli_recording_open(&run->recording, run->mechanism, NULL, choices[which].has_report ? REPORT_ROWS : 0) ==
               EXIT_DONE;
    FUZZ_CHECK(made, "nothing is recorded");
    const double step = hol_simulation_summary(run->simulation).step;
    run->run = (HolRun){.until = STEPS * step, .record = run_record, .user = run};
    run->history = hol_history_begin(0, run->run.until);
    FUZZ_CHECK(hol_simulation_run(run->simulation, &run->run) == HOL_OK, "'%s' does not run", choices[which].model);
    const CliBytes bytes = run_checkpoint(run);
    run->good = bytes.items;
    run->size = bytes.size;
    run->image_size = hol_simulation_save_size(run->simulation);
    run->image = malloc(run->image_size);
}

static Run *run_of(unsigned which)
{
    static Run runs[RUNS]; /* kept for all inputs */
    Run *run = &runs[which % RUNS];
    if (!run->good)
        run_create(run, (int)(which % RUNS));
    return run;
}

/* Removes or inserts eight bytes, so that all that follows lies elsewhere. */
static void file_shift(CliBytes *file, size_t at, bool removes)
{
    enum { WORD = 8 };
    if (removes) {
        memmove(file->items + at, file->items + at + WORD, file->size - at - WORD);
        file->size -= WORD;
    } else if (cli_bytes_add(file, WORD))
        memmove(file->items + at + WORD, file->items + at, file->size - at - WORD);
}

static void file_change(CliBytes *file, FuzzBytes *bytes)
{
    static const double numbers[] = {0, -1, 1e300, NAN, INFINITY, 3, 0.25, 1e18};
    static const int64_t wholes[] = {-1, 0, 1, 2, 1 << 20, 1LL << 50, INT64_MAX, INT64_MIN};
    const size_t place = (size_t)fuzz_byte(bytes) << 8 | fuzz_byte(bytes);
    const unsigned kind = fuzz_byte(bytes), value = fuzz_byte(bytes);
    if (file->size < 2 * CLI_CHECKPOINT_HEADER)
        return;
    const size_t at = place % (file->size - 8);
    switch (kind % 6) {
    case 0: memcpy(file->items + at, &numbers[value % 8], sizeof *numbers); break;
    case 1: memcpy(file->items + at, &wholes[value % 8], sizeof *wholes); break;
    case 2: file_shift(file, at, value % 2 == 1); break;
    case 3: file->items[at] ^= (uint8_t)(1U << value % 8); break;
    case 4: memcpy(file->items + at, file->items + value * at / 256, 8); break;
    default: file->items[at] = (uint8_t)value; break;
    }
}

/* The simulation is the last part of the file. */
static void file_fit_simulation(CliBytes *file, size_t image_size)
{
    if (file->size < CLI_CHECKPOINT_HEADER + image_size)
        return;
    uint8_t *image = file->items + file->size - image_size;
    uint64_t hash = hol_hash_bytes(HOL_HASH_BEGIN, image, IMAGE_CHECKSUM);
    hash = hol_hash_bytes(hash, image + IMAGE_HEADER, image_size - IMAGE_HEADER);
    memcpy(image + IMAGE_CHECKSUM, &hash, sizeof hash);
}

static CliBytes file_make(const Run *run, unsigned what, FuzzBytes *bytes)
{
    CliBytes file = {0};
    memcpy(cli_bytes_add(&file, run->size), run->good, run->size);
    if (what & CUT)
        file.size = run->size * fuzz_byte(bytes) / 256;
    while (bytes->size >= 4)
        file_change(&file, bytes);
    if (what & FIT_SIMULATION)
        file_fit_simulation(&file, run->image_size);
    if (what & FIT_FILE && file.size >= CLI_CHECKPOINT_HEADER)
        cli_checkpoint_seal(&file, what & LATER);
    return file;
}

/* Reads a file and puts the run back to it. */
static int run_restore(Run *run, const uint8_t *file, size_t size, bool is_later)
{
    CliResumed resumed = {0};
    int code = cli_resumed_open(fuzz_file(".ck", file, size), &resumed);
    if (code == EXIT_DONE) {
        FUZZ_CHECK(resumed.words.count > 0 && resumed.folder, "a checkpoint without words is accepted");
        resumed.new_until = resumed.until + is_later;
        run->run.until = resumed.new_until;
        run->run.resume = true;
        run->history = hol_history_begin(0, resumed.new_until);
        const CliRunParts parts = parts_of(run);
        code = cli_resumed_restore(&resumed, "model", &parts);
    }
    cli_resumed_free(&resumed);
    return code;
}

static void run_check_image(Run *run)
{
    HolStatus status = hol_simulation_save(run->simulation, run->image, run->image_size);
    FUZZ_CHECK(status == HOL_OK && memcmp(run->image, run->good + run->size - run->image_size, run->image_size) == 0,
               "the simulation has changed although the checkpoint was refused");
}

/* What was restored may be wrong in its numbers, but not in its structure. */
static void run_check_continues(Run *run)
{
    const CliThin *thin = &run->recording.report.thin;
    const double t = hol_simulation_state(run->simulation)->t;
    CliBytes before = run_checkpoint(run);
    cli_bytes_free(&before);
    run->run.until = t + MORE_STEPS * hol_simulation_summary(run->simulation).step;
    if (run->run.until - t < 1)
        hol_simulation_run(run->simulation, &run->run);
    fuzz_check_sentence(hol_simulation_message(run->simulation));
    CliBytes after = run_checkpoint(run);
    cli_bytes_free(&after);
    if (run->recording.has_report)
        cli_report_end(&run->recording.report, run->simulation);
    FUZZ_CHECK(thin->row_count <= thin->most, "%ld rows of %ld", thin->row_count, thin->most);
}

static void run_check_good(Run *run)
{
    FUZZ_CHECK(run_restore(run, run->good, run->size, false) == EXIT_DONE, "the good checkpoint is refused");
    CliBytes again = run_checkpoint(run);
    FUZZ_CHECK(again.size == run->size && memcmp(again.items, run->good, run->size) == 0,
               "a checkpoint of what was restored differs from the one it was restored from");
    cli_bytes_free(&again);
}

static void check_file(Run *run, unsigned what, const CliBytes *file, unsigned failing)
{
    const bool is_same = file->size == run->size && memcmp(file->items, run->good, run->size) == 0;
    sentences = 0;
    fuzz_memory_begin(MOST_MEMORY, failing);
    int code = run_restore(run, file->items, file->size, what & LATER);
    fuzz_memory_end();
    FUZZ_CHECK(sentences == (code != EXIT_DONE), "exit code %d and %d sentences", code, sentences);
    FUZZ_CHECK(code != EXIT_DONE || is_same || what & FIT_FILE, "a damaged checkpoint is accepted");
    FUZZ_CHECK(code == EXIT_DONE || !is_same || failing > 0, "the good checkpoint is refused");
    if (code == EXIT_DONE)
        run_check_continues(run);
    else
        run_check_image(run);
    run_check_good(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzBytes bytes = {data, size};
    const unsigned which = fuzz_byte(&bytes);
    Run *run = run_of(which);
    const unsigned what = which == RAW ? 0 : fuzz_byte(&bytes), number = which == RAW ? 0 : fuzz_byte(&bytes);
    CliBytes file = {0};
    if (which != RAW)
        file = file_make(run, what, &bytes);
    else if (bytes.size > 0)
        memcpy(cli_bytes_add(&file, bytes.size), bytes.data, bytes.size);
    check_file(run, what, &file, what & FAIL ? number + 1 : 0);
    cli_bytes_free(&file);
    return 0;
}
