/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files given to a subcommand. */
#include "hpm/frame/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "hpm/frame/progress.h"
#include "study/columns/agree.h"
#include "study/file/summarise.h"
#include "study/words/words.h"

bool
inputs_find(struct inputs *inputs, char *const *words, size_t n,
            struct hpm_error *err)
{
    if (n == 0)
        return hpm_error_set(err,
                             "expected performance files; 'hpm help %s' says "
                             "more",
                             inputs->command);
    return hpm_inputs_find(&inputs->all, words, n, err);
}

bool
inputs_allow_output(const struct inputs *inputs, const char *output,
                    struct hpm_error *err)
{
    return output == NULL || strcmp(output, "-") == 0 ||
           !hpm_inputs_has(&inputs->all, output) ||
           hpm_error_set(err,
                         "'%.300s' is one of the files to read; choose another "
                         "name for -o",
                         output);
}

void
inputs_clear(struct inputs *inputs)
{
    hpm_inputs_clear(&inputs->all);
}

/* ---- reading --------------------------------------------------------- */

/* Messages and progress on standard error. */
struct voice {
    const char *command;
    struct progress progress;
};

static void
say(void *owner, const char *sentence)
{
    struct voice *voice = owner;

    progress_hide(&voice->progress);
    subcommand_say(voice->command, "%s", sentence);
}

static bool
step(void *owner, size_t n_done, size_t n)
{
    struct voice *voice = owner;

    (void)n_done;
    (void)n;
    progress_step(&voice->progress);
    return true;
}

static void
begin(struct inputs *inputs, struct voice *voice,
      struct hpm_inputs_listener *listener)
{
    voice->command = inputs->command;
    *listener = (struct hpm_inputs_listener){voice, say, step};
    progress_begin(&voice->progress, inputs->command, N_("files read"),
                   inputs->all.n_files + inputs->all.has_standard_input);
}

static enum status
end(struct inputs *inputs, struct voice *voice, bool is_good)
{
    progress_hide(&voice->progress);
    if (!is_good)
        return NOTHING;
    return inputs->all.n_bad > 0 ? SOME_BAD : GOOD;
}

enum status
inputs_read(struct inputs *inputs, hpm_inputs_take *take, void *owner)
{
    struct hpm_inputs_listener listener;
    struct voice voice;

    begin(inputs, &voice, &listener);
    return end(inputs, &voice,
               hpm_inputs_read(&inputs->all, &listener, take, owner));
}

enum status
inputs_merge(struct inputs *inputs, bool is_forced,
             struct hpm_study **ret_study)
{
    struct hpm_inputs_listener listener;
    struct voice voice;

    begin(inputs, &voice, &listener);
    *ret_study = hpm_inputs_merge(&inputs->all, &listener, is_forced);
    return end(inputs, &voice, *ret_study != NULL);
}

enum status
inputs_summarise(struct inputs *inputs, bool is_forced,
                 struct hpm_study **ret_study)
{
    struct hpm_inputs_listener listener;
    struct voice voice;

    begin(inputs, &voice, &listener);
    *ret_study = hpm_inputs_summarise(&inputs->all, &listener, is_forced);
    return end(inputs, &voice, *ret_study != NULL);
}

/* ---- runs ------------------------------------------------------------ */

/* A failed run has done other work than the others: hpmcount -r leaves it out,
 * too. */
static bool
has_ended_well(const struct hpm_study *study, struct hpm_error *why)
{
    struct hpm_string name = {0};
    const char *exit = NULL;

    for (size_t i = 0; i < study->n_tasks && exit == NULL; i++) {
        exit = study->tasks[i].exit;
        if (exit != NULL && strcmp(exit, "0") == 0)
            exit = NULL;
    }
    if (exit == NULL)
        return true;
    hpm_agree_add_name(study, &name);
    hpm_error_set(why,
                  "%.250s is of a run that failed (%s%.40s); it is left out "
                  "(--force takes it)",
                  hpm_string_text(&name),
                  strncmp(exit, "signal", 6) == 0 ? "" : "exit status ", exit);
    hpm_string_free(&name);
    return false;
}

/* A study, and what identifies its run. */
struct run {
    size_t i;
    const struct hpm_study *study;
    const char *host, *start;
    double pid;
};

static bool
find_run(struct run *ret_run, const struct hpm_study *study, size_t i)
{
    const struct hpm_task *task = study->n_tasks > 0 ? study->tasks : NULL;

    if (task == NULL || task->start == NULL || task->machine.host == NULL ||
        task->pid.kind == HPM_NUMBER_NONE ||
        (study->kind != HPM_STUDY_RUN && study->kind != HPM_STUDY_MERGED))
        return false;
    *ret_run = (struct run){i, study, task->machine.host, task->start,
                            hpm_number_to_real(task->pid)};
    return true;
}

/* A process has one number on its machine, and one start. hpmcount's file has
 * the process's exit status, libhpm's file does not: they are different files
 * of a run. */
static int
compare_which(const struct run *a, const struct run *b)
{
    bool a_is_of_hpmcount = a->study->tasks[0].exit != NULL;
    bool b_is_of_hpmcount = b->study->tasks[0].exit != NULL;
    int order = (a->pid > b->pid) - (a->pid < b->pid);

    if (order == 0)
        order = strcmp(a->start, b->start);
    if (order == 0)
        order = strcmp(a->host, b->host);
    return order != 0 ? order : a_is_of_hpmcount - b_is_of_hpmcount;
}

static bool
is_complete(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (study->tasks[i].is_complete == HPM_NO)
            return false;
    }
    return true;
}

/* The best file of a run comes first: a complete one, with the most records. */
static int
compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    int order = compare_which(x, y);

    if (order == 0)
        order = is_complete(y->study) - is_complete(x->study);
    if (order == 0)
        order = (x->study->n_rows < y->study->n_rows) -
                (x->study->n_rows > y->study->n_rows);
    return order != 0 ? order : (x->i > y->i) - (x->i < y->i);
}

static void
say_repeated(const char *command, const struct run *run,
             const struct run *better)
{
    struct hpm_string name = {0}, better_name = {0};

    hpm_agree_add_name(run->study, &name);
    hpm_agree_add_name(better->study, &better_name);
    subcommand_say(
        command,
        "'%.200s' is of the same run as '%.200s' (process %.0f, %s), "
        "which is taken for both; --force takes each as a run",
        hpm_string_text(&name), hpm_string_text(&better_name), run->pid,
        run->start);
    hpm_string_free(&name);
    hpm_string_free(&better_name);
}

/* A copy of a run's file, or a file recovered from it, is not another run: it
 * would pull the mean towards this run and make the deviation too small. */
static bool
drop_repeated(struct inputs *inputs, struct hpm_study **studies)
{
    size_t n = inputs->all.n_taken, n_runs = 0, n_left = 0;
    struct run *runs = hpm_memory_new(n + 1, sizeof *runs);
    const struct run *best = runs;

    if (runs == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        n_runs += find_run(&runs[n_runs], studies[i], i);
    qsort(runs, n_runs, sizeof *runs, compare_runs);
    for (size_t i = 1; i < n_runs; i++) {
        if (compare_which(best, &runs[i]) != 0) {
            best = &runs[i];
            continue;
        }
        say_repeated(inputs->command, &runs[i], best);
        hpm_study_free(studies[runs[i].i]);
        studies[runs[i].i] = NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (studies[i] != NULL)
            studies[n_left++] = studies[i];
    }
    inputs->all.n_taken = n_left;
    hpm_memory_free(runs);
    return true;
}

/* ---- reading all files ----------------------------------------------- */

struct studies {
    struct hpm_study **all;
    size_t n, capacity;
    bool is_forced;
};

static enum hpm_inputs_verdict
keep_study(void *owner, struct hpm_study *study, struct hpm_error *err)
{
    struct studies *studies = owner;

    if (!studies->is_forced && !has_ended_well(study, err)) {
        hpm_study_free(study);
        return HPM_INPUTS_REFUSED;
    }
    if (!hpm_memory_grow(&studies->all, &studies->capacity, studies->n + 1,
                         sizeof(struct hpm_study *))) {
        hpm_study_free(study);
        hpm_error_no_memory(err);
        return HPM_INPUTS_BROKEN;
    }
    studies->all[studies->n++] = study;
    return HPM_INPUTS_TAKEN;
}

static void
free_studies(struct studies *studies)
{
    for (size_t i = 0; i < studies->n; i++)
        hpm_study_free(studies->all[i]);
    hpm_memory_free(studies->all);
    studies->all = NULL;
}

enum status
inputs_read_runs(struct inputs *inputs, bool is_forced,
                 struct hpm_study ***ret_studies)
{
    struct studies studies = {.is_forced = is_forced};
    enum status status = inputs_read(inputs, keep_study, &studies);

    if (status != NOTHING && !is_forced &&
        !drop_repeated(inputs, studies.all)) {
        subcommand_say(inputs->command, "out of memory");
        status = NOTHING;
    }
    if (status == NOTHING)
        free_studies(&studies);
    *ret_studies = studies.all;
    return status;
}
