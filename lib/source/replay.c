/* SPDX-License-Identifier: BSD-3-Clause
 * Source "replay": recorded or scripted samples. */
#include "source/replay.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "host/memory.h"
#include "source/clock.h"
#include "source/generic.h"
#include "source/meter.h"
#include "source/replayfile.h"
#include "source/source.h"

enum { N_TIDS = HPM_REPLAY_MAX_TID + 2 }; /* one more for tid -1, the process */

/* One file for the whole process. */
static struct {
    struct hpm_replayfile *file; /* NULL: no replay, or the file cannot be
                                  * used */
    struct hpm_error why;        /* why there is no file */
    atomic_uint *n_lacks;        /* by tid + 1: readings without a sample */
    bool watches_forks;
} replay = {.why = {.text = "no samples are replayed"}};

/* ---- the file -------------------------------------------------------- */

/* A forked child starts at time 0, and reads the file from its begin. */
static void
begin_again_in_child(void)
{
    if (replay.file == NULL)
        return;
    hpm_clock_replay();
    for (size_t i = 0; i < N_TIDS; i++)
        atomic_store_explicit(&replay.n_lacks[i], 0, memory_order_relaxed);
}

void
hpm_replay_load(void)
{
    const char *path = hpm_env_get(HPM_VARIABLE_REPLAY);

    hpm_replay_unload();
    if (path == NULL) {
        hpm_error_set(&replay.why, "HPM_SOURCE=replay needs a file of "
                                   "samples; set HPM_REPLAY to its name");
        return;
    }
    replay.file = hpm_replayfile_load(path, &replay.why);
    if (replay.file == NULL)
        return;
    replay.n_lacks = hpm_memory_new(N_TIDS, sizeof *replay.n_lacks);
    if (replay.n_lacks == NULL) {
        hpm_replay_unload();
        hpm_error_no_memory(&replay.why);
        return;
    }
    if (!replay.watches_forks)
        pthread_atfork(NULL, NULL, begin_again_in_child);
    replay.watches_forks = true;
    hpm_clock_replay();
}

void
hpm_replay_unload(void)
{
    hpm_replayfile_free(replay.file);
    hpm_memory_free(replay.n_lacks);
    replay.file = NULL;
    replay.n_lacks = NULL;
    hpm_error_set(&replay.why, "no samples are replayed");
    hpm_clock_replay_end();
}

/* All events of the file. */
static bool
replay_offer(struct hpm_string *list, struct hpm_error *err)
{
    if (replay.file == NULL)
        return hpm_error_set(err, "%s", replay.why.text);
    for (size_t i = 0; i < replay.file->n_events; i++)
        hpm_string_add_format(list, "%s%s", i > 0 ? "," : "",
                              replay.file->events[i].name);
    return !list->failed || hpm_error_no_memory(err);
}

/* Writes "thread 3" or "the process". */
static void
name_reader(int tid, char *ret_name, size_t size)
{
    if (tid >= 0)
        snprintf(ret_name, size, "thread %d", tid);
    else
        snprintf(ret_name, size, "the process");
}

static void
describe_lack(int tid, char *ret_sentence, size_t size)
{
    const struct hpm_replaystream *stream =
        hpm_replayfile_stream(replay.file, tid);
    char who[32];

    name_reader(tid, who, sizeof who);
    if (stream != NULL)
        snprintf(ret_sentence, size,
                 "%.200s: no more samples for %s after line %zu; the last one "
                 "is used again",
                 replay.file->path, who, stream->last_line);
    else
        snprintf(ret_sentence, size,
                 "%.200s: no samples for %s; its times are 0, its counts "
                 "not there",
                 replay.file->path, who);
}

void
hpm_replay_visit_lacks(void (*visit)(const char *sentence, unsigned n_readings,
                                     void *context),
                       void *context)
{
    for (int tid = -1; replay.file != NULL && tid <= HPM_REPLAY_MAX_TID;
         tid++) {
        unsigned n = atomic_load(&replay.n_lacks[tid + 1]);
        char sentence[320];

        if (n == 0)
            continue;
        describe_lack(tid, sentence, sizeof sentence);
        visit(sentence, n, context);
    }
}

/* ---- find and list --------------------------------------------------- */

/* The event in the spelling of the list, else one of the same meaning: the
 * kernel's events have several names, and in most of them case does not
 * matter. */
/* libpfm4 and PAPI accept their events in any case; other names may differ in
 * case only. */
static bool
is_vendors(const char *name)
{
    return strchr(name, ':') != NULL || strncmp(name, "PAPI_", 5) == 0;
}

static const struct hpm_replayevent *
find_column(const char *name)
{
    const struct hpm_replayevent *events = replay.file->events;
    struct hpm_generic wanted, offered;
    bool is_generic = hpm_generic_find(name, &wanted);

    for (size_t i = 0; i < replay.file->n_events; i++) {
        if (strcmp(name, events[i].name) == 0)
            return &events[i];
    }
    for (size_t i = 0; i < replay.file->n_events; i++) {
        if ((is_vendors(name) && hpm_string_same_word(name, events[i].name)) ||
            (is_generic && hpm_generic_find(events[i].name, &offered) &&
             wanted.encoding.type == offered.encoding.type &&
             wanted.encoding.config == offered.encoding.config))
            return &events[i];
    }
    return NULL;
}

static void
explain_missing(struct hpm_error *err)
{
    struct hpm_string names = {0};
    size_t i;

    for (i = 0; i < replay.file->n_events && names.length < 150; i++)
        hpm_string_add_format(&names, "%s%.40s", i > 0 ? ", " : "",
                              replay.file->events[i].name);
    if (i < replay.file->n_events)
        hpm_string_add(&names, ", ...");
    hpm_error_set(err, "%.200s has no such event; it has %s", replay.file->path,
                  names.length > 0 ? hpm_string_text(&names) : "none");
    hpm_string_free(&names);
}

static enum hpm_finding
replay_find(const char *name, enum hpm_domain domain,
            struct hpm_event *ret_event, struct hpm_error *err)
{
    const struct hpm_replayevent *found;
    struct hpm_generic generic = {.unit = "",
                                  .description = "from a file of samples"};
    char plain[256];
    char *unit, *description;

    if (replay.file == NULL) {
        hpm_error_set(err, "%s", replay.why.text);
        return HPM_FINDING_FAILED;
    }
    found = find_column(name);
    if (found == NULL) {
        explain_missing(err);
        return HPM_FINDING_FAILED;
    }
    hpm_domain_split(name, plain, sizeof plain, &domain);
    hpm_generic_find(plain, &generic);
    unit =
        hpm_memory_copy_text(found->unit != NULL ? found->unit : generic.unit);
    description = hpm_memory_copy_text(generic.description);
    if (unit == NULL || description == NULL) {
        hpm_memory_free(unit);
        hpm_memory_free(description);
        hpm_error_no_memory(err);
        return HPM_FINDING_FAILED;
    }
    ret_event->unit = unit;
    ret_event->description = description;
    ret_event->domain = domain;
    ret_event->ignores_domain = generic.ignores_domain;
    ret_event->encoding.config = (uint64_t)(found - replay.file->events);
    ret_event->source = &hpm_source_replay;
    return HPM_FINDING_FOUND;
}

static void
replay_list(void (*visit)(const char *name, void *context), void *context)
{
    for (size_t i = 0; replay.file != NULL && i < replay.file->n_events; i++)
        visit(replay.file->events[i].name, context);
}

/* ---- reading --------------------------------------------------------- */

/* A meter's position in its samples. */
struct counting {
    struct hpm_meter *meter;
    const struct hpm_replaystream *stream;
    bool is_bound; /* `stream` is set, or known to be missing */
    size_t next;
    size_t n;
    struct {
        uint16_t column;
        uint16_t event;
    } items[HPM_MAX_ALL_EVENTS];
};

static void *
replay_open(struct hpm_meter *meter)
{
    struct counting *counting;

    if (replay.file == NULL)
        return NULL;
    counting = hpm_memory_new(1, sizeof *counting);
    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_event *event = &meter->set->events[i];

        if (event->source != &hpm_source_replay)
            continue;
        if (counting == NULL) {
            hpm_meter_fail(meter, i, HPM_STATE_UNSUPPORTED, "out of memory");
            continue;
        }
        counting->items[counting->n].column = (uint16_t)event->encoding.config;
        counting->items[counting->n].event = (uint16_t)i;
        counting->n++;
        if (replay.file->events[event->encoding.config].is_shared) {
            meter->events[i].clock_slot = hpm_meter_add_slots(meter, 2);
            meter->takes_turns = true;
        }
    }
    if (counting != NULL) {
        counting->meter = meter;
        meter->time_slot = hpm_meter_add_slots(meter, 1);
    }
    return counting;
}

/* Called at the first reading, because the meter has no number before. */
static void
bind(struct counting *counting)
{
    char who[32], reason[80];

    counting->is_bound = true;
    counting->stream = hpm_replayfile_stream(replay.file, counting->meter->tid);
    if (counting->stream != NULL)
        return;
    name_reader(counting->meter->tid, who, sizeof who);
    snprintf(reason, sizeof reason, "the file has no samples for %s", who);
    for (size_t i = 0; i < counting->n; i++)
        hpm_meter_fail(counting->meter, counting->items[i].event,
                       HPM_STATE_UNSUPPORTED, reason);
}

static void
note_lack(int tid)
{
    if (tid >= -1 && tid <= HPM_REPLAY_MAX_TID)
        atomic_fetch_add(&replay.n_lacks[tid + 1], 1);
}

/* The index of the sample to use.  A program that is run is read twice: before
 * it starts (all 0), and at its end (the file's last sample). */
static size_t
take_sample(struct counting *counting)
{
    size_t n = counting->stream->n_samples;

    if (counting->meter->target == HPM_TARGET_PROGRAM)
        return n - 1;
    if (counting->next < n)
        return counting->next++;
    note_lack(counting->meter->tid);
    return n - 1;
}

static void
fail_gone(const struct counting *counting, size_t item,
          const struct hpm_replaycolumn *column)
{
    char reason[64];

    snprintf(reason, sizeof reason, "gone from line %zu of the file on",
             column->gone_line);
    hpm_meter_fail(counting->meter, counting->items[item].event, HPM_STATE_LOST,
                   reason);
}

static void
fill_slots(const struct counting *counting, size_t sample, uint64_t *slots)
{
    const struct hpm_replaystream *stream = counting->stream;
    const uint64_t *row = hpm_replaystream_row(stream, sample);

    slots[0] = row[0];
    for (size_t i = 0; i < counting->n; i++) {
        size_t event = counting->items[i].event;
        size_t column = counting->items[i].column;
        uint16_t pair = counting->meter->events[event].clock_slot;

        slots[1 + event] = row[1 + column];
        if (pair != 0) {
            const uint64_t *clocks =
                &row[1 + replay.file->n_events + 2 * column];

            slots[pair] = stream->has_pairs ? clocks[0] : 0;
            slots[pair + 1] = stream->has_pairs ? clocks[1] : 0;
        }
        if (stream->columns[column].is_gone &&
            sample >= stream->columns[column].gone_sample)
            fail_gone(counting, i, &stream->columns[column]);
    }
}

static void
replay_read(void *context, uint64_t *slots)
{
    struct counting *counting = context;
    const struct hpm_meter *meter = counting->meter;
    bool is_before =
        meter->tid == HPM_METER_UNNUMBERED ||
        (meter->target == HPM_TARGET_PROGRAM && !counting->is_bound);

    if (meter->tid != HPM_METER_UNNUMBERED && !counting->is_bound)
        bind(counting);
    if (!is_before && counting->stream == NULL)
        note_lack(meter->tid);
    if (is_before || counting->stream == NULL) {
        memset(slots, 0, meter->n_slots * sizeof *slots);
        return;
    }
    fill_slots(counting, take_sample(counting), slots);
    hpm_clock_replay_to(slots[0]);
}

const struct hpm_source hpm_source_replay = {
    .name = "replay",
    .brings_time = true,
    .find = replay_find,
    .list = replay_list,
    .offer = replay_offer,
    .open = replay_open,
    .read = replay_read,
    .close = hpm_memory_free,
};
