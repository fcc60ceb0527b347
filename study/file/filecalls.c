/* SPDX-License-Identifier: BSD-3-Clause
 * The single calls of a record in a performance file. */
#include "study/file/filecalls.h"

#include <string.h>

#include "host/memory.h"

static void
note(struct hpm_filecalls *filecalls,
     const struct hpm_xmlguard_position *position, const char *what)
{
    hpm_notes_add(filecalls->parse->notes, "%s:%ld:%ld: %s",
                  filecalls->parse->file, position->line, position->column,
                  what);
}

/* ---- elements --------------------------------------------------------- */

static bool
take_calls(struct hpm_filecalls *filecalls, const struct hpm_format_calls *said,
           struct hpm_xmlguard *guard)
{
    if (!hpm_memory_grow(&filecalls->draws, &filecalls->draws_capacity,
                         filecalls->n_draws + 1, sizeof *filecalls->draws))
        return false;
    filecalls->draws[filecalls->n_draws++] = (struct hpm_filecalls_draw){
        .said = *said,
        .position = hpm_xmlguard_locate(guard, NULL),
        .first_counter = filecalls->n_counters,
        .first_call = filecalls->n_calls};
    return true;
}

static void
note_here(struct hpm_filecalls *filecalls, struct hpm_xmlguard *guard,
          const char *what)
{
    struct hpm_xmlguard_position position = hpm_xmlguard_locate(guard, NULL);

    note(filecalls, &position, what);
}

/* A call has one count for each counter named before the first call. */
static bool
take_counted(struct hpm_filecalls *filecalls, const char *name,
             struct hpm_xmlguard *guard)
{
    struct hpm_filecalls_draw *draw = &filecalls->draws[filecalls->n_draws - 1];

    if (draw->n_calls > 0) {
        note_here(filecalls, guard, "counted behind a call; left out");
        return true;
    }
    if (!hpm_memory_grow(&filecalls->counters, &filecalls->counters_capacity,
                         filecalls->n_counters + 1,
                         sizeof *filecalls->counters))
        return false;
    filecalls->counters[filecalls->n_counters++] =
        name != NULL ? name : hpm_parse_keep(filecalls->parse, "");
    draw->n_counters++;
    return true;
}

static bool
is_whole(const struct hpm_study_call *call, size_t n_counters)
{
    return call->number.kind != HPM_NUMBER_NONE &&
           call->begin.kind != HPM_NUMBER_NONE &&
           call->seconds.kind != HPM_NUMBER_NONE &&
           (call->counts != NULL
                ? hpm_calls_are_counts(call->counts, n_counters)
                : n_counters == 0);
}

static bool
take_call(struct hpm_filecalls *filecalls, const struct hpm_study_call *call,
          struct hpm_xmlguard *guard)
{
    struct hpm_filecalls_draw *draw = &filecalls->draws[filecalls->n_draws - 1];

    if (!is_whole(call, draw->n_counters)) {
        note_here(filecalls, guard,
                  "a call needs n, begin, seconds, and in counts a number (7, "
                  "-7, 7*) or - for each counted, one blank between two; left "
                  "out");
        return true;
    }
    if (!hpm_memory_grow(&filecalls->calls, &filecalls->calls_capacity,
                         filecalls->n_calls + 1, sizeof *filecalls->calls))
        return false;
    filecalls->calls[filecalls->n_calls++] = *call;
    draw->n_calls++;
    return true;
}

bool
hpm_filecalls_knows(enum hpm_format_name element)
{
    return element == HPM_FORMAT_CALLS || element == HPM_FORMAT_COUNTED ||
           element == HPM_FORMAT_CALL;
}

/* Elements inside a draw come after its begin, so there is a draw. */
bool
hpm_filecalls_take(struct hpm_filecalls *filecalls,
                   enum hpm_format_name element,
                   const union hpm_format_any *any, struct hpm_xmlguard *guard)
{
    if (element == HPM_FORMAT_CALLS)
        return take_calls(filecalls, &any->calls, guard);
    if (element == HPM_FORMAT_COUNTED)
        return take_counted(filecalls, any->counted.name, guard);
    return take_call(filecalls, &any->call.said, guard);
}

/* ---- records ---------------------------------------------------------- */

void
hpm_filecalls_begin_record(struct hpm_filecalls *filecalls)
{
    filecalls->n_draws = filecalls->n_counters = filecalls->n_calls = 0;
}

/* A draw cannot have more calls than were made. */
static bool
is_believable(struct hpm_filecalls *filecalls,
              const struct hpm_filecalls_draw *draw)
{
    const struct hpm_number *kept = &draw->said.n_kept;

    if (draw->said.n_made.kind != HPM_NUMBER_COUNT ||
        draw->said.n_made.amount < draw->n_calls) {
        note(filecalls, &draw->position,
             "calls without 'of', or more of them than it says; left out");
        return false;
    }
    if (kept->kind == HPM_NUMBER_COUNT && kept->amount != draw->n_calls)
        note(filecalls, &draw->position,
             "it says that there are more or fewer calls than it has; those "
             "are taken");
    return true;
}

static bool
add_draw(struct hpm_filecalls *filecalls, const struct hpm_filecalls_draw *draw,
         uint32_t row)
{
    struct hpm_study *study = filecalls->study;
    struct hpm_study_kept kept = {.row = row,
                                  .n_made = draw->said.n_made,
                                  .n_counters = draw->n_counters};

    kept.counters =
        hpm_arena_new(&study->arena, draw->n_counters, sizeof *kept.counters);
    if (kept.counters == NULL || !hpm_calls_begin(study, &kept))
        return false;
    for (size_t i = 0; i < draw->n_counters; i++)
        kept.counters[i] = filecalls->counters[draw->first_counter + i];
    for (size_t i = 0; i < draw->n_calls; i++) {
        if (!hpm_calls_add(study, &filecalls->calls[draw->first_call + i]))
            return false;
    }
    return true;
}

bool
hpm_filecalls_end_record(struct hpm_filecalls *filecalls, uint32_t row)
{
    for (size_t i = 0; i < filecalls->n_draws; i++) {
        const struct hpm_filecalls_draw *draw = &filecalls->draws[i];

        if (is_believable(filecalls, draw) && !add_draw(filecalls, draw, row))
            return false;
    }
    return true;
}

void
hpm_filecalls_free(struct hpm_filecalls *filecalls)
{
    hpm_memory_free(filecalls->draws);
    hpm_memory_free(filecalls->counters);
    hpm_memory_free(filecalls->calls);
}
