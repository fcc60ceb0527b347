/* SPDX-License-Identifier: BSD-3-Clause
 * Which task of which parallel job this process is, as its launcher says. */
#include "base/launcher.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/env.h"
#include "base/string.h"

/* The variable's value; NULL if the variable is not set or empty. */
static const char *
get(const char *name)
{
    const char *value = secure_getenv(name);

    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* The value of the first of these variables that is a number, or
 * `otherwise`. */
static int
find_number(const char *const *names, size_t n_names, int otherwise)
{
    uint64_t number;

    for (size_t i = 0; i < n_names; i++) {
        const char *value = get(names[i]);

        if (value != NULL && hpm_string_to_count(value, &number) &&
            number <= INT_MAX)
            return (int)number;
    }
    return otherwise;
}

int
hpm_launcher_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                        "PMI_RANK", "SLURM_PROCID"};

    return find_number(names, sizeof names / sizeof names[0], -1);
}

int
hpm_launcher_size(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                        "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"};

    return find_number(names, sizeof names / sizeof names[0], -1);
}

int
hpm_launcher_local_tasks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE",
                                        "MPI_LOCALNRANKS",
                                        "SLURM_NTASKS_PER_NODE"};
    int n = find_number(names, sizeof names / sizeof names[0], 1);

    return n > 0 ? n : 1;
}

void
hpm_launcher_job(char *ret_job, size_t size)
{
    static const char *const names[] = {"PBS_JOBID", "LSB_JOBID",
                                        "PMIX_NAMESPACE"};
    const char *job = hpm_env_get(HPM_VARIABLE_JOB);
    const char *step = get("SLURM_STEP_ID");
    const char *slurm = get("SLURM_JOB_ID");

    if (job == NULL && slurm != NULL) {
        snprintf(ret_job, size, "%s%s%s", slurm, step != NULL ? "." : "",
                 step != NULL ? step : "");
        return;
    }
    for (size_t i = 0; job == NULL && i < sizeof names / sizeof names[0]; i++)
        job = get(names[i]);
    snprintf(ret_job, size, "%s", job != NULL ? job : "");
}
