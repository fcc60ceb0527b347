/* SPDX-License-Identifier: BSD-3-Clause
 * One run of a campaign. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "host/memory.h"
#include "hpm/campaign/campaign.h"
#include "hpm/frame/childrun.h"
#include "hpm/frame/helper.h"
#include "hpm/frame/subcommand.h"

enum {
    NOT_COUNTED = 125, /* exit status of hpmcount */
    CANNOT_RUN = 126,
    NOT_FOUND = 127,
    BY_SIGNAL = 128
};

/* ---- the program ----------------------------------------------------- */

/* The words of the command: the program itself, or hpmcount with the
 * program. */
static char **
make_words(const struct campaign *campaign, const char *list,
           const char *hpmcount, const char *pattern)
{
    const char *const front[] = {hpmcount, "-n",    "-e", list,
                                 "-o",     pattern, "--"};
    size_t n_front =
        campaign->has_sections ? 0 : sizeof front / sizeof front[0];
    size_t n = 0;
    char **words;

    while (campaign->program[n] != NULL)
        n++;
    words = hpm_memory_new(n_front + n + 1, sizeof *words);
    if (words == NULL)
        return NULL;
    for (size_t i = 0; i < n_front; i++)
        words[i] = (char *)front[i];
    for (size_t i = 0; i < n; i++)
        words[n_front + i] = campaign->program[i];
    return words;
}

/* Set the events, and unset other variables that choose events. */
static void
set_variables(const char *list, const char *pattern)
{
    unsetenv(hpm_env_name(HPM_VARIABLE_SET));
    unsetenv(hpm_env_name(HPM_VARIABLE_EVENT_SET));
    unsetenv(hpm_env_name(HPM_VARIABLE_METRICS));
    setenv(hpm_env_name(HPM_VARIABLE_EVENTS), list, 1);
    setenv(hpm_env_name(HPM_VARIABLE_OUTPUT_NAME), pattern, 1);
}

/* What one run counts, and where it writes. */
struct surroundings {
    const char *list, *pattern;
};

static void
prepare(void *owner)
{
    const struct surroundings *surroundings = owner;

    set_variables(surroundings->list, surroundings->pattern);
}

/* The wait status; -1 where the program cannot be started. */
static int
start_and_wait(char *const *words, const struct campaign *campaign,
               const char *list, const char *pattern)
{
    struct surroundings surroundings = {list, pattern};
    int status;

    childrun_watch();
    status =
        childrun_wait("campaign", words,
                      campaign->has_sections ? prepare : NULL, &surroundings);
    childrun_leave();
    return status;
}

/* ---- the end of a run ------------------------------------------------ */

/* hpmcount's advice on launchers does not help here: a campaign starts hpmcount
 * itself. */
static void
say_sections(void)
{
    subcommand_say("campaign",
                   "hpmcount did not count this; where the program is a "
                   "launcher such as mpirun, link what it starts with libhpm "
                   "and use --sections");
}

/* Has hpmcount, or this program, already reported this exit status? */
static bool
is_told(int code)
{
    return code >= NOT_COUNTED && code <= NOT_FOUND;
}

static int
judge(int status)
{
    struct hpm_error err;
    int code = 0;

    if (status == -1)
        return CANNOT_RUN;
    if (WIFSIGNALED(status)) {
        code = BY_SIGNAL + WTERMSIG(status);
        hpm_error_set(&err, "the program was ended by signal %d",
                      WTERMSIG(status));
    } else if (WEXITSTATUS(status) != 0) {
        code = WEXITSTATUS(status);
        hpm_error_set(&err, "the program ended with exit status %d", code);
    } else if (childrun_signal() != 0) {
        code = BY_SIGNAL + childrun_signal();
        hpm_error_set(&err, "interrupted by signal %d", childrun_signal());
    }
    if (code != 0 && !is_told(code))
        subcommand_say("campaign", "%s", err.text);
    return code;
}

int
campaign_make_run(const struct campaign *campaign, struct campaign_run run,
                  const char *folder)
{
    const char *list = hpm_string_text(&campaign->lists[run.set]);
    struct hpm_string pattern = {0}, hpmcount = {0};
    struct hpm_error err;
    char **words = NULL;
    int code = CANNOT_RUN;

    /* a program's name may begin with a dot, which would hide the files */
    childrun_add_pattern(&pattern, folder);
    hpm_string_add(&pattern, "/%r_%p_%n.hpm.xml");
    if (campaign->input_at >= 0) /* each run reads the whole file */
        lseek(STDIN_FILENO, campaign->input_at, SEEK_SET);
    if (!campaign->has_sections && !helper_find_hpmcount(&hpmcount, &err)) {
        subcommand_say("campaign", "%s", err.text);
    } else {
        words = make_words(campaign, list, hpm_string_text(&hpmcount),
                           hpm_string_text(&pattern));
        if (words == NULL || pattern.failed)
            subcommand_say("campaign", "there is no memory");
        else
            code = judge(start_and_wait(words, campaign, list, pattern.text));
        if (code == NOT_COUNTED && !campaign->has_sections)
            say_sections();
    }
    hpm_memory_free(words);
    hpm_string_free(&pattern);
    hpm_string_free(&hpmcount);
    return code;
}
