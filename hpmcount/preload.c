/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi, --openmp, --functions: libraries of ours are loaded into the program. */
#include "hpmcount/preload.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/string.h"
#include "host/memory.h"
#include "hpmcount/libomp.h"

struct library {
    const char *option, *file;
    const char *otherwise; /* what else to do where there is none */
};

static const struct library of_mpi = {"--mpi", "libhpm_mpi.so",
                                      "configure --with-mpi=MPICC builds it"};
static const struct library of_openmp = {"--openmp", "libhpm_openmp.so",
                                         "configure --enable-shared builds it"};
static const struct library of_functions = {
    "--functions", "libhpm_functions.so",
    "configure --enable-shared builds it"};

/* Variables that are changed for the program. */
enum { PRELOAD, LIBRARY_PATH, SET, FUNCTIONS, REGIONS, N_VARIABLES };

static struct {
    const char *name;
    bool is_changed;
    char *saved; /* as it was; NULL: not set */
} variables[N_VARIABLES] = {
    [PRELOAD] = {.name = "LD_PRELOAD"},
    [LIBRARY_PATH] = {.name = "LD_LIBRARY_PATH"},
    [SET] = {.name = "HPM_SET"},
    [FUNCTIONS] = {.name = "HPM_FUNCTIONS"},
    [REGIONS] = {.name = "HPM_OPENMP_REGIONS"},
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
find(struct hpm_string *path, const char *file, const char *folders)
{
    while (*folders != '\0') {
        size_t length = strcspn(folders, ":");

        path->length = 0;
        hpm_string_add_bytes(path, folders, length);
        hpm_string_add_format(path, "/%s", file);
        if (length > 0 && !path->failed && access(path->text, R_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* Adds the library's path to the list. */
static bool
add_library(struct hpm_string *list, const struct library *library,
            struct hpm_error *err)
{
    const char *folders = getenv("LD_LIBRARY_PATH");
    struct hpm_string path = {0};
    bool is_found = (folders != NULL && find(&path, library->file, folders)) ||
                    find(&path, library->file, HPM_LIBRARY_DIR);

    if (is_found)
        hpm_string_add_format(list, "%s%s", list->length > 0 ? ":" : "",
                              path.text);
    hpm_string_free(&path);
    return is_found ||
           hpm_error_set(err,
                         "%s: there is no %s in LD_LIBRARY_PATH nor in %s; %s",
                         library->option, library->file, HPM_LIBRARY_DIR,
                         library->otherwise);
}

static bool
add_libraries(struct hpm_string *list, const struct preload *wanted,
              struct hpm_error *err)
{
    const char *before = getenv("LD_PRELOAD");

    if ((wanted->takes_mpi && !add_library(list, &of_mpi, err)) ||
        (wanted->takes_openmp && !add_library(list, &of_openmp, err)) ||
        (wanted->functions != NULL && !add_library(list, &of_functions, err)))
        return false;
    if (list->length > 0 && before != NULL && before[0] != '\0')
        hpm_string_add_format(list, ":%s", before);
    return !list->failed || hpm_error_no_memory(err);
}

/* The set of the times that are taken, where nobody has said what a program counts;
 * else NULL. */
static const char *
find_set(const struct preload *wanted)
{
    if (hpm_env_get(HPM_VARIABLE_SET) != NULL ||
        hpm_env_get(HPM_VARIABLE_EVENT_SET) != NULL ||
        hpm_env_get(HPM_VARIABLE_METRICS) != NULL ||
        hpm_env_get(HPM_VARIABLE_EVENTS) != NULL)
        return NULL;
    if (wanted->takes_openmp)
        return wanted->takes_mpi ? "MPI_OPENMP" : "OPENMP";
    return wanted->takes_mpi ? "MPI" : NULL;
}

static bool
begin_libomp(struct hpm_error *err)
{
    struct hpm_string folders = {0};
    bool is_good =
        libomp_begin(&folders, err) && change(LIBRARY_PATH, folders.text, err);

    hpm_string_free(&folders);
    return is_good;
}

bool
preload_begin(const struct preload *wanted, struct hpm_error *err)
{
    const char *set = find_set(wanted);
    struct hpm_string list = {0};
    bool is_good = add_libraries(&list, wanted, err) &&
                   (list.length == 0 || change(PRELOAD, list.text, err)) &&
                   (!wanted->has_libomp || begin_libomp(err)) &&
                   (set == NULL || change(SET, set, err)) &&
                   (!wanted->has_regions || change(REGIONS, "yes", err)) &&
                   (wanted->functions == NULL ||
                    change(FUNCTIONS, wanted->functions, err));

    hpm_string_free(&list);
    return is_good;
}

void
preload_end(void)
{
    libomp_end();
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
