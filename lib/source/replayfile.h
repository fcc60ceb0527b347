/* SPDX-License-Identifier: BSD-3-Clause
 * A file of samples for a replay; hpm-replay(5) describes it.
 *
 *     events cycles task-clock/ns      the head: the events
 *     0 1000 500 900                   tid, time, a count per event
 *     -1 1500 800:100:50 -             process scope; shared; gone */
#ifndef HPM_SOURCE_REPLAYFILE_H
#define HPM_SOURCE_REPLAYFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/event.h"

enum { HPM_REPLAY_MAX_BYTES = 64 << 20, HPM_REPLAY_MAX_TID = 65535 };

struct hpm_replayevent {
    char *name;
    char *unit;     /* NULL: not given */
    bool is_shared; /* has enabled and running times in some thread */
};

/* One event in one thread. */
struct hpm_replaycolumn {
    bool is_shared;
    bool is_gone;
    size_t gone_sample; /* the first sample without a value */
    size_t gone_line;
};

/* The samples of one thread, or of the process, in the order of the file.  A
 * row is the time, a count per event and, if any event is shared, a pair
 * (enabled, running) per event; no number decreases from row to row. */
struct hpm_replaystream {
    size_t n_samples;
    size_t capacity;
    size_t row_length;
    bool has_pairs;
    size_t last_line;
    struct hpm_replaycolumn *columns;
    uint64_t *rows;
};

struct hpm_replayfile {
    char *path;
    size_t n_events;
    struct hpm_replayevent events[HPM_MAX_EVENTS];
    struct hpm_replaystream **streams; /* by tid + 1; NULL: none */
    size_t n_streams;
};

/* Read and check the whole file.  NULL when memory runs out or the file is
 * faulty; err then names file, line, word, and what was expected. */
struct hpm_replayfile *hpm_replayfile_load(const char *path,
                                           struct hpm_error *err)
    __attribute__((cold));
void hpm_replayfile_free(struct hpm_replayfile *file) __attribute__((cold));

/* The samples of a thread, or of the process (-1); NULL if there are none. */
const struct hpm_replaystream *
hpm_replayfile_stream(const struct hpm_replayfile *file, int tid)
    __attribute__((cold));

/* A row; index < n_samples. */
const uint64_t *hpm_replaystream_row(const struct hpm_replaystream *stream,
                                     size_t index) __attribute__((cold));

#endif
