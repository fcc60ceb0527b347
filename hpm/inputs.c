/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files that a subcommand is given. */
#include "hpm/inputs.h"

#include <string.h>

#include "host/memory.h"
#include "hpm/progress.h"

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

/* On standard error. */
struct voice {
    const char *command;
    struct progress progress;
};

static void
say(void *owner, const char *sentence)
{
    struct voice *voice = owner;

    progress_hide(&voice->progress);
    subcommand_say(voice->command, sentence);
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
    progress_begin(&voice->progress, inputs->command, "files read",
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

/* ---- all of them ----------------------------------------------------- */

struct studies {
    struct hpm_study **all;
    size_t n, capacity;
};

static enum hpm_inputs_verdict
keep_study(void *owner, struct hpm_study *study, struct hpm_error *err)
{
    struct studies *studies = owner;

    if (!hpm_memory_grow(&studies->all, &studies->capacity, studies->n + 1,
                         sizeof(struct hpm_study *))) {
        hpm_study_free(study);
        hpm_error_no_memory(err);
        return HPM_INPUTS_BROKEN;
    }
    studies->all[studies->n++] = study;
    return HPM_INPUTS_TAKEN;
}

enum status
inputs_read_all(struct inputs *inputs, struct hpm_study ***ret_studies)
{
    struct studies studies = {0};
    enum status status = inputs_read(inputs, keep_study, &studies);

    if (status == NOTHING) {
        for (size_t i = 0; i < studies.n; i++)
            hpm_study_free(studies.all[i]);
        hpm_memory_free(studies.all);
        studies.all = NULL;
    }
    *ret_studies = studies.all;
    return status;
}
