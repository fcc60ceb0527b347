/* SPDX-License-Identifier: BSD-3-Clause
 * Every HPM_* environment variable, in one table. */
#include "base/env.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

static const struct {
    const char *name;
    bool is_switch;
} variables[HPM_N_VARIABLES] = {
    [HPM_VARIABLE_DISABLE] = {"HPM_DISABLE", true},
    [HPM_VARIABLE_DOMAIN] = {"HPM_DOMAIN", false},
    [HPM_VARIABLE_EVENTS] = {"HPM_EVENTS", false},
    [HPM_VARIABLE_EVENT_SET] = {"HPM_EVENT_SET", false},
    [HPM_VARIABLE_FSYNC] = {"HPM_FSYNC", true},
    [HPM_VARIABLE_JOB] = {"HPM_JOB", false},
    [HPM_VARIABLE_OUTPUT_NAME] = {"HPM_OUTPUT_NAME", false},
    [HPM_VARIABLE_PROCESS] = {"HPM_PROCESS", true},
    [HPM_VARIABLE_REPORT] = {"HPM_REPORT", false},
    [HPM_VARIABLE_SET] = {"HPM_SET", false},
    [HPM_VARIABLE_SOURCE] = {"HPM_SOURCE", false},
};

/* Variables of IBM's toolkit that have no meaning here. */
static const struct {
    const char *name;
    const char *hint;
} legacy[] = {
    {"HPM_AGGREGATE", "every task writes its own file"},
    {"HPM_ASC_OUTPUT", "use HPM_REPORT for a text report"},
    {"HPM_DIV_WEIGHT", "no metric here weighs divisions"},
    {"HPM_EVENT_GROUP", "list the events in HPM_EVENTS"},
    {"HPM_LOG_DIR", "put the folder into HPM_OUTPUT_NAME"},
    {"HPM_NORMALIZE", "times are always wall clock"},
    {"HPM_NUM_INST_PTS", "sections need no limit here"},
    {"HPM_OUTPUT_PROCESS", "every task writes its own file"},
    {"HPM_PMD_GROUP", "list the events in HPM_EVENTS"},
    {"HPM_PRINT_FORMULA", "formulas are not printed"},
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

static const char *
nearest_name(const char *name)
{
    unsigned best = 3; /* more edits than this is another word */
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
        hpm_string_add_format(lines, "%s is unknown; see hpm(7)\n", name);
}

static void
check_variable(const char *name, const char *value, struct hpm_string *lines)
{
    for (int i = 0; i < HPM_N_VARIABLES; i++) {
        if (strcmp(name, variables[i].name) != 0)
            continue;
        if (variables[i].is_switch && value[0] != '\0' &&
            switch_value(value) < 0)
            hpm_string_add_format(lines,
                                  "%s='%.40s' is neither yes nor no; ignored\n",
                                  name, value);
        return;
    }
    check_name(name, lines);
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
}
