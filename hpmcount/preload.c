/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi, --openmp: libhpm_mpi, libhpm_openmp are loaded into the program, and take
 * the time of calls of MPI, and that in which threads of OpenMP wait. */
#include "hpmcount/preload.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/string.h"
#include "host/memory.h"

struct library {
    const char *option, *file;
    const char *otherwise; /* what else to do where there is none */
};

static const struct library of_mpi = {"--mpi", "libhpm_mpi.so",
                                      "configure --with-mpi=MPICC builds it"};
static const struct library of_openmp = {"--openmp", "libhpm_openmp.so",
                                         "configure --enable-shared builds it"};

static bool is_set;      /* LD_PRELOAD is ours */
static char *saved;      /* LD_PRELOAD as it was; NULL: not set */
static bool has_set_set; /* HPM_SET is ours */

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

/* Count times where nobody has said what a program counts. */
static void
choose_set(const char *name)
{
    has_set_set = hpm_env_get(HPM_VARIABLE_SET) == NULL &&
                  hpm_env_get(HPM_VARIABLE_EVENT_SET) == NULL &&
                  hpm_env_get(HPM_VARIABLE_METRICS) == NULL &&
                  hpm_env_get(HPM_VARIABLE_EVENTS) == NULL;
    if (has_set_set)
        setenv("HPM_SET", name, 1);
}

static bool
preload(struct hpm_string *list, struct hpm_error *err)
{
    saved = hpm_memory_copy_text(getenv("LD_PRELOAD"));
    if (saved != NULL)
        hpm_string_add_format(list, ":%s", saved);
    is_set = !list->failed && setenv("LD_PRELOAD", list->text, 1) == 0;
    return is_set || hpm_error_no_memory(err);
}

bool
preload_begin(bool takes_mpi, bool takes_openmp, struct hpm_error *err)
{
    struct hpm_string list = {0};
    bool is_good = (!takes_mpi || add_library(&list, &of_mpi, err)) &&
                   (!takes_openmp || add_library(&list, &of_openmp, err));

    if (is_good && (takes_mpi || takes_openmp)) {
        is_good = preload(&list, err);
        choose_set(!takes_openmp ? "MPI" : takes_mpi ? "MPI_OPENMP" : "OPENMP");
    }
    hpm_string_free(&list);
    return is_good;
}

void
preload_end(void)
{
    if (!is_set)
        return;
    if (saved != NULL)
        setenv("LD_PRELOAD", saved, 1);
    else
        unsetenv("LD_PRELOAD");
    hpm_memory_free(saved);
    saved = NULL;
    is_set = false;
    if (has_set_set)
        unsetenv("HPM_SET");
}
