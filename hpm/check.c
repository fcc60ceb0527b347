/* SPDX-License-Identifier: BSD-3-Clause
 * hpm check: are files of definitions right? */
#include "study/tool/check.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "hpm/frame/subcommand.h"
#include "source/eventset.h"
#include "source/generic.h"
#include "source/pfm.h"
#include "source/sources.h"
#include "source/usage.h"
#include "study/tool/coverage.h"
#include "study/tool/option.h"
#include "study/words/sentence.h"

static bool
is_resource(const char *name)
{
    for (size_t i = 0; i < HPM_USAGE_FIELDS; i++) {
        if (strcmp(hpm_usage_fields[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Events that the user may not count here are events, too. */
static bool
is_event(const char *event, void *context)
{
    struct hpm_generic generic;

    (void)context;
    return hpm_generic_find(event, &generic) || is_resource(event) ||
           hpm_eventset_can_count(event, HPM_DOMAIN_USER,
                                  hpm_sources_choose(NULL, NULL));
}

static enum hpm_acquaintance
ask_pfm(const char *pmu, const char *event, void *context,
        struct hpm_error *ret_why)
{
    struct hpm_generic generic;

    (void)context;
    if (strncmp(event, "perf::", 6) == 0)
        return hpm_generic_find(event, &generic) ? HPM_ACQUAINTANCE_KNOWN
                                                 : HPM_ACQUAINTANCE_NOT;
    if (!hpm_pfm_is_ready())
        return HPM_ACQUAINTANCE_MISSING;
    if (hpm_pfm_is_refused(pmu, event, ret_why))
        return HPM_ACQUAINTANCE_WRONG;
    switch (hpm_pfm_find_anywhere(pmu, event)) {
    case HPM_FINDING_FOUND:
        return HPM_ACQUAINTANCE_KNOWN;
    case HPM_FINDING_FAILED:
        return HPM_ACQUAINTANCE_NOT;
    default:
        return HPM_ACQUAINTANCE_NONE;
    }
}

/* What is reported about each file. */
enum task { TASK_FAULTS, TASK_MODEL, TASK_EVENTS };

static void
add_good(struct hpm_string *text, const char *path, size_t n_statements)
{
    hpm_string_add_safe(text, path);
    hpm_string_add_format(text, ": %zu statement%s, no fault\n", n_statements,
                          n_statements == 1 ? "" : "s");
}

/* Append the faults of a file, or that it has none. */
static bool
check(struct hpm_string *text, const char *path, enum task task)
{
    size_t n_faults = 1, n_model_faults = 0, n_statements = 0;
    struct hpm_error err;
    bool is_good;

    if (task == TASK_EVENTS) {
        is_good = hpm_coverage_add_events(path, ask_pfm, NULL, text, &err);
        if (!is_good)
            subcommand_say("check", "%s", err.text);
        return is_good;
    }
    is_good = hpm_check_file(path, is_event, NULL, hpm_pfm_list_pmus, text,
                             &n_faults, &n_statements, &err);
    if (is_good && n_faults == 0)
        add_good(text, path, n_statements);
    if (is_good && task == TASK_MODEL)
        is_good =
            hpm_coverage_add(path, ask_pfm, NULL, text, &n_model_faults, &err);
    if (!is_good)
        subcommand_say("check", "%s", err.text);
    return is_good && n_faults == 0 && n_model_faults == 0;
}

static bool
is_readable(const char *path)
{
    if (access(path, R_OK) == 0)
        return true;
    subcommand_say("check", "%.300s: cannot be read: %s", path,
                   strerror(errno));
    return false;
}

/* Append the faults of all files. */
static enum status
check_all(struct hpm_string *text, char **paths, int n, enum task task)
{
    int n_read = 0, n_good = 0;

    for (int i = 0; i < n; i++) {
        if (!is_readable(paths[i]))
            continue;
        n_read++;
        n_good += check(text, paths[i], task);
    }
    if (n_read == 0)
        return NOTHING;
    return n_good == n ? GOOD : SOME_BAD;
}

/* False when the options are wrong. */
static bool
read_options(int argc, char **argv, unsigned *ret_task)
{
    static const struct hpm_option table[] = {
        {0, "model", .kind = HPM_OPTION_IS_CHOICE, .value = TASK_MODEL},
        {0, "events", .kind = HPM_OPTION_IS_CHOICE, .value = TASK_EVENTS},
    };

    return hpm_options_read("hpm check", table, sizeof table / sizeof table[0],
                            true, argc, argv, ret_task, NULL) &&
           optind < argc;
}

static enum status
run(int argc, char **argv)
{
    struct hpm_string text = {0}, shown = {0};
    enum status status;
    unsigned task = TASK_FAULTS;
    int first;

    if (!read_options(argc, argv, &task)) {
        subcommand_say("check", "expected [--model|--events] and files of "
                                "definitions; 'hpm help check' says more");
        return USAGE;
    }
    first = optind;
    /* set before libpfm4 starts: then it knows events of all processors */
    if (task != TASK_FAULTS)
        setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
    status = check_all(&text, argv + first, argc - first, task);
    if (task == TASK_EVENTS)
        return subcommand_print("check", &text, status);
    hpm_sentence_add_lines(&shown, hpm_string_text(&text), "");
    hpm_string_finish(&text, &shown.failed);
    return subcommand_print("check", &shown, status);
}

const struct subcommand subcommand_check = {
    .name = "check",
    .summary = N_("whether files of definitions are right"),
    .help = "Usage: hpm check [--model|--events] FILE...\n"
            "\n"
            "Read each file of definitions over the shipped ones, choose it "
            "for any machine\n"
            "and for each PMU it names, and print what is wrong, a line each, "
            "with file, line,\n"
            "column, word, and what was expected or meant.\n"
            "\n"
            "  --model   of each PMU, too: events libpfm4 does not know or "
            "encodes wrongly,\n"
            "            generic metrics that cannot be measured and what they "
            "lack, parts of\n"
            "            hierarchies nobody counts, constants nobody set, sets "
            "that need more\n"
            "            counters than there are, limits without a source\n"
            "  --events  only the native events, a line \"PMU EVENT "
            "known|wrong|unknown|untold\" each\n"
            "\n"
            "Exit status: 0 no fault, 1 faults, 2 wrong usage, 3 no file can "
            "be read, 4 the\n"
            "faults cannot be written.\n",
    .run = run,
};
