/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi and --functions: a library of ours is loaded into the program. */
#include "hpmcount/preload.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/string.h"
#include "host/memory.h"

/* Variables that are changed for the program. */
enum { PRELOAD, SET, FUNCTIONS, N_VARIABLES };

static struct {
    const char *name;
    bool is_changed;
    char *saved; /* as it was; NULL: not set */
} variables[N_VARIABLES] = {
    [PRELOAD] = {.name = "LD_PRELOAD"},
    [SET] = {.name = "HPM_SET"},
    [FUNCTIONS] = {.name = "HPM_FUNCTIONS"},
};

static bool
change(int variable, const char *value, struct hpm_error *err)
{
    const char *before = getenv(variables[variable].name);

    variables[variable].saved = hpm_memory_copy_text(before);
    if ((before != NULL && variables[variable].saved == NULL) ||
        setenv(variables[variable].name, value, 1) != 0)
        return hpm_error_no_memory(err);
    variables[variable].is_changed = true;
    return true;
}

/* The library in the first folder of the list that has it. */
static bool
find(struct hpm_string *path, const char *folders, const char *library)
{
    while (*folders != '\0') {
        size_t length = strcspn(folders, ":");

        path->length = 0;
        hpm_string_add_bytes(path, folders, length);
        hpm_string_add_char(path, '/');
        hpm_string_add(path, library);
        if (length > 0 && !path->failed && access(path->text, R_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* Add the library's path to `list`; false where there is none. */
static bool
add_library(struct hpm_string *list, const char *library)
{
    const char *folders = getenv("LD_LIBRARY_PATH");
    struct hpm_string path = {0};
    bool is_found = (folders != NULL && find(&path, folders, library)) ||
                    find(&path, HPM_LIBRARY_DIR, library);

    if (is_found) {
        hpm_string_add(list, list->length > 0 ? ":" : "");
        hpm_string_add(list, path.text);
    }
    hpm_string_free(&path);
    return is_found;
}

static bool
add_libraries(struct hpm_string *list, const struct preload *wanted,
              struct hpm_error *err)
{
    if (wanted->takes_mpi && !add_library(list, "libhpm_mpi.so"))
        return hpm_error_set(
            err,
            "--mpi: there is no libhpm_mpi.so in LD_LIBRARY_PATH "
            "nor in %s; configure --with-mpi=MPICC builds it",
            HPM_LIBRARY_DIR);
    if (wanted->functions != NULL && !add_library(list, "libhpm_functions.so"))
        return hpm_error_set(
            err,
            "--functions: there is no libhpm_functions.so in LD_LIBRARY_PATH "
            "nor in %s; 'make install' puts it there",
            HPM_LIBRARY_DIR);
    return true;
}

/* Count times of MPI where nobody has said what a program counts. */
static bool
may_choose_set(void)
{
    return hpm_env_get(HPM_VARIABLE_SET) == NULL &&
           hpm_env_get(HPM_VARIABLE_EVENT_SET) == NULL &&
           hpm_env_get(HPM_VARIABLE_METRICS) == NULL &&
           hpm_env_get(HPM_VARIABLE_EVENTS) == NULL;
}

static bool
change_all(struct hpm_string *list, const struct preload *wanted,
           struct hpm_error *err)
{
    const char *before = getenv("LD_PRELOAD");

    if (before != NULL && before[0] != '\0')
        hpm_string_add_format(list, ":%s", before);
    if (list->failed)
        return hpm_error_no_memory(err);
    return change(PRELOAD, list->text, err) &&
           (!wanted->takes_mpi || !may_choose_set() ||
            change(SET, "MPI", err)) &&
           (wanted->functions == NULL ||
            change(FUNCTIONS, wanted->functions, err));
}

bool
preload_begin(const struct preload *wanted, struct hpm_error *err)
{
    struct hpm_string list = {0};
    bool is_good = true;

    if (wanted->takes_mpi || wanted->functions != NULL)
        is_good =
            add_libraries(&list, wanted, err) && change_all(&list, wanted, err);
    hpm_string_free(&list);
    return is_good;
}

void
preload_end(void)
{
    for (int i = 0; i < N_VARIABLES; i++) {
        if (!variables[i].is_changed)
            continue;
        if (variables[i].saved != NULL)
            setenv(variables[i].name, variables[i].saved, 1);
        else
            unsetenv(variables[i].name);
        hpm_memory_free(variables[i].saved);
        variables[i].saved = NULL;
        variables[i].is_changed = false;
    }
}
