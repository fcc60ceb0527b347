/* SPDX-License-Identifier: BSD-3-Clause
 * The summary of a job.
 *
 * A study of its own keeps texts, sections and columns; what threads counted is
 * in cells outside of it, whose memory is freed as they change. */
#include "study/columns/jobsummary.h"

#include <limits.h>
#include <stdlib.h>

#include "host/memory.h"
#include "study/columns/absence.h"
#include "study/columns/family.h"
#include "study/columns/spreads.h"
#include "study/columns/summarycell.h"
#include "study/columns/summarygroup.h"
#include "study/columns/summaryorder.h"
#include "study/columns/transfer.h"
#include "study/columns/watched.h"

/* A section in a group of tasks. */
struct entry {
    uint32_t group, section;
    uint64_t n_threads;          /* or processes */
    uint64_t n_tasks, last_task; /* tasks, and the serial number of the last */
    struct hpm_number outer, skipped;
    struct hpm_watched_row watched; /* of all rows; set by the first one */
    int line_end;
    unsigned flags;
    struct hpm_summarycell *cells; /* by column as they came */
    size_t n_cells, cells_capacity;
};

struct hpm_jobsummary {
    struct hpm_study *own;
    struct hpm_summarygroup *groups;
    size_t n_groups, groups_capacity;
    struct entry *entries;
    size_t n_entries, entries_capacity;
    size_t n_cells;   /* of all entries */
    uint64_t n_added; /* tasks, each with its serial number from 1 on */
    struct hpm_index index;
};

struct hpm_jobsummary *
hpm_jobsummary_new(void)
{
    struct hpm_jobsummary *summary = hpm_memory_new(1, sizeof *summary);

    if (summary == NULL)
        return NULL;
    summary->own = hpm_study_new(0);
    if (summary->own != NULL)
        return summary;
    hpm_memory_free(summary);
    return NULL;
}

void
hpm_jobsummary_free(struct hpm_jobsummary *summary)
{
    if (summary == NULL)
        return;
    for (size_t i = 0; i < summary->n_entries; i++) {
        for (size_t j = 0; j < summary->entries[i].n_cells; j++)
            hpm_summarycell_free(&summary->entries[i].cells[j]);
        hpm_memory_free(summary->entries[i].cells);
    }
    for (size_t i = 0; i < summary->n_groups; i++)
        hpm_taskranges_free(&summary->groups[i].members);
    hpm_memory_free(summary->entries);
    hpm_memory_free(summary->groups);
    hpm_study_free(summary->own);
    hpm_memory_free(summary);
}

/* ---- entries and cells ------------------------------------------------- */

struct entry_key {
    uint32_t group, section;
};

static bool
is_entry(const void *array, uint32_t place, const void *key)
{
    const struct entry *entry = (const struct entry *)array + place;
    const struct entry_key *wanted = key;

    return entry->group == wanted->group && entry->section == wanted->section;
}

static struct entry *
find_entry(struct hpm_jobsummary *summary, uint32_t group, uint32_t section)
{
    struct entry_key key = {group, section};
    uint32_t n = (uint32_t)summary->n_entries, i;

    if (section == HPM_NO_INDEX ||
        !hpm_memory_grow(&summary->entries, &summary->entries_capacity,
                         summary->n_entries + 1, sizeof *summary->entries))
        return NULL;
    i = hpm_index_find_or_add(&summary->index, &summary->own->arena, &key,
                              sizeof key, is_entry, summary->entries, n);
    if (i == n) {
        summary->entries[n] =
            (struct entry){.group = group, .section = section};
        summary->n_entries++;
    }
    return i == HPM_NO_PLACE ? NULL : &summary->entries[i];
}

/* Rows are alike: look at the cell behind the last one first. */
static struct hpm_summarycell *
find_cell(struct hpm_jobsummary *summary, struct entry *entry, uint32_t column,
          size_t *next)
{
    for (size_t i = 0; i < entry->n_cells; i++) {
        size_t at = (*next + i) % entry->n_cells;

        if (entry->cells[at].column == column) {
            *next = at + 1;
            return &entry->cells[at];
        }
    }
    if (!hpm_memory_grow(&entry->cells, &entry->cells_capacity,
                         entry->n_cells + 1, sizeof *entry->cells))
        return NULL;
    summary->n_cells++;
    *next = entry->n_cells + 1;
    entry->cells[entry->n_cells] = (struct hpm_summarycell){.column = column};
    return &entry->cells[entry->n_cells++];
}

/* ---- adding ------------------------------------------------------------ */

/* A study that is being added. */
struct adding {
    struct hpm_jobsummary *summary;
    const struct hpm_study *study;
    uint32_t *sections, *columns, *groups; /* by index of the study: ours */
    uint32_t calls;                        /* its column Count */
    bool counts_twice; /* processes, and what they forked, count the same */
    struct hpm_error *err;
};

static const char twice[] =
    "counts of process sections may have what a forked process did twice: the "
    "process that forked it has process sections, too, which count that";

/* May the process that forked this row's have its counts, too? */
static bool
is_twice(const struct adding *adding, const struct hpm_task *task, uint32_t row,
         uint32_t column)
{
    const struct hpm_study *study = adding->study;
    const struct hpm_study_section *section =
        &study->sections[hpm_study_row(study, row)->section];
    int kind = study->columns[column].kind;

    return adding->counts_twice && hpm_family_is_child(task) &&
           section->scope == HPM_SCOPE_PROCESS && !section->is_outside &&
           column != adding->calls &&
           (kind == HPM_COLUMN_COUNTER || kind == HPM_COLUMN_UNSAID) &&
           !hpm_absence_is_work(&study->columns[column]);
}

static bool
add_datum(struct adding *adding, struct hpm_summarycell *cell, uint32_t row,
          uint32_t column, uint64_t n_threads)
{
    const struct hpm_study *study = adding->study;
    const struct hpm_task *task = hpm_study_task_of(study, row);
    struct hpm_summarycell_who who = {
        .task = hpm_number_integer(task->number),
        .thread = hpm_number_integer(hpm_study_place_of(study, row)->tid),
        .host = task->machine.host,
        .n_threads = n_threads};
    bool is_time = study->columns[column].kind == HPM_COLUMN_TIME;
    struct hpm_study_spread spread;
    const struct hpm_study_spread *said;
    struct hpm_datum datum;

    if (!hpm_study_get_datum(study, row, column, &datum))
        return true;
    if (!hpm_study_own(adding->summary->own, &datum.reason) ||
        !hpm_study_own(adding->summary->own, &who.host))
        return hpm_error_no_memory(adding->err);
    if (study->kind != HPM_STUDY_SUMMARY) {
        if (datum.numbers[HPM_FIELD_CHILDREN].kind == HPM_NUMBER_NONE &&
            is_twice(adding, task, row, column))
            datum.numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
        hpm_summarycell_add(cell, &datum, is_time, &who);
        return true;
    }
    said = hpm_spreads_find(study, row, column);
    if (said != NULL) {
        spread = *said;
        if (!hpm_study_own(adding->summary->own, &spread.low.host) ||
            !hpm_study_own(adding->summary->own, &spread.high.host))
            return hpm_error_no_memory(adding->err);
    }
    return hpm_summarycell_add_summary(cell, &datum,
                                       said != NULL ? &spread : NULL, is_time,
                                       n_threads) ||
           hpm_error_set(adding->err,
                         "a spread in the summary of task %d and others "
                         "cannot be read, or contradicts itself",
                         task->number);
}

static bool
add_watched(const struct adding *adding, struct entry *entry, uint32_t row)
{
    struct hpm_watched_row watched = hpm_watched_get(adding->study, row);

    if (entry->n_threads > 0) {
        hpm_watched_join(&entry->watched, &watched);
        return true;
    }
    entry->watched = watched;
    return hpm_study_own(adding->summary->own, &entry->watched.module);
}

/* What a row says besides its data. */
static bool
add_row_facts(const struct adding *adding, struct entry *entry, uint32_t row,
              uint64_t n_threads)
{
    const struct hpm_study *study = adding->study;
    const struct hpm_row *said = hpm_study_row(study, row);

    bool is_good = add_watched(adding, entry, row);

    entry->n_threads += n_threads;
    if (entry->last_task != adding->summary->n_added)
        entry->n_tasks += hpm_study_n_tasks(study, row);
    entry->last_task = adding->summary->n_added;
    entry->outer = hpm_number_total(entry->outer,
                                    hpm_study_outer(study, row, adding->calls));
    entry->skipped = hpm_number_total(
        entry->skipped, hpm_study_extra(study, row, HPM_EXTRA_SKIPPED));
    if (said->line_end > entry->line_end)
        entry->line_end = said->line_end;
    entry->flags |= said->flags & (HPM_ROW_OPEN | HPM_ROW_SHORT |
                                   HPM_ROW_OVERLAP | HPM_ROW_FIRST_CALLS);
    return is_good;
}

static bool
add_row(struct adding *adding, const struct hpm_task *task, uint32_t row)
{
    const struct hpm_study *study = adding->study;
    uint64_t n_threads = hpm_study_n_threads(study, row);
    uint32_t section = hpm_transfer_section(adding->summary->own, study,
                                            hpm_study_row(study, row)->section,
                                            adding->sections);
    struct entry *entry = find_entry(
        adding->summary, adding->groups[task - study->tasks], section);
    size_t next = 0;

    if (entry == NULL || !add_row_facts(adding, entry, row, n_threads))
        return hpm_error_no_memory(adding->err);
    for (size_t i = 0; i < task->n_columns; i++) {
        uint32_t column = task->columns[i];
        struct hpm_summarycell *cell;
        enum hpm_state state;

        if (!hpm_study_get_state(study, row, column, &state))
            continue;
        cell =
            find_cell(adding->summary, entry, adding->columns[column], &next);
        if (cell == NULL)
            return hpm_error_no_memory(adding->err);
        if (!add_datum(adding, cell, row, column, n_threads))
            return false;
    }
    return true;
}

static bool
map_all(struct adding *adding, struct hpm_arena *scratch)
{
    const struct hpm_study *study = adding->study;

    adding->sections = hpm_transfer_map(scratch, study->n_sections);
    adding->columns = hpm_transfer_map(scratch, study->n_columns);
    adding->groups = hpm_transfer_map(scratch, study->n_tasks);
    if (adding->sections == NULL || adding->columns == NULL ||
        adding->groups == NULL)
        return false;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (strcmp(study->columns[i].name, "Count") == 0)
            adding->calls = i;
        adding->columns[i] =
            hpm_transfer_column(adding->summary->own, study, i);
        if (adding->columns[i] == HPM_NO_INDEX)
            return false;
    }
    return true;
}

static bool
add_tasks(struct adding *adding, bool is_forced)
{
    struct hpm_jobsummary *summary = adding->summary;
    const struct hpm_study *study = adding->study;

    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];
        struct hpm_summarygroup *group = hpm_summarygroup_find(
            &summary->groups, &summary->n_groups, &summary->groups_capacity,
            summary->own, task);

        if (group == NULL)
            return hpm_error_no_memory(adding->err);
        if (!hpm_summarygroup_add(group, summary->own, study, task, is_forced,
                                  adding->err))
            return false;
        if (adding->counts_twice && hpm_family_is_child(task) &&
            !hpm_summarygroup_tell(group, summary->own, twice))
            return hpm_error_no_memory(adding->err);
        adding->groups[i] = (uint32_t)(group - summary->groups);
        summary->n_added++;
        for (size_t j = 0; j < task->n_rows; j++) {
            if (!add_row(adding, task, (uint32_t)(task->first_row + j)))
                return false;
        }
    }
    return true;
}

bool
hpm_jobsummary_add(struct hpm_jobsummary *summary,
                   const struct hpm_study *study, bool is_forced,
                   struct hpm_error *err)
{
    struct hpm_arena scratch = {0};
    struct adding adding = {.summary = summary,
                            .study = study,
                            .calls = HPM_NO_INDEX,
                            .counts_twice = hpm_family_counts_twice(study),
                            .err = err};
    bool is_good;

    if (study->kind != HPM_STUDY_RUN && study->kind != HPM_STUDY_MERGED &&
        study->kind != HPM_STUDY_SUMMARY)
        return hpm_error_set(err, "a summary is made of the tasks of one run, "
                                  "not of a mean or a difference");
    is_good = map_all(&adding, &scratch) || hpm_error_no_memory(err);
    is_good = is_good && add_tasks(&adding, is_forced);
    hpm_arena_free(&scratch);
    return is_good;
}

/* ---- questions --------------------------------------------------------- */

uint64_t
hpm_jobsummary_n_tasks(const struct hpm_jobsummary *summary)
{
    uint64_t n = 0;

    for (size_t i = 0; i < summary->n_groups; i++)
        n += summary->groups[i].n_members;
    return n;
}

int
hpm_jobsummary_first_task(const struct hpm_jobsummary *summary)
{
    int first = INT_MAX;

    for (size_t i = 0; i < summary->n_groups; i++) {
        if (summary->groups[i].task.number < first)
            first = summary->groups[i].task.number;
    }
    return first;
}

int
hpm_jobsummary_last_task(const struct hpm_jobsummary *summary)
{
    int last = 0;

    for (size_t i = 0; i < summary->n_groups; i++) {
        const struct hpm_taskranges *members = &summary->groups[i].members;

        if (members->n > 0 && members->ranges[members->n - 1].last > last)
            last = members->ranges[members->n - 1].last;
    }
    return last;
}

size_t
hpm_jobsummary_memory(const struct hpm_jobsummary *summary)
{
    return summary->own->arena.taken +
           summary->entries_capacity * sizeof *summary->entries +
           summary->n_cells *
               (sizeof *summary->entries->cells +
                HPM_BUCKETS_MOST * sizeof(struct hpm_buckets_part));
}

/* ---- the study --------------------------------------------------------- */

/* A study that is being made: entries in their order, and the row of each. */
struct making {
    const struct hpm_jobsummary *summary;
    struct hpm_study *study;
    uint32_t *sections, *columns; /* by index of ours: the study's */
    uint32_t *rows;               /* by section of ours, in this group */
    uint32_t calls;               /* column Count */
    uint32_t *order;              /* of our columns */
};

static bool
put_cell(struct making *making, const struct entry *entry,
         const struct hpm_summarycell *cell, uint32_t row, uint32_t *after)
{
    struct hpm_study *study = making->study;
    uint32_t column = making->columns[cell->column];
    struct hpm_study_spread spread;
    struct hpm_datum datum;
    bool has_spread;

    if (!hpm_summarycell_end(cell, study->columns[column].kind,
                             entry->n_threads, study, &datum, &spread,
                             &has_spread) ||
        !hpm_study_own(study, &datum.reason) ||
        !hpm_study_set_datum(study, row, column, *after, &datum))
        return false;
    *after = column;
    spread.row = row;
    spread.column = column;
    return !has_spread || hpm_spreads_add(study, &spread);
}

/* In the order of columns. */
static bool
put_cells(struct making *making, const struct entry *entry, uint32_t row)
{
    uint32_t after = HPM_NO_INDEX;
    size_t next = 0;

    for (size_t j = 0; j < making->summary->own->n_columns; j++) {
        uint32_t column = making->order[j];

        for (size_t i = 0; i < entry->n_cells; i++) {
            size_t at = (next + i) % entry->n_cells;

            if (entry->cells[at].column != column)
                continue;
            if (!put_cell(making, entry, &entry->cells[at], row, &after))
                return false;
            next = at + 1;
            break;
        }
    }
    return true;
}

/* "outer" where it is not the number of all calls; tasks and threads where
 * several. */
static bool
put_row_facts(struct making *making, const struct entry *entry, uint32_t row)
{
    struct hpm_study *study = making->study;
    struct hpm_number n_calls = {.kind = HPM_NUMBER_NONE};

    if (making->calls != HPM_NO_INDEX)
        n_calls = hpm_study_number(study, row, making->calls, HPM_FIELD_VALUE);
    return (hpm_number_compare(entry->outer, n_calls) == 0 ||
            hpm_study_set_extra(study, row, HPM_EXTRA_OUTER, entry->outer)) &&
           (entry->skipped.kind == HPM_NUMBER_NONE ||
            hpm_study_set_extra(study, row, HPM_EXTRA_SKIPPED,
                                entry->skipped)) &&
           (entry->n_tasks <= 1 ||
            hpm_study_set_extra(study, row, HPM_EXTRA_TASKS,
                                hpm_number_count(entry->n_tasks))) &&
           (entry->n_threads <= 1 ||
            hpm_study_set_extra(study, row, HPM_EXTRA_THREADS,
                                hpm_number_count(entry->n_threads))) &&
           hpm_watched_set(study, row, &entry->watched);
}

static bool
put_entry(struct making *making, const struct entry *entry, uint32_t task)
{
    struct hpm_study *study = making->study;
    const struct hpm_study_section *section =
        &making->summary->own->sections[entry->section];
    bool is_process = section->scope == HPM_SCOPE_PROCESS;
    struct hpm_row row = {
        .place = hpm_study_add_place(study, task, is_process ? -1 : -2),
        .section = hpm_transfer_section(study, making->summary->own,
                                        entry->section, making->sections),
        .parent = section->parent != HPM_NO_INDEX
                      ? making->rows[section->parent]
                      : HPM_NO_INDEX,
        .within = HPM_NO_INDEX,
        .line_end = entry->line_end,
        .flags = entry->flags};
    uint32_t at;

    if (row.place == HPM_NO_INDEX || row.section == HPM_NO_INDEX)
        return false;
    at = hpm_study_add_row(study, &row);
    making->rows[entry->section] = at;
    return at != HPM_NO_INDEX && put_cells(making, entry, at) &&
           put_row_facts(making, entry, at);
}

/* All entries of a group, in the order of their sections. */
static bool
put_group(struct making *making, uint32_t group, const uint32_t *order,
          size_t n)
{
    const struct hpm_jobsummary *summary = making->summary;
    uint32_t task =
        hpm_study_add_task(making->study, summary->groups[group].task.number);

    if (task == HPM_NO_INDEX ||
        !hpm_summarygroup_describe(&summary->groups[group], making->study,
                                   task))
        return false;
    memset(making->rows, 0xff, n * sizeof *making->rows);
    for (size_t i = 0; i < n; i++) {
        struct entry_key key = {group, order[i]};
        uint32_t at = hpm_index_find(&summary->index, &key, sizeof key,
                                     is_entry, summary->entries);

        if (at != HPM_NO_PLACE &&
            !put_entry(making, &summary->entries[at], task))
            return false;
    }
    return true;
}

static bool
make_study(struct making *making, struct hpm_arena *scratch)
{
    const struct hpm_jobsummary *summary = making->summary;
    const struct hpm_study *own = summary->own;
    uint32_t *order = hpm_summaryorder_find(own, scratch);

    making->order = hpm_summaryorder_columns(own, scratch);
    making->sections = hpm_transfer_map(scratch, own->n_sections);
    making->columns = hpm_transfer_map(scratch, own->n_columns);
    making->rows = hpm_transfer_map(scratch, own->n_sections);
    if (order == NULL || making->order == NULL || making->sections == NULL ||
        making->columns == NULL || making->rows == NULL)
        return false;
    making->study->kind = HPM_STUDY_SUMMARY;
    for (uint32_t i = 0; i < own->n_columns; i++) {
        making->columns[i] = hpm_transfer_column(making->study, own, i);
        if (strcmp(own->columns[i].name, "Count") == 0)
            making->calls = making->columns[i];
        if (making->columns[i] == HPM_NO_INDEX)
            return false;
    }
    for (uint32_t i = 0; i < summary->n_groups; i++) {
        if (!put_group(making, i, order, own->n_sections))
            return false;
    }
    return hpm_study_arrange(making->study);
}

struct hpm_study *
hpm_jobsummary_study(const struct hpm_jobsummary *summary,
                     struct hpm_error *err)
{
    struct making making = {
        .summary = summary, .study = hpm_study_new(0), .calls = HPM_NO_INDEX};
    struct hpm_arena scratch = {0};
    bool is_good = making.study != NULL && make_study(&making, &scratch);

    hpm_arena_free(&scratch);
    if (is_good)
        return making.study;
    hpm_study_free(making.study);
    hpm_error_no_memory(err);
    return NULL;
}
