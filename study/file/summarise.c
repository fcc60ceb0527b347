/* SPDX-License-Identifier: BSD-3-Clause
 * A summary of the files that the user names, read one after the other.
 *
 * Whether a file belongs to the run is asked of a study of the tasks alone, without
 * what they have counted. */
#include "study/file/summarise.h"

#include "host/memory.h"
#include "study/columns/family.h"
#include "study/columns/jobsummary.h"
#include "study/columns/lacks.h"
#include "study/columns/merge.h"

struct summarising {
    const struct hpm_inputs_listener *listener;
    struct hpm_jobsummary *summary;
    struct hpm_study *tasks; /* of all files, without rows */
    bool is_forced;
    bool has_child; /* a process that was forked: the summary is not ended */
    size_t n_said;
    size_t n_known; /* sentences that the first reading has said */
};

/* ---- the tasks alone ----------------------------------------------------- */

/* What tells one run from another. */
static struct hpm_task
describe(const struct hpm_task *task)
{
    return (struct hpm_task){.number = task->number,
                             .file = task->file,
                             .has_run = task->has_run,
                             .program = task->program,
                             .job = task->job,
                             .start = task->start,
                             .pid = task->pid,
                             .seconds = task->seconds,
                             .forked_from = task->forked_from,
                             .is_complete = task->is_complete,
                             .members = task->members,
                             .n_members = task->n_members,
                             .machine.host = task->machine.host};
}

/* The numbers that a forced merge gives to tasks whose own ones are taken are theirs in
 * the summary, too. */
static void
take_numbers(struct hpm_study *study, const struct hpm_study *tasks)
{
    size_t first = tasks->n_tasks - study->n_tasks;

    for (size_t i = 0; i < study->n_tasks; i++)
        study->tasks[i].number = tasks->tasks[first + i].number;
}

/* Add the tasks of a study, if it is of the run. */
static bool
add_tasks(struct summarising *summarising, struct hpm_study *study,
          bool *ret_is_broken, struct hpm_error *err)
{
    struct hpm_study bare = {.kind = study->kind,
                             .sources = study->sources,
                             .n_sources = study->n_sources,
                             .left_out = study->left_out,
                             .n_left_out = study->n_left_out,
                             .n_left_out_more = study->n_left_out_more,
                             .n_tasks = study->n_tasks,
                             .task_index = study->task_index};
    bool is_good;

    *ret_is_broken = true;
    bare.tasks = hpm_memory_new(study->n_tasks + 1, sizeof *bare.tasks);
    if (bare.tasks == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < study->n_tasks; i++)
        bare.tasks[i] = describe(&study->tasks[i]);
    is_good = hpm_merge_add(summarising->tasks, &bare, summarising->is_forced,
                            ret_is_broken, err);
    hpm_memory_free(bare.tasks);
    if (is_good)
        take_numbers(study, summarising->tasks);
    return is_good;
}

/* ---- file after file ----------------------------------------------------- */

static enum hpm_inputs_verdict
take(void *owner, struct hpm_study *study, struct hpm_error *err)
{
    struct summarising *summarising = owner;
    enum hpm_inputs_verdict verdict = HPM_INPUTS_TAKEN;
    bool is_broken = true;

    if (hpm_family_has_child(study))
        summarising->has_child = true;
    else if (!add_tasks(summarising, study, &is_broken, err))
        verdict = is_broken ? HPM_INPUTS_BROKEN : HPM_INPUTS_REFUSED;
    else if (!hpm_jobsummary_add(summarising->summary, study, true, err))
        verdict = HPM_INPUTS_BROKEN;
    hpm_study_free(study);
    return verdict;
}

static void
say(void *owner, const char *sentence)
{
    struct summarising *summarising = owner;

    if (summarising->n_said++ >= summarising->n_known)
        summarising->listener->say(summarising->listener->owner, sentence);
}

static bool
step(void *owner, size_t n_done, size_t n)
{
    struct summarising *summarising = owner;

    return summarising->listener->step(summarising->listener->owner, n_done,
                                       n) &&
           !summarising->has_child;
}

/* The summary names what is left out, as any result does. */
static struct hpm_study *
end(const struct summarising *summarising, const struct hpm_inputs *inputs,
    struct hpm_error *err)
{
    struct hpm_study *study = NULL;

    if (hpm_merge_end(summarising->tasks, summarising->is_forced, err))
        study = hpm_jobsummary_study(summarising->summary, err);
    if (study == NULL)
        return NULL;
    if (!hpm_lacks_transfer(study, summarising->tasks))
        hpm_study_no_memory(study, err);
    else if (hpm_inputs_leave_out(inputs, study, err))
        return study;
    hpm_study_free(study);
    return NULL;
}

static struct hpm_study *
read_one_by_one(struct summarising *summarising, struct hpm_inputs *inputs)
{
    const struct hpm_inputs_listener listener = {summarising, say, step};
    struct hpm_study *study = NULL;
    struct hpm_error err;

    summarising->summary = hpm_jobsummary_new();
    summarising->tasks = hpm_study_new(inputs->most_bytes);
    if (summarising->summary == NULL || summarising->tasks == NULL) {
        hpm_error_no_memory(&err);
        say(summarising, err.text);
    } else if (hpm_inputs_read(inputs, &listener, take, summarising)) {
        study = end(summarising, inputs, &err);
        if (study == NULL)
            say(summarising, err.text);
    }
    hpm_jobsummary_free(summarising->summary);
    hpm_study_free(summarising->tasks);
    return study;
}

/* ---- all at once --------------------------------------------------------- */

struct hpm_study *
hpm_summarise(struct hpm_study *study, bool is_forced, struct hpm_error *err)
{
    struct hpm_jobsummary *summary = hpm_jobsummary_new();
    struct hpm_study *made = NULL;

    if (summary == NULL)
        hpm_error_no_memory(err);
    else if (hpm_jobsummary_add(summary, study, is_forced, err))
        made = hpm_jobsummary_study(summary, err);
    if (made != NULL && !hpm_lacks_transfer(made, study)) {
        hpm_study_no_memory(made, err);
        hpm_study_free(made);
        made = NULL;
    }
    hpm_jobsummary_free(summary);
    hpm_study_free(study);
    return made;
}

/* Once more from the begin; what has been said is not said again. */
static struct hpm_study *
merge_first(struct summarising *summarising, struct hpm_inputs *inputs)
{
    const struct hpm_inputs_listener listener = {summarising, say, step};
    struct hpm_study *study;
    struct hpm_error err;

    summarising->n_known = summarising->n_said;
    summarising->n_said = 0;
    summarising->has_child = false;
    inputs->n_taken = inputs->n_bad = 0;
    study = hpm_inputs_merge(inputs, &listener, summarising->is_forced);
    if (study == NULL)
        return NULL;
    study = hpm_summarise(study, summarising->is_forced, &err);
    if (study == NULL)
        say(summarising, err.text);
    return study;
}

struct hpm_study *
hpm_inputs_summarise(struct hpm_inputs *inputs,
                     const struct hpm_inputs_listener *listener, bool is_forced)
{
    struct summarising summarising = {.listener = listener,
                                      .is_forced = is_forced};
    size_t n_refusals = inputs->n_refusals;
    struct hpm_study *study;

    /* Standard input can be read once alone. */
    if (inputs->has_standard_input)
        return merge_first(&summarising, inputs);
    study = read_one_by_one(&summarising, inputs);
    if (!summarising.has_child)
        return study;
    hpm_inputs_forget_refusals(inputs, n_refusals);
    return merge_first(&summarising, inputs);
}
