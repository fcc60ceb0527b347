/* SPDX-License-Identifier: BSD-3-Clause
 * Every HPM_* environment variable, in one table. */
#include "base/env.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

enum kind { TEXT, SWITCH, NUMBER, NUMBER_OR_NO };

static const struct {
    const char *name;
    enum kind kind;
} variables[HPM_N_VARIABLES] = {
    [HPM_VARIABLE_AGGREGATE] = {"HPM_AGGREGATE", TEXT},
    [HPM_VARIABLE_CALLS] = {"HPM_CALLS", TEXT},
    [HPM_VARIABLE_CHECKPOINT] = {"HPM_CHECKPOINT", NUMBER_OR_NO},
    [HPM_VARIABLE_DEFS] = {"HPM_DEFS", TEXT},
    [HPM_VARIABLE_DISABLE] = {"HPM_DISABLE", SWITCH},
    [HPM_VARIABLE_DOMAIN] = {"HPM_DOMAIN", TEXT},
    [HPM_VARIABLE_EVENTS] = {"HPM_EVENTS", TEXT},
    [HPM_VARIABLE_EVENT_SET] = {"HPM_EVENT_SET", TEXT},
    [HPM_VARIABLE_EXCEPT] = {"HPM_EXCEPT", TEXT},
    [HPM_VARIABLE_FSYNC] = {"HPM_FSYNC", SWITCH},
    [HPM_VARIABLE_FUNCTIONS] = {"HPM_FUNCTIONS", TEXT},
    [HPM_VARIABLE_JOB] = {"HPM_JOB", TEXT},
    [HPM_VARIABLE_JOB_MEMORY] = {"HPM_JOB_MEMORY", NUMBER},
    [HPM_VARIABLE_JOURNAL_FOLDER] = {"HPM_JOURNAL_FOLDER", TEXT},
    [HPM_VARIABLE_L2_LATENCY] = {"HPM_L2_LATENCY", NUMBER},
    [HPM_VARIABLE_L3_LATENCY] = {"HPM_L3_LATENCY", NUMBER},
    [HPM_VARIABLE_LIBRARY] = {"HPM_LIBRARY", TEXT},
    [HPM_VARIABLE_MACHINE] = {"HPM_MACHINE", TEXT},
    [HPM_VARIABLE_MAX_THREADS] = {"HPM_MAX_THREADS", NUMBER},
    [HPM_VARIABLE_MEM_LATENCY] = {"HPM_MEM_LATENCY", NUMBER},
    [HPM_VARIABLE_METRICS] = {"HPM_METRICS", TEXT},
    [HPM_VARIABLE_MODELS] = {"HPM_MODELS", TEXT},
    [HPM_VARIABLE_NESTING] = {"HPM_NESTING", TEXT},
    [HPM_VARIABLE_ONLY] = {"HPM_ONLY", TEXT},
    [HPM_VARIABLE_OUTPUT_NAME] = {"HPM_OUTPUT_NAME", TEXT},
    [HPM_VARIABLE_PROCESS] = {"HPM_PROCESS", SWITCH},
    [HPM_VARIABLE_REPLAY] = {"HPM_REPLAY", TEXT},
    [HPM_VARIABLE_REPORT] = {"HPM_REPORT", TEXT},
    [HPM_VARIABLE_SAMPLE] = {"HPM_SAMPLE", TEXT},
    [HPM_VARIABLE_SET] = {"HPM_SET", TEXT},
    [HPM_VARIABLE_SHARE] = {"HPM_SHARE", SWITCH},
    [HPM_VARIABLE_SHARE_EVENTS] = {"HPM_SHARE_EVENTS", NUMBER},
    [HPM_VARIABLE_SKIP] = {"HPM_SKIP", NUMBER},
    [HPM_VARIABLE_SOURCE] = {"HPM_SOURCE", TEXT},
    [HPM_VARIABLE_TIMEOUT] = {"HPM_TIMEOUT", NUMBER},
    [HPM_VARIABLE_TLB_LATENCY] = {"HPM_TLB_LATENCY", NUMBER},
    [HPM_VARIABLE_WAITING] = {"HPM_WAITING", SWITCH},
    [HPM_VARIABLE_WRITTEN] = {"HPM_WRITTEN", TEXT},
    [HPM_VARIABLE_WRONG_CODES] = {"HPM_WRONG_CODES", TEXT},
};

/* Variables of IBM's toolkit that have no meaning here. */
static const struct {
    const char *name;
    const char *hint;
} legacy[] = {
    {"HPM_ASC_OUTPUT", "use HPM_REPORT for a text report"},
    {"HPM_AVG_L2_LATENCY", "use HPM_L2_LATENCY"},
    {"HPM_AVG_L3_LATENCY", "use HPM_L3_LATENCY"},
    {"HPM_DIV_WEIGHT", "no metric here weighs divisions"},
    {"HPM_EVENT_GROUP", "list the events in HPM_EVENTS"},
    {"HPM_LOG_DIR", "put the folder into HPM_OUTPUT_NAME"},
    {"HPM_NORMALIZE", "times are always wall clock"},
    {"HPM_NUM_INST_PTS", "sections need no limit here"},
    {"HPM_OUTPUT_PROCESS", "every task writes its own file"},
    {"HPM_PMD_GROUP", "list the events in HPM_EVENTS"},
    {"HPM_PRINT_FORMULA", "use 'hpmcount -x'"},
    {"HPM_SCOPE", "choose hpmStart or hpmTstart instead"},
    {"HPM_STDOUT", "use HPM_REPORT for a text report"},
    {"HPM_UNIQUE_FILE_NAME", "file names never collide"},
    {"HPM_VIZ_OUTPUT", "the XML file is always written"},
};

enum { N_LEGACY = sizeof legacy / sizeof legacy[0] };

const char *
hpm_env_name(enum hpm_variable variable)
{
    return variables[variable].name;
}

const char *
hpm_env_get(enum hpm_variable variable)
{
    const char *value = secure_getenv(variables[variable].name);

    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* 1 on, 0 off, -1 neither */
static int
switch_value(const char *value)
{
    static const char *const on[] = {"1", "yes", "true", "on"};
    static const char *const off[] = {"0", "no", "false", "off"};

    for (int i = 0; i < 4; i++) {
        if (hpm_string_same_word(value, on[i]))
            return 1;
        if (hpm_string_same_word(value, off[i]))
            return 0;
    }
    return -1;
}

bool
hpm_env_is_on(enum hpm_variable variable, bool otherwise)
{
    const char *value = hpm_env_get(variable);
    int is_on = value != NULL ? switch_value(value) : -1;

    return is_on >= 0 ? is_on != 0 : otherwise;
}

bool
hpm_env_is_off(enum hpm_variable variable)
{
    const char *value = hpm_env_get(variable);

    return value != NULL && strcmp(value, "0") != 0 && switch_value(value) == 0;
}

/* Accepts digits only: strtoul would also accept blanks, signs and other
 * bases. */
static bool
read_number(const char *text, unsigned long *ret_number)
{
    unsigned long number = 0;

    for (const char *c = text; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || number > (ULONG_MAX - 9) / 10)
            return false;
        number = 10 * number + (unsigned long)(*c - '0');
    }
    *ret_number = number;
    return text[0] != '\0';
}

unsigned long
hpm_env_number(enum hpm_variable variable, unsigned long least,
               unsigned long otherwise)
{
    const char *value = hpm_env_get(variable);
    unsigned long number;

    if (value == NULL || !read_number(value, &number) || number < least)
        return otherwise;
    return number;
}

static const char *
nearest_name(const char *name)
{
    unsigned best = 3; /* a name that needs more edits is another word */
    const char *nearest = NULL;

    for (int i = 0; i < HPM_N_VARIABLES; i++) {
        unsigned edits = hpm_string_distance(name, variables[i].name, best);

        if (edits < best) {
            best = edits;
            nearest = variables[i].name;
        }
    }
    return nearest;
}

static void
check_name(const char *name, struct hpm_string *lines)
{
    const char *nearest;

    for (int i = 0; i < N_LEGACY; i++) {
        if (strcmp(name, legacy[i].name) == 0) {
            hpm_string_add_format(lines, "%s has no effect: %s\n", name,
                                  legacy[i].hint);
            return;
        }
    }
    nearest = nearest_name(name);
    if (nearest != NULL)
        hpm_string_add_format(lines, "%s is unknown; did you mean %s?\n", name,
                              nearest);
    else
        hpm_string_add_format(lines, "%s is unknown; see hpm-environment(7)\n",
                              name);
}

static void
check_value(int variable, const char *value, struct hpm_string *lines)
{
    const char *name = variables[variable].name;
    unsigned long number;

    if (value[0] == '\0')
        return;
    if (variables[variable].kind == SWITCH && switch_value(value) < 0)
        hpm_string_add_format(
            lines, "%s='%.40s' is neither yes nor no; ignored\n", name, value);
    if (variables[variable].kind == NUMBER && !read_number(value, &number))
        hpm_string_add_format(
            lines, "%s='%.40s' is not a whole number; ignored\n", name, value);
    if (variables[variable].kind == NUMBER_OR_NO &&
        !read_number(value, &number) && switch_value(value) != 0)
        hpm_string_add_format(
            lines, "%s='%.40s' is neither a whole number nor no; ignored\n",
            name, value);
}

static void
check_variable(const char *name, const char *value, struct hpm_string *lines)
{
    for (int i = 0; i < HPM_N_VARIABLES; i++) {
        if (strcmp(name, variables[i].name) != 0)
            continue;
        check_value(i, value, lines);
        return;
    }
    check_name(name, lines);
}

/* HPM_REPLAY alone does not switch counting off: the variable may be left from
 * yesterday's test. */
static void
check_replay(struct hpm_string *lines)
{
    const char *source = hpm_env_get(HPM_VARIABLE_SOURCE);

    if (hpm_env_get(HPM_VARIABLE_REPLAY) != NULL &&
        (source == NULL || strcmp(source, "replay") != 0))
        hpm_string_add(lines, "HPM_REPLAY has no effect without "
                              "HPM_SOURCE=replay\n");
}

void
hpm_env_check(struct hpm_string *lines)
{
    for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
        const char *equals = strchr(*entry, '=');
        char name[64];
        size_t length;

        if (strncmp(*entry, "HPM_", 4) != 0 || equals == NULL)
            continue;
        length = (size_t)(equals - *entry);
        if (length >= sizeof name)
            length = sizeof name - 1;
        memcpy(name, *entry, length);
        name[length] = '\0';
        check_variable(name, equals + 1, lines);
    }
    check_replay(lines);
}
