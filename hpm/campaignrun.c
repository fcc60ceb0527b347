/* SPDX-License-Identifier: BSD-3-Clause
 * One run of a campaign. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/env.h"
#include "host/memory.h"
#include "hpm/campaign.h"
#include "hpm/helper.h"
#include "hpm/subcommand.h"

enum {
    NOT_COUNTED = 125, /* by hpmcount */
    CANNOT_RUN = 126,
    NOT_FOUND = 127,
    BY_SIGNAL = 128
};

/* ---- signals --------------------------------------------------------- */

static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

enum { N_SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t come; /* the last of them */
static volatile pid_t child;

/* A terminal has sent its signals to the program as well. */
static void
note_signal(int number)
{
    come = number;
    if (child > 0 && (number == SIGTERM || number == SIGHUP))
        kill(child, number);
}

static void
watch_signals(struct sigaction before[N_SIGNALS])
{
    struct sigaction action = {.sa_handler = note_signal};

    come = 0;
    for (int i = 0; i < N_SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

static void
leave_signals(const struct sigaction before[N_SIGNALS])
{
    for (int i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

/* ---- the program ----------------------------------------------------- */

/* A pattern of names: what stands in `path` stands for itself. */
static void
add_pattern(struct hpm_string *pattern, const char *path, const char *name)
{
    for (; *path != '\0'; path++) {
        if (*path == '%')
            hpm_string_add_char(pattern, '%');
        hpm_string_add_char(pattern, *path);
    }
    hpm_string_add_format(pattern, "/%s", name);
}

/* The words of the command: the program itself, or hpmcount with it. */
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

/* What else would choose events has no say. */
static void
set_variables(const char *list, const char *pattern)
{
    unsetenv(hpm_env_name(HPM_VARIABLE_SET));
    unsetenv(hpm_env_name(HPM_VARIABLE_EVENT_SET));
    unsetenv(hpm_env_name(HPM_VARIABLE_METRICS));
    setenv(hpm_env_name(HPM_VARIABLE_EVENTS), list, 1);
    setenv(hpm_env_name(HPM_VARIABLE_OUTPUT_NAME), pattern, 1);
}

static void
say_cannot_run(const char *program, int error)
{
    subcommand_say("campaign", "cannot run '%.200s': %s", program,
                   strerror(error));
}

/* The wait status; -1 where it cannot be started. */
static int
start_and_wait(char *const *words, const struct campaign *campaign,
               const char *list, const char *pattern)
{
    struct sigaction before[N_SIGNALS];
    int status = -1;

    watch_signals(before);
    child = fork();
    if (child == 0) {
        leave_signals(before);
        if (campaign->has_sections)
            set_variables(list, pattern);
        execvp(words[0], words);
        say_cannot_run(words[0], errno);
        _exit(errno == ENOENT ? NOT_FOUND : CANNOT_RUN);
    }
    if (child < 0)
        say_cannot_run(words[0], errno);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    child = 0;
    leave_signals(before);
    return status;
}

/* ---- how it ended ---------------------------------------------------- */

/* hpmcount has said how to count the tasks of a launcher, but a campaign starts
 * hpmcount itself. */
static void
say_sections(void)
{
    subcommand_say("campaign",
                   "hpmcount did not count this; where the program is a "
                   "launcher such as mpirun, link what it starts with libhpm "
                   "and use --sections");
}

/* Said by hpmcount, or here, in its own words already. */
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
    } else if (come != 0) {
        code = BY_SIGNAL + come;
        hpm_error_set(&err, "interrupted by signal %d", (int)come);
    }
    if (code != 0 && !is_told(code))
        subcommand_say("campaign", "%s", err.text);
    return code;
}

/* Installed beside hpm, or built beside its folder. */
static bool
find_hpmcount(struct hpm_string *path, struct hpm_error *err)
{
    if (helper_find("../hpmcount/hpmcount", path, err))
        return true;
    hpm_string_clear(path);
    return helper_find("hpmcount", path, err);
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

    /* the name of a program may begin with a dot, which hides files */
    add_pattern(&pattern, folder, "%r_%p_%n.hpm.xml");
    if (campaign->input_at >= 0) /* each run reads all of it */
        lseek(STDIN_FILENO, campaign->input_at, SEEK_SET);
    if (!campaign->has_sections && !find_hpmcount(&hpmcount, &err)) {
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
