/* SPDX-License-Identifier: BSD-3-Clause
 * Sections as hpm(7) describes them, in the simplest way. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

static const struct model_section *
section_of(const struct model *model, int entry)
{
    return &model->records[model->open[entry].record].section;
}

static bool
is_same(const struct model_section *a, const struct model_section *b)
{
    return a->id == b->id && a->label == b->label && a->line == b->line;
}

/* ---- open sections -------------------------------------------------- */

/* The section with that id that was opened last, -1 if there is none. */
static int
find_id(const struct model *model, int id)
{
    int entry = model->n_open - 1;

    while (entry >= 0 && section_of(model, entry)->id != id)
        entry--;
    return entry;
}

static int
find_section(const struct model *model, const struct model_section *section,
             bool is_measured)
{
    int entry = model->n_open - 1;

    while (entry >= 0 && (model->open[entry].is_measured != is_measured ||
                          !is_same(section_of(model, entry), section)))
        entry--;
    return entry;
}

/* The last measured section of the first n open ones; -1 if there is none. */
static int
last_measured(const struct model *model, int n)
{
    int entry = n - 1;

    while (entry >= 0 && !model->open[entry].is_measured)
        entry--;
    return entry;
}

/* An amount belongs to each open section, and exclusively to the one started
 * last. */
void
model_pass(struct model *model, int what, uint64_t amount)
{
    int last = last_measured(model, model->n_open);

    for (int i = 0; i < model->n_open; i++) {
        struct model_entry *entry = &model->open[i];

        if (!entry->is_measured)
            continue;
        entry->used[what] += amount;
        model->records[entry->record].inclusive[what] += amount;
        if (i == last)
            model->records[entry->record].exclusive[what] += amount;
    }
}

/* ---- records --------------------------------------------------------- */

int
model_find(const struct model *model, int parent,
           const struct model_section *section)
{
    for (int i = 0; i < model->n_records; i++) {
        if (model->records[i].parent == parent &&
            is_same(&model->records[i].section, section))
            return i;
    }
    return -1;
}

static bool
is_left_out(const struct model *model, const struct model_section *section)
{
    return (model->left_out & 1u << section->label) != 0;
}

/* Report an error if its id is open as another section that is measured. */
static bool
has_open_id(const struct model *model, const struct model_section *section)
{
    for (int i = 0; i < model->n_open; i++) {
        const struct model_section *other = section_of(model, i);

        if (other->id == section->id && !is_same(other, section) &&
            !is_left_out(model, other))
            return true;
    }
    return false;
}

/* Add a record at its first start there. */
static int
add_record(struct model *model, int parent, const struct model_section *section)
{
    struct model_record *record = &model->records[model->n_records];

    if (model->n_records == MODEL_MAX_RECORDS)
        abort();
    model->n_problems +=
        !is_left_out(model, section) && has_open_id(model, section);
    memset(record, 0, sizeof *record);
    record->parent = parent;
    record->section = *section;
    record->to_skip = model->n_skipped;
    return model->n_records++;
}

/* A path has each section only once. */
static int
record_below(struct model *model, int parent,
             const struct model_section *section)
{
    int record = parent;

    while (record >= 0 && !is_same(&model->records[record].section, section))
        record = model->records[record].parent;
    if (record < 0)
        record = model_find(model, parent, section);
    return record >= 0 ? record : add_record(model, parent, section);
}

/* A section that is left out is replaced by the section around it. */
static int
choose_parent(struct model *model, int parent)
{
    int entry = last_measured(model, model->n_open);

    if (parent == MODEL_NO_PARENT)
        return -1;
    if (parent >= 0 && find_id(model, parent) < 0)
        model->n_problems++;
    else if (parent >= 0)
        entry = last_measured(model, find_id(model, parent) + 1);
    return entry >= 0 ? model->open[entry].record : -1;
}

/* ---- starts and stops ----------------------------------------------- */

static void
open_entry(struct model *model, int thread, int record, bool is_measured)
{
    model->open[model->n_open++] = (struct model_entry){
        .record = record, .is_measured = is_measured, .opener = thread};
}

/* A section that is not measured: only its stop matters. */
static void
start_unmeasured(struct model *model, int thread, int record)
{
    int entry = find_section(model, &model->records[record].section, false);

    if (entry >= 0)
        model->open[entry].more_starts++;
    else if (model->n_open == MODEL_MAX_OPEN)
        model->n_beyond++;
    else
        open_entry(model, thread, record, false);
}

static void
start_measured(struct model *model, int thread, int record, int parent)
{
    if (model->records[record].outer == 0)
        model->records[record].is_only_exclusive = parent == MODEL_EXCLUSIVE;
    model->records[record].calls++;
    model_pass(model, MODEL_OVERHEAD, model->start_cost);
    model_pass(model, MODEL_STARTS, 1);
    open_entry(model, thread, record, true);
}

/* The section is open: count one call more. */
static void
start_again(struct model *model, int entry)
{
    model->open[entry].more_starts++;
    model->records[model->open[entry].record].calls++;
    model_pass(model, MODEL_OVERHEAD, model->again_cost);
}

/* Is this call left out? */
static bool
leave_out(struct model *model, struct model_record *record)
{
    if (is_left_out(model, &record->section))
        return true;
    if (record->to_skip == 0)
        return false;
    record->to_skip--;
    record->skipped++;
    return true;
}

static void
start_new(struct model *model, int thread, int record, int parent)
{
    if (leave_out(model, &model->records[record])) {
        start_unmeasured(model, thread, record);
        model_pass(model, MODEL_OVERHEAD, model->off_cost);
    } else if (model->n_open == MODEL_MAX_OPEN) {
        model->n_problems++;
        start_unmeasured(model, thread, record);
        model_pass(model, MODEL_OVERHEAD, model->again_cost);
    } else {
        start_measured(model, thread, record, parent);
    }
}

void
model_start(struct model *model, int thread,
            const struct model_section *section, int parent)
{
    int of_id = find_id(model, section->id);
    int place, entry;

    if (model->is_process && of_id >= 0 &&
        model->open[of_id].opener != thread) {
        model->n_problems++;
        return;
    }
    place = choose_parent(model, parent);
    entry = find_section(model, section, true);
    if (entry >= 0)
        start_again(model, entry);
    else
        start_new(model, thread, record_below(model, place, section), parent);
}

/* Is the section measured, while others that were started later stay open? */
static void
mark_overlap(struct model *model, int entry)
{
    if (last_measured(model, model->n_open) == entry)
        return;
    for (int i = entry; i < model->n_open; i++) {
        if (model->open[i].is_measured)
            model->records[model->open[i].record].has_overlap = true;
    }
}

static void
close_entry(struct model *model, int entry)
{
    const struct model_entry *closing = &model->open[entry];
    struct model_record *record = &model->records[closing->record];
    __int128 own =
        (int64_t)(closing->used[MODEL_TICKS] - closing->used[MODEL_OVERHEAD]);

    if (closing->is_measured) {
        mark_overlap(model, entry);
        record->outer++;
        record->squares += (unsigned __int128)(own * own);
    }
    for (int i = entry + 1; i < model->n_open; i++)
        model->open[i - 1] = model->open[i];
    model->n_open--;
}

/* Close sections that get no stop of their own: they end with the section
 * around them. */
static void
close_inside(struct model *model, int entry)
{
    while (model->n_open > entry + 1) {
        int last = model->n_open - 1;

        if (model->open[last].is_measured) {
            model->records[model->open[last].record].is_open = true;
            model->n_problems++;
        }
        close_entry(model, last);
    }
}

static void
stop(struct model *model, int id, bool is_counted, bool is_strict)
{
    int entry = find_id(model, id);
    bool closes =
        is_strict && entry >= 0 && model->open[entry].more_starts == 0;
    bool is_free = entry >= 0 && !model->open[entry].is_measured &&
                   !(closes && last_measured(model, model->n_open) > entry);

    if (is_counted && !is_free)
        model_pass(model, MODEL_OVERHEAD, model->counted_cost);
    if (entry < 0 && model->n_beyond > 0)
        model->n_beyond--;
    else if (entry < 0)
        model->n_problems++;
    else if (model->open[entry].more_starts > 0)
        model->open[entry].more_starts--;
    else {
        if (closes)
            close_inside(model, entry);
        close_entry(model, entry);
    }
    if (!is_free)
        model_pass(model, MODEL_OVERHEAD, model->stop_cost);
}

void
model_stop(struct model *model, int id, bool is_counted)
{
    stop(model, id, is_counted, model->nesting == MODEL_STRICT);
}

void
model_stop_scope(struct model *model, int id)
{
    stop(model, id, false, model->nesting != MODEL_FREE);
}

bool
model_work(struct model *model, int id, uint64_t amount)
{
    int entry = find_id(model, id);

    if (entry >= 0 && model->open[entry].is_measured)
        model->records[model->open[entry].record].work += amount;
    return entry >= 0;
}

void
model_end(struct model *model)
{
    close_inside(model, -1);
}
