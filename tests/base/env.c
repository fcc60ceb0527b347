/* SPDX-License-Identifier: BSD-3-Clause
 * The HPM_* variables: their values, and messages about wrong ones. */
#include "base/env.h"

#include <ctype.h>
#include <stdlib.h>

#include "tap.h"

extern char **environ;

/* Remove all HPM_* variables, of the test before and of the user who runs
 * it. */
static void
forget_all(void)
{
    char **entry = environ;

    while (entry != NULL && *entry != NULL) {
        char name[256];
        size_t length = strcspn(*entry, "=");

        if (strncmp(*entry, "HPM_", 4) != 0 || length >= sizeof name) {
            entry++;
            continue;
        }
        memcpy(name, *entry, length);
        name[length] = '\0';
        unsetenv(name);
        entry = environ;
    }
}

/* Check the messages about one variable alone. */
static void
check_said(const char *name, const char *value, const char *expected,
           const char *sentence)
{
    struct hpm_string lines = {0};

    forget_all();
    setenv(name, value, 1);
    hpm_env_check(&lines);
    is_text(hpm_string_text(&lines), expected, sentence);
    hpm_string_free(&lines);
}

static void
test_known(void)
{
    struct hpm_string lines = {0};
    bool is_named = true;

    forget_all();
    hpm_env_check(&lines);
    is_text(hpm_string_text(&lines), "", "of no variable nothing is said");
    for (int i = 0; i < HPM_N_VARIABLES; i++) {
        const char *name = hpm_env_name((enum hpm_variable)i);

        is_named = is_named && strncmp(name, "HPM_", 4) == 0;
        setenv(name, i == HPM_VARIABLE_SOURCE ? "replay" : "1", 1);
    }
    ok(is_named, "every variable has a name that begins with HPM_");
    hpm_env_check(&lines);
    is_text(hpm_string_text(&lines), "", "nor of those that mean something");
    hpm_string_free(&lines);
}

static void
test_replay(void)
{
    check_said("HPM_REPLAY", "x.replay",
               "HPM_REPLAY has no effect without HPM_SOURCE=replay\n",
               "samples that nobody is to replay are noted");
}

static void
test_unknown(void)
{
    check_said("HPM_EVENT", "cycles",
               "HPM_EVENT is unknown; did you mean HPM_EVENTS?\n",
               "an unknown variable gets the nearest name");
    check_said("HPM_OUTPUT_NMAE", "x",
               "HPM_OUTPUT_NMAE is unknown; did you mean HPM_OUTPUT_NAME?\n",
               "swapped letters are near");
    check_said("HPM_disable", "1",
               "HPM_disable is unknown; did you mean HPM_DISABLE?\n",
               "small letters are another name");
    check_said("HPM_UNHEARD_OF", "1",
               "HPM_UNHEARD_OF is unknown; see hpm-environment(7)\n",
               "where no name is near, the manual is");
    check_said("HPM_", "1", "HPM_ is unknown; see hpm-environment(7)\n",
               "the prefix alone is unknown");
    check_said("HPM_UNHEARD_OF", "",
               "HPM_UNHEARD_OF is unknown; see hpm-environment(7)\n",
               "an empty variable of unknown name is unknown, too");
    check_said("HPMCOUNT_X", "1", "", "other programs' variables are theirs");
    unsetenv("HPMCOUNT_X");
}

static void
test_legacy(void)
{
    check_said("HPM_EVENT_GROUP", "5",
               "HPM_EVENT_GROUP has no effect: list the events in "
               "HPM_EVENTS\n",
               "an old variable gets the new way");
    check_said("HPM_UNIQUE_FILE_NAME", "1",
               "HPM_UNIQUE_FILE_NAME has no effect: file names never "
               "collide\n",
               "or why it is not needed");
    check_said("HPM_EVENT_SET", "basic", "", "HPM_EVENT_SET still serves");
}

static void
test_switch_value(void)
{
    check_said("HPM_DISABLE", "maybe",
               "HPM_DISABLE='maybe' is neither yes nor no; ignored\n",
               "a switch that is neither yes nor no is named");
    check_said("HPM_PROCESS", "2",
               "HPM_PROCESS='2' is neither yes nor no; ignored\n",
               "2 is neither");
    check_said("HPM_FSYNC", "yes ",
               "HPM_FSYNC='yes ' is neither yes nor no; ignored\n",
               "blanks are not cut off");
    check_said("HPM_DISABLE", "", "", "an empty switch is not set");
    check_said("HPM_DISABLE", "Off", "", "a good switch is not mentioned");
    check_said("HPM_JOB", "maybe", "", "other variables may say anything");
}

static void
test_long(void)
{
    char name[300] = "HPM_", value[300];
    struct hpm_string lines = {0};

    memset(name + 4, 'X', sizeof name - 5);
    name[sizeof name - 1] = '\0';
    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    forget_all();
    setenv(name, "1", 1);
    hpm_env_check(&lines);
    ok(strncmp(hpm_string_text(&lines), "HPM_XXXX", 8) == 0 &&
           strstr(hpm_string_text(&lines), " is unknown") != NULL,
       "a very long name is unknown");
    unsetenv(name);
    hpm_string_clear(&lines);
    setenv("HPM_DISABLE", value, 1);
    hpm_env_check(&lines);
    ok(lines.length < 100, "a very long value is cut");
    hpm_string_free(&lines);
}

static void
test_several(void)
{
    struct hpm_string lines = {0};
    int n_lines = 0;

    forget_all();
    setenv("HPM_SCOPE", "thread", 1);
    setenv("HPM_EVENTS", "cycles", 1);
    setenv("HPM_SETT", "basic", 1);
    setenv("HPM_FSYNC", "perhaps", 1);
    hpm_env_check(&lines);
    for (const char *c = hpm_string_text(&lines); *c != '\0'; c++)
        n_lines += *c == '\n';
    ok(n_lines == 3 && lines.text[lines.length - 1] == '\n',
       "each wrong variable has a line of its own");
    ok(strstr(hpm_string_text(&lines), "HPM_SCOPE has no effect") != NULL &&
           strstr(hpm_string_text(&lines), "HPM_SETT is unknown") != NULL &&
           strstr(hpm_string_text(&lines), "HPM_FSYNC='perhaps'") != NULL,
       "none is left out");
    hpm_string_free(&lines);
}

/* A word in small, capital and mixed letters. */
static bool
is_read_as(const char *word, bool expected)
{
    char spelling[16];
    bool is_right = true;

    for (int way = 0; way < 3; way++) {
        strcpy(spelling, word);
        for (int i = 0; spelling[i] != '\0'; i++)
            if (way == 1 || (way == 2 && i % 2 == 0))
                spelling[i] = (char)toupper((unsigned char)spelling[i]);
        setenv("HPM_PROCESS", spelling, 1);
        is_right = is_right &&
                   hpm_env_is_on(HPM_VARIABLE_PROCESS, false) == expected &&
                   hpm_env_is_on(HPM_VARIABLE_PROCESS, true) == expected;
    }
    return is_right;
}

static void
test_is_on(void)
{
    forget_all();
    ok(is_read_as("1", true) && is_read_as("yes", true) &&
           is_read_as("true", true) && is_read_as("on", true),
       "1, yes, true and on are yes, in any case");
    ok(is_read_as("0", false) && is_read_as("no", false) &&
           is_read_as("false", false) && is_read_as("off", false),
       "0, no, false and off are no, in any case");
}

static void
test_is_on_otherwise(void)
{
    static const char *const words[] = {"",   "maybe", "2",   "y",    "n",
                                        "ye", "yes ",  " no", "onoff"};

    forget_all();
    ok(hpm_env_is_on(HPM_VARIABLE_FSYNC, true) &&
           !hpm_env_is_on(HPM_VARIABLE_FSYNC, false),
       "a switch that is not set is as it would be otherwise");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char sentence[64];

        snprintf(sentence, sizeof sentence, "and so is '%s'", words[i]);
        setenv("HPM_FSYNC", words[i], 1);
        ok(hpm_env_is_on(HPM_VARIABLE_FSYNC, true) &&
               !hpm_env_is_on(HPM_VARIABLE_FSYNC, false),
           sentence);
    }
}

static void
test_get(void)
{
    forget_all();
    is_text(hpm_env_get(HPM_VARIABLE_EVENTS), NULL, "no value when not set");
    setenv("HPM_EVENTS", "", 1);
    is_text(hpm_env_get(HPM_VARIABLE_EVENTS), NULL, "nor when empty");
    setenv("HPM_EVENTS", " cycles", 1);
    is_text(hpm_env_get(HPM_VARIABLE_EVENTS), " cycles", "otherwise as it is");
    is_text(hpm_env_name(HPM_VARIABLE_EVENTS), "HPM_EVENTS", "under its name");
    is_text(hpm_env_name(HPM_VARIABLE_SOURCE), "HPM_SOURCE", "so the last one");
}

int
main(void)
{
    test_known();
    test_replay();
    test_unknown();
    test_legacy();
    test_switch_value();
    test_long();
    test_several();
    test_is_on();
    test_is_on_otherwise();
    test_get();
    return done();
}
