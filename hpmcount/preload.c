/* SPDX-License-Identifier: BSD-3-Clause
 * --mpi: libhpm_mpi is loaded into the program, and takes the time of its calls. */
#include "hpmcount/preload.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/string.h"
#include "host/memory.h"

static char *saved;      /* LD_PRELOAD as it was; NULL: not set */
static bool has_set_set; /* HPM_SET is ours */

/* The library in the first folder of the list that has it. */
static bool
find(struct hpm_string *path, const char *folders)
{
    while (*folders != '\0') {
        size_t length = strcspn(folders, ":");

        path->length = 0;
        hpm_string_add_bytes(path, folders, length);
        hpm_string_add(path, "/libhpm_mpi.so");
        if (length > 0 && !path->failed && access(path->text, R_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool
find_library(struct hpm_string *path, struct hpm_error *err)
{
    const char *folders = getenv("LD_LIBRARY_PATH");

    if ((folders != NULL && find(path, folders)) || find(path, HPM_LIBRARY_DIR))
        return true;
    return hpm_error_set(err,
                         "--mpi: there is no libhpm_mpi.so in LD_LIBRARY_PATH "
                         "nor in %s; configure --with-mpi=MPICC builds it",
                         HPM_LIBRARY_DIR);
}

/* Count times where nobody has said what a program counts. */
static void
choose_set(void)
{
    has_set_set = hpm_env_get(HPM_VARIABLE_SET) == NULL &&
                  hpm_env_get(HPM_VARIABLE_EVENT_SET) == NULL &&
                  hpm_env_get(HPM_VARIABLE_METRICS) == NULL &&
                  hpm_env_get(HPM_VARIABLE_EVENTS) == NULL;
    if (has_set_set)
        setenv("HPM_SET", "MPI", 1);
}

bool
preload_begin(struct hpm_error *err)
{
    struct hpm_string path = {0};
    bool is_good = find_library(&path, err);

    if (is_good) {
        saved = hpm_memory_copy_text(getenv("LD_PRELOAD"));
        if (saved != NULL)
            hpm_string_add_format(&path, ":%s", saved);
        is_good = !path.failed && setenv("LD_PRELOAD", path.text, 1) == 0;
        if (!is_good)
            hpm_error_no_memory(err);
        choose_set();
    }
    hpm_string_free(&path);
    return is_good;
}

void
preload_end(void)
{
    if (saved != NULL)
        setenv("LD_PRELOAD", saved, 1);
    else
        unsetenv("LD_PRELOAD");
    hpm_memory_free(saved);
    saved = NULL;
    if (has_set_set)
        unsetenv("HPM_SET");
}
