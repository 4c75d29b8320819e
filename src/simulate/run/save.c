/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved simulations: a header that says what the bytes belong to, then the list of archive.c.
 *
 * Nothing of a simulation changes before all bytes have been examined: those of the header against the simulation, all
 * of them against the checksum, and each number that serves as an index, count or flag against its range. */
#include "base/build_id.h"
#include "base/float_mode.h"
#include "base/hash.h"
#include "base/message.h"
#include "simulate/run/internal.h"

#include <string.h>

static const char MAGIC[8] = "HOLSAVE"; /* with its end */
enum { VERSION = 1 };

/* The checksum is last: it is of all other bytes. */
typedef struct Header {
    char magic[8];
    uint64_t version, size, build, system, method, start, checksum;
} Header;

static uint64_t hash_pattern(uint64_t hash, const HolPattern *p)
{
    const int sizes[] = {p->nq, p->nv, p->nh, p->nn, p->m, p->block_count, p->group_count, p->pair_count};
    hash = hol_hash_bytes(hash, sizes, sizeof sizes);
    hash = hol_hash_bytes(hash, p->block_start, ((size_t)p->block_count + 1) * sizeof *p->block_start);
    hash = hol_hash_bytes(hash, p->group_start, ((size_t)p->group_count + 1) * sizeof *p->group_start);
    for (int i = 0; i < p->pair_count; ++i)
        hash = hol_hash_int(hol_hash_int(hash, p->pairs[i].row), p->pairs[i].column);
    return hol_hash_doubles(hash, &p->length, 1);
}

static uint64_t hash_system(const HolSystem *system)
{
    uint64_t hash = hash_pattern(hol_hash_text(HOL_HASH_BEGIN, hol_system_name(system)), hol_system_pattern(system));
    for (int g = 0; g < hol_system_pattern(system)->group_count; ++g)
        hash = hol_hash_text(hash, hol_system_group_name(system, g));
    for (int i = 0; i < hol_system_input_count(system); ++i)
        hash = hol_hash_text(hash, hol_system_input_name(system, i));
    hash = hol_hash_int(hash, hol_system_angle_count(system));
    hash = hol_hash_int(hash, (long long)hol_system_fingerprint(system));
    return hol_hash_int(hash, hol_system_event_count(system));
}

/* The numbers in the options of a kind are behind each other, in memory that was zero. */
static uint64_t hash_kind(uint64_t hash, const char *name, const void *options, size_t size)
{
    return hol_hash_bytes(hol_hash_text(hash, name), options, size);
}

static size_t stiffness_size(const HolPattern *p)
{
    size_t size = 0;
    for (int g = 0; g < p->group_count; ++g) {
        size_t rows = (size_t)(p->group_start[g + 1] - p->group_start[g]);
        size += rows * rows;
    }
    return size;
}

static uint64_t hash_weights(uint64_t hash, const HolSimulationOptions *options, const HolPattern *p)
{
    hash = hol_hash_doubles(hash, options->row_weights, (size_t)p->m);
    if (options->row_omega || options->row_xi) {
        hash = hol_hash_doubles(hash, options->row_omega, (size_t)p->m);
        hash = hol_hash_doubles(hash, options->row_xi, (size_t)p->m);
    }
    hash = hol_hash_doubles(hash, options->row_stiffness, stiffness_size(p));
    return hol_hash_doubles(hash, options->preload, (size_t)p->m);
}

void hol_identity_set(HolSimulation *s, const HolInitialState *start, const HolSimulationOptions *options,
                      const void *formulation_options, const void *integrator_options)
{
    const HolPattern *p = s->work->pattern;
    const HolFormulationKind *formulation = s->rates->kind;
    uint64_t hash = hash_kind(HOL_HASH_BEGIN, formulation->name, formulation_options, formulation->options_size);
    hash = hash_kind(hash, s->integrator->name, integrator_options, s->integrator->options_size);
    hash = hol_hash_int(hol_hash_doubles(hash, &s->step, 1), options->branch);
    s->identity.method = hash_weights(hash, options, p);
    s->identity.system = hash_system(s->system);
    hash = hol_hash_int(hol_hash_doubles(HOL_HASH_BEGIN, &start->t, 1), options->keep_start);
    hash = hol_hash_doubles(hol_hash_doubles(hash, start->q, (size_t)p->nq), start->v, (size_t)p->nv);
    hash = hol_hash_doubles(hash, s->y, (size_t)s->rates->size);
    hash = hol_hash_doubles(hash, s->ydot, (size_t)s->rates->size); /* of other masses or forces it differs */
    s->identity.start = hol_hash_doubles(hash, &s->energy_initial, 1);
}

static uint64_t hash_build(void)
{
    const int sizes[] = {(int)sizeof(int), (int)sizeof(long), (int)sizeof(double)};
    const uint64_t order = 0x0102030405060708u;
    uint64_t hash = hol_hash_bytes(hol_hash_text(HOL_HASH_BEGIN, hol_build_id), sizes, sizeof sizes);
    return hol_hash_bytes(hash, &order, sizeof order);
}

static uint64_t checksum_of(const Header *header, const unsigned char *bytes, size_t size)
{
    uint64_t hash = hol_hash_bytes(HOL_HASH_BEGIN, header, offsetof(Header, checksum));
    return hol_hash_bytes(hash, bytes, size);
}

size_t hol_simulation_save_size(const HolSimulation *simulation)
{
    HolArchive archive = {.mode = HOL_ARCHIVE_MEASURE};
    if (!simulation)
        return 0;
    hol_simulation_archive((HolSimulation *)simulation, &archive); /* which changes nothing in this mode */
    return sizeof(Header) + archive.at;
}

static HolStatus save_check(HolSimulation *s, const void *memory, size_t size)
{
    size_t need = hol_simulation_save_size(s);
    if (!memory || size < need)
        return hol_fail(&s->message, HOL_BAD_INPUT,
                        "hol_simulation_save: it takes %zu bytes of memory, but there are %zu", need,
                        memory ? size : (size_t)0);
    if (s->is_recording)
        return hol_fail(&s->message, HOL_BAD_INPUT,
                        "hol_simulation_save: a record function cannot save, because records of the same step may "
                        "follow; save in the progress function");
    return HOL_OK;
}

HolStatus hol_simulation_save(const HolSimulation *simulation, void *memory, size_t size)
{
    HolSimulation *s = (HolSimulation *)simulation; /* const to users: no number of theirs changes */
    if (!s)
        return HOL_BAD_INPUT;
    HOL_TRY(save_check(s, memory, size));
    s->message.text[0] = '\0';
    if (s->run.is_under_way)
        hol_run_count_time(s);
    unsigned char *bytes = (unsigned char *)memory + sizeof(Header);
    Header header = {.version = VERSION,
                     .size = hol_simulation_save_size(s),
                     .build = hash_build(),
                     .system = s->identity.system,
                     .method = s->identity.method,
                     .start = s->identity.start};
    HolArchive archive = {.mode = HOL_ARCHIVE_WRITE, .to = bytes, .size = header.size - sizeof header};
    hol_simulation_archive(s, &archive);
    memset(bytes + archive.at, 0, archive.size - archive.at); /* of lists that are not full */
    memcpy(header.magic, MAGIC, sizeof header.magic);
    header.checksum = checksum_of(&header, bytes, archive.size);
    memcpy(memory, &header, sizeof header);
    return HOL_OK;
}

static HolStatus restore_refuse(HolSimulation *s, const char *why)
{
    return hol_fail(&s->message, HOL_BAD_INPUT, "the simulation cannot be restored: %s", why);
}

/* Whether the header is that of a simulation like this one. */
static HolStatus restore_check_header(HolSimulation *s, const Header *header, size_t size)
{
    if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0)
        return restore_refuse(s, "the memory holds no saved simulation");
    if (header->version != VERSION)
        return restore_refuse(s, "it was saved in another format, by another version of holon");
    if (header->build != hash_build())
        return restore_refuse(s, "it was saved by another build of holon, whose numbers would differ");
    if (header->system != s->identity.system)
        return restore_refuse(s, "it was saved from another system, or from one with other numbers");
    if (header->method != s->identity.method)
        return restore_refuse(s, "it was saved with another formulation, integrator, step or another option of these");
    if (header->start != s->identity.start)
        return restore_refuse(s, "it was saved from another initial state, or the system has other numbers");
    if (header->size != hol_simulation_save_size(s) || header->size > size)
        return restore_refuse(s, "the memory ends before the saved simulation does");
    return HOL_OK;
}

static HolStatus restore_check(HolSimulation *s, const unsigned char *memory, size_t size)
{
    Header header;
    if (s->run.is_under_way)
        return restore_refuse(s, "it is running; let the run end first");
    if (!memory || size < sizeof header)
        return restore_refuse(s, "the memory holds no saved simulation");
    memcpy(&header, memory, sizeof header);
    HOL_TRY(restore_check_header(s, &header, size));
    HolArchive archive = {
        .mode = HOL_ARCHIVE_CHECK, .from = memory + sizeof header, .size = header.size - sizeof header};
    if (header.checksum != checksum_of(&header, archive.from, archive.size))
        return restore_refuse(s, "its checksum is wrong: it is damaged");
    hol_simulation_archive(s, &archive);
    return archive.failed ? restore_refuse(s, "it contains a number that is out of range") : HOL_OK;
}

HolStatus hol_simulation_restore(HolSimulation *simulation, const void *memory, size_t size)
{
    if (!simulation)
        return HOL_BAD_INPUT;
    HOL_TRY(restore_check(simulation, memory, size));
    HolArchive archive = {.mode = HOL_ARCHIVE_READ,
                          .from = (const unsigned char *)memory + sizeof(Header),
                          .size = hol_simulation_save_size(simulation) - sizeof(Header)};
    unsigned mode = hol_float_mode_enter();
    hol_simulation_archive(simulation, &archive);
    hol_float_mode_leave(mode);
    return HOL_OK;
}
