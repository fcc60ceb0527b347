/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of a summary that ran on processors of one kind. */
#include "study/columns/summarygroup.h"

#include <limits.h>

#include "host/memory.h"
#include "study/columns/transfer.h"

/* Further problems are counted together: a summary has a bounded size. */
enum { MOST_PROBLEMS = 100 };

static const char more_problems[] =
    "further problems: a summary names the first 100 only";

struct hpm_summarygroup *
hpm_summarygroup_find(struct hpm_summarygroup **groups, size_t *n_groups,
                      size_t *capacity, struct hpm_study *own,
                      const struct hpm_task *task)
{
    const char *pmu = task->machine.pmu;
    struct hpm_summarygroup *group;

    for (size_t i = 0; i < *n_groups; i++) {
        group = &(*groups)[i];
        if (hpm_string_compare(group->task.machine.pmu, pmu) == 0)
            return group;
    }
    if (!hpm_study_own(own, &pmu) ||
        !hpm_memory_grow(groups, capacity, *n_groups + 1, sizeof **groups))
        return NULL;
    group = &(*groups)[(*n_groups)++];
    *group = (struct hpm_summarygroup){.task.number = INT_MAX};
    group->task.machine.pmu = pmu;
    return group;
}

/* ---- who they are ------------------------------------------------------ */

static bool
add_members(struct hpm_summarygroup *group, const struct hpm_task *task,
            bool is_forced, struct hpm_error *err)
{
    struct hpm_taskranges ranges = {0};
    bool is_good = true, is_free = true;

    if (task->members != NULL)
        is_good = hpm_taskranges_read(&ranges, task->members);
    else
        hpm_taskranges_add(&ranges, task->number, task->number);
    for (size_t i = 0; i < ranges.n && is_free && !is_forced; i++)
        is_free = !hpm_taskranges_has(&group->members, ranges.ranges[i].first,
                                      ranges.ranges[i].last);
    for (size_t i = 0; i < ranges.n && is_good && is_free; i++)
        hpm_taskranges_add(&group->members, ranges.ranges[i].first,
                           ranges.ranges[i].last);
    is_good = is_good && !ranges.failed && !group->members.failed;
    hpm_taskranges_free(&ranges);
    if (!is_good)
        return hpm_error_set(err, "the numbers of a summary's tasks cannot be "
                                  "read, or memory ran out");
    if (!is_free)
        return hpm_error_set(err, "task %d is given twice, or in two summaries",
                             task->number);
    group->n_members +=
        task->n_members.kind == HPM_NUMBER_COUNT ? task->n_members.amount : 1;
    return true;
}

/* ---- what is true of all ----------------------------------------------- */

/* Keep a text on which all agree. */
static bool
agree(struct hpm_study *own, const char **text, const char *other,
      bool is_first)
{
    if (is_first) {
        *text = other;
        return hpm_study_own(own, text);
    }
    if (hpm_string_compare(*text, other) != 0)
        *text = NULL;
    return true;
}

static void
agree_on_number(struct hpm_number *number, struct hpm_number other,
                bool is_first)
{
    if (is_first)
        *number = other;
    else if (hpm_number_compare(*number, other) != 0)
        *number = (struct hpm_number){.kind = HPM_NUMBER_NONE};
}

static bool
agree_on_machine(struct hpm_study *own, struct hpm_task_machine *machine,
                 const struct hpm_task_machine *other, bool is_first)
{
    agree_on_number(&machine->n_cpus, other->n_cpus, is_first);
    agree_on_number(&machine->mhz, other->mhz, is_first);
    if (is_first)
        machine->is_virtual = other->is_virtual;
    else if (machine->is_virtual != other->is_virtual)
        machine->is_virtual = HPM_UNSAID;
    return agree(own, &machine->host, other->host, is_first) &&
           agree(own, &machine->system, other->system, is_first) &&
           agree(own, &machine->architecture, other->architecture, is_first) &&
           agree(own, &machine->cpu, other->cpu, is_first) &&
           agree(own, &machine->mhz_source, other->mhz_source, is_first) &&
           agree(own, &machine->facts, other->facts, is_first) &&
           agree(own, &machine->counters, other->counters, is_first) &&
           agree(own, &machine->reason, other->reason, is_first);
}

/* Not complete where one task is not, with the reason of the one that has the smallest
 * number, in whatever order they come. */
static void
take_completeness(struct hpm_summarygroup *group, const struct hpm_task *task,
                  bool is_first)
{
    struct hpm_task *to = &group->task;

    if (task->is_complete == HPM_NO &&
        (to->is_complete != HPM_NO || task->number < group->broken)) {
        to->reason = task->reason;
        group->broken = task->number;
    }
    if (is_first || task->is_complete == HPM_NO ||
        (task->is_complete == HPM_UNSAID && to->is_complete == HPM_YES))
        to->is_complete = task->is_complete;
}

/* Texts of the first task, the earliest begin, the longest time, the most skipped
 * calls. */
static bool
take_run(struct hpm_study *own, struct hpm_summarygroup *group,
         const struct hpm_task *task, bool is_before, bool is_first)
{
    struct hpm_task *to = &group->task;
    bool is_early = task->start != NULL &&
                    (to->start == NULL || strcmp(task->start, to->start) < 0);

    if (is_before) {
        to->program = task->program;
        to->job = task->job;
        to->tool = task->tool;
    }
    if (is_early)
        to->start = task->start;
    if (hpm_number_compare(task->seconds, to->seconds) > 0)
        to->seconds = task->seconds;
    if (hpm_number_compare(task->n_skipped, to->n_skipped) > 0)
        to->n_skipped = task->n_skipped;
    take_completeness(group, task, is_first);
    to->has_run |= task->has_run;
    return hpm_study_own(own, &to->program) && hpm_study_own(own, &to->job) &&
           hpm_study_own(own, &to->tool) && hpm_study_own(own, &to->start) &&
           hpm_study_own(own, &to->reason) &&
           agree(own, &to->only, task->only, is_first) &&
           agree(own, &to->except, task->except, is_first);
}

/* ---- lists ------------------------------------------------------------- */

static bool
own_counter(struct hpm_study *own, struct hpm_task_counter *counter)
{
    return hpm_study_own(own, &counter->name) &&
           hpm_study_own(own, &counter->source) &&
           hpm_study_own(own, &counter->domain) &&
           hpm_study_own(own, &counter->unit) &&
           hpm_study_own(own, &counter->reason) &&
           hpm_study_own(own, &counter->description);
}

/* Each counter that some task has, with its worst state. */
static bool
add_counter(struct hpm_study *own, struct hpm_task *to,
            const struct hpm_task_counter *other)
{
    struct hpm_task_counter *counter = NULL;

    for (size_t i = 0; i < to->n_counters && counter == NULL; i++) {
        if (strcmp(to->counters[i].name, other->name) == 0)
            counter = &to->counters[i];
    }
    if (counter == NULL) {
        if (!hpm_arena_grow(&own->arena, &to->counters, &to->counters_capacity,
                            to->n_counters + 1, sizeof *to->counters))
            return false;
        counter = &to->counters[to->n_counters++];
        *counter = *other;
        counter->runs = NULL;
        return own_counter(own, counter);
    }
    if (other->said_state > counter->said_state) {
        counter->said_state = other->said_state;
        counter->reason = other->reason;
    }
    return hpm_study_own(own, &counter->reason);
}

static bool
add_problem(struct hpm_study *own, struct hpm_task *to, const char *text,
            struct hpm_number count)
{
    struct hpm_task_problem *problem;

    for (size_t i = 0; i < to->n_problems; i++) {
        problem = &to->problems[i];
        if (strcmp(problem->text, text) != 0)
            continue;
        problem->count = hpm_number_total(problem->count, count);
        return true;
    }
    if (to->n_problems >= MOST_PROBLEMS && strcmp(text, more_problems) != 0)
        return add_problem(own, to, more_problems, count);
    if (!hpm_arena_grow(&own->arena, &to->problems, &to->problems_capacity,
                        to->n_problems + 1, sizeof *to->problems))
        return false;
    problem = &to->problems[to->n_problems++];
    *problem = (struct hpm_task_problem){.text = text, .count = count};
    return hpm_study_own(own, &problem->text);
}

/* Samples and single calls have no place in a summary. */
static bool
add_lists(struct hpm_study *own, struct hpm_task *to,
          const struct hpm_study *study, const struct hpm_task *task)
{
    bool is_good = true;

    to->has_counters |= task->has_counters;
    for (size_t i = 0; i < task->n_counters && is_good; i++)
        is_good = add_counter(own, to, &task->counters[i]);
    for (size_t i = 0; i < task->n_problems && is_good; i++)
        is_good = add_problem(own, to, task->problems[i].text,
                              task->problems[i].count);
    if (is_good && (task->n_sampled > 0 || study->n_kept > 0))
        is_good = add_problem(own, to,
                              "samples and single calls of the task are left "
                              "out: a summary has none",
                              hpm_number_count(1));
    return is_good;
}

bool
hpm_summarygroup_tell(struct hpm_summarygroup *group, struct hpm_study *own,
                      const char *text)
{
    return add_problem(own, &group->task, text, hpm_number_count(1));
}

/* ---- adding and describing --------------------------------------------- */

bool
hpm_summarygroup_add(struct hpm_summarygroup *group, struct hpm_study *own,
                     const struct hpm_study *study, const struct hpm_task *task,
                     bool is_forced, struct hpm_error *err)
{
    struct hpm_task *to = &group->task;
    bool is_first = group->n_members == 0;
    bool is_before = task->number < to->number;

    if (!add_members(group, task, is_forced, err))
        return false;
    if (!take_run(own, group, task, is_before, is_first) ||
        !agree_on_machine(own, &to->machine, &task->machine, is_first) ||
        !add_lists(own, to, study, task))
        return hpm_error_no_memory(err);
    to->has_machine |= task->has_machine;
    if (is_before)
        to->number = task->number;
    return true;
}

bool
hpm_summarygroup_describe(const struct hpm_summarygroup *group,
                          struct hpm_study *study, uint32_t task)
{
    struct hpm_string words = {0};
    struct hpm_task described = group->task;

    hpm_taskranges_write(&group->members, &words);
    described.members = hpm_study_keep(study, &words);
    described.n_members = hpm_number_count(group->n_members);
    return described.members != NULL &&
           hpm_transfer_description(study, task, &described);
}
