/* SPDX-License-Identifier: BSD-3-Clause
 * The description of a campaign, in lines: all that its results depend on, and
 * that is the same for the same command on the same machine. */
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/env.h"
#include "hpm/campaign/campaign.h"
#include "source/machine/cpuinfo.h"

/* ---- the program ----------------------------------------------------- */

/* Find the file that execvp would run; false where there is none. */
static bool
find_program(const char *name, struct stat *ret_status)
{
    const char *folders = getenv("PATH");
    bool is_found = false;

    if (strchr(name, '/') != NULL)
        return stat(name, ret_status) == 0;
    while (folders != NULL && *folders != '\0' && !is_found) {
        size_t length = strcspn(folders, ":");
        struct hpm_string path = {0};

        hpm_string_add_bytes(&path, folders, length);
        hpm_string_add_format(&path, "%s%s", length > 0 ? "/" : "", name);
        is_found = !path.failed && access(path.text, X_OK) == 0 &&
                   stat(path.text, ret_status) == 0 &&
                   S_ISREG(ret_status->st_mode);
        hpm_string_free(&path);
        folders += length + (folders[length] == ':');
    }
    return is_found;
}

/* A program that was changed and built again is a different program. */
static void
add_build(const char *program, struct hpm_string *text)
{
    struct stat status;

    if (find_program(program, &status))
        hpm_string_add_format(text, "built %lld bytes, changed at %lld.%09ld\n",
                              (long long)status.st_size,
                              (long long)status.st_mtim.tv_sec,
                              status.st_mtim.tv_nsec);
    else
        hpm_string_add(text, "built nowhere\n");
}

/* Arguments may contain line ends: escape these. */
static void
add_quoted(struct hpm_string *text, const char *name, const char *value)
{
    hpm_string_add_format(text, "%s ", name);
    for (; *value != '\0'; value++) {
        if (*value == '\n' || *value == '\\')
            hpm_string_add_char(text, '\\');
        hpm_string_add_char(text, *value == '\n' ? 'n' : *value);
    }
    hpm_string_add_char(text, '\n');
}

static void
add_program(const struct campaign *campaign, struct hpm_string *text)
{
    char folder[PATH_MAX];

    if (getcwd(folder, sizeof folder) != NULL)
        add_quoted(text, "folder", folder);
    for (char *const *word = campaign->program; *word != NULL; word++)
        add_quoted(text, word == campaign->program ? "program" : "argument",
                   *word);
    add_build(campaign->program[0], text);
}

/* ---- the machine ----------------------------------------------------- */

static int
count_processors(void)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 0;
    return CPU_COUNT(&allowed);
}

static void
add_machine(struct hpm_string *text)
{
    struct utsname system;
    const char *cpu = hpm_cpuinfo_get()->name;

    if (uname(&system) == 0)
        hpm_string_add_format(text, "host %s\nsystem %s %s %s\n",
                              system.nodename, system.sysname, system.release,
                              system.machine);
    hpm_string_add_format(text, "processor %s\nprocessors allowed %d\n",
                          cpu[0] != '\0' ? cpu : "not known",
                          count_processors());
}

/* ---- the environment ------------------------------------------------- */

/* Variables that the campaign sets itself, or that only change how and where
 * results are reported. */
static bool
is_without_effect(enum hpm_variable variable)
{
    static const enum hpm_variable all[] = {
        HPM_VARIABLE_EVENTS,      HPM_VARIABLE_SET,
        HPM_VARIABLE_EVENT_SET,   HPM_VARIABLE_METRICS,
        HPM_VARIABLE_OUTPUT_NAME, HPM_VARIABLE_REPORT,
        HPM_VARIABLE_FSYNC,       HPM_VARIABLE_TIMEOUT,
        HPM_VARIABLE_JOB,         HPM_VARIABLE_CHECKPOINT};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] == variable)
            return true;
    }
    return false;
}

static void
add_variables(struct hpm_string *text)
{
    for (int i = 0; i < HPM_N_VARIABLES; i++) {
        enum hpm_variable variable = (enum hpm_variable)i;
        const char *value = hpm_env_get(variable);

        if (is_without_effect(variable))
            continue;
        hpm_string_add_format(text, "variable %s", hpm_env_name(variable));
        if (value != NULL)
            add_quoted(text, " =", value);
        else
            hpm_string_add(text, " is not set\n");
    }
}

/* ---- public functions ------------------------------------------------ */

void
campaign_describe(const struct campaign *campaign, struct hpm_string *text)
{
    hpm_string_add(text, "hpm campaign 2\n");
    add_program(campaign, text);
    add_machine(text);
    add_variables(text);
    hpm_string_add_format(text, "sections %s\nruns of each set %llu%s\n",
                          campaign->has_sections ? "yes" : "no",
                          (unsigned long long)campaign->n_repeats,
                          campaign->is_interleaved ? ", interleaved" : "");
    for (size_t i = 0; i < campaign->n_sets; i++)
        hpm_string_add_format(text, "set %s\n",
                              hpm_string_text(&campaign->lists[i]));
}

static bool
refuse(const struct campaign *campaign, const char *there, size_t n_there,
       const char *here, size_t n_here, struct hpm_error *err)
{
    static const char remedy[] =
        "give that command again as it was, or name another folder with "
        "--folder";

    if (strncmp(there, "built ", 6) == 0 && strncmp(here, "built ", 6) == 0)
        return hpm_error_set(err,
                             "the program has changed since the runs in "
                             "'%.200s' were made, and runs of two programs are "
                             "not put together; name another folder with "
                             "--folder",
                             campaign->folder);
    return hpm_error_set(err,
                         "the folder '%.100s' is of another campaign: there "
                         "\"%.*s\", here \"%.*s\"; %s",
                         campaign->folder,
                         n_there > 0 ? (int)n_there : (int)strlen("nothing"),
                         n_there > 0 ? there : "nothing",
                         n_here > 0 ? (int)n_here : (int)strlen("nothing"),
                         n_here > 0 ? here : "nothing", remedy);
}

/* The message is about the first line that differs. */
bool
campaign_compare(const struct campaign *campaign, const char *there,
                 const char *here, struct hpm_error *err)
{
    while (*there != '\0' || *here != '\0') {
        size_t n_there = strcspn(there, "\n"), n_here = strcspn(here, "\n");

        if (n_there != n_here || memcmp(there, here, n_here) != 0)
            return refuse(campaign, there, n_there < 100 ? n_there : 100, here,
                          n_here < 100 ? n_here : 100, err);
        there += n_there + (there[n_there] == '\n');
        here += n_here + (here[n_here] == '\n');
    }
    return true;
}
