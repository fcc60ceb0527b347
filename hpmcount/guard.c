/* SPDX-License-Identifier: BSD-3-Clause
 * Detecting that a launcher is counted instead of the tasks it starts. */
#include "hpmcount/guard.h"

#include <stdlib.h>
#include <string.h>

#include "base/string.h"
#include "host/path.h"
#include "study/probe/executable.h"

static const char *const launchers[] = {
    "aprun",  "ccc_mprun", "ibrun", "jsrun",   "lrun", "mpiexec", "mpirun",
    "mpprun", "orterun",   "poe",   "prterun", "prun", "srun",    "yhrun"};

/* Also with suffixes: "mpiexec.hydra" is mpiexec, "mpirun_rsh" is mpirun. */
static bool
is_launcher(const char *path)
{
    const char *name = hpm_path_base_name(path);
    size_t length = strcspn(name, ".");

    if (strcmp(name, "mpirun_rsh") == 0 || strcmp(name, "mpiexec_mpt") == 0)
        return true;
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        if (strlen(launchers[i]) == length &&
            strncmp(launchers[i], name, length) == 0)
            return true;
    }
    return false;
}

static bool
is_program(const char *word)
{
    struct hpm_string path = {0};
    bool is_found = hpm_executable_find(word, &path);

    hpm_string_free(&path);
    return is_found;
}

/* The end of the launcher's own words: the first word that is not an option and
 * is a program (the 4 of "-n 4" is not).  The end of all words where there is
 * none. */
static size_t
find_program(char **command)
{
    size_t i = 1;

    while (command[i] != NULL &&
           (command[i][0] == '-' || !is_program(command[i])))
        i++;
    return i;
}

/* Add a word as one would type it. */
static void
add_word(struct hpm_string *string, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "-_./,:=+%@";

    if (string->length > 0)
        hpm_string_add_char(string, ' ');
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        hpm_string_add(string, word);
        return;
    }
    hpm_string_add_char(string, '\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            hpm_string_add(string, "'\\''");
        else
            hpm_string_add_char(string, *word);
    }
    hpm_string_add_char(string, '\'');
}

static void
add_right_order(struct hpm_string *string, char **own, char **command)
{
    size_t program = find_program(command);
    bool is_found = command[program] != NULL;

    add_word(string, command[0]);
    for (size_t i = 1; i < program && is_found; i++)
        add_word(string, command[i]);
    if (!is_found)
        hpm_string_add(string, " ...");
    hpm_string_add(string, " hpmcount");
    for (; own < command; own++) {
        if (strcmp(*own, "--") != 0)
            add_word(string, *own);
    }
    for (size_t i = program; command[i] != NULL; i++)
        add_word(string, command[i]);
    if (!is_found)
        hpm_string_add(string, " program");
}

bool
guard_check(char **own, char **command, struct hpm_error *err)
{
    struct hpm_string order = {0};

    if (!is_launcher(command[0]))
        return true;
    add_right_order(&order, own, command);
    hpm_error_set(err,
                  "'%.40s' starts the tasks of a job, and they are not "
                  "counted with it; let it start hpmcount: %.300s (or "
                  "count the launcher itself: --yes-launcher)",
                  hpm_path_base_name(command[0]), hpm_string_text(&order));
    hpm_string_free(&order);
    return false;
}
