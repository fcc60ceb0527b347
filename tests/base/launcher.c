/* SPDX-License-Identifier: BSD-3-Clause
 * Task and job from the variables of launchers. */
#include "base/launcher.h"

#include <stdlib.h>

#include "tap.h"

static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                    "PMI_RANK", "SLURM_PROCID"};
static const char *const jobs[] = {"HPM_JOB",       "SLURM_JOB_ID",
                                   "SLURM_STEP_ID", "PBS_JOBID",
                                   "LSB_JOBID",     "PMIX_NAMESPACE"};

enum {
    N_RANKS = sizeof ranks / sizeof ranks[0],
    N_JOBS = sizeof jobs / sizeof jobs[0]
};

/* This test may itself run in a job. */
static void
forget_all(void)
{
    for (int i = 0; i < N_RANKS; i++)
        unsetenv(ranks[i]);
    for (int i = 0; i < N_JOBS; i++)
        unsetenv(jobs[i]);
}

static void
check_rank(int expected, const char *sentence)
{
    int rank = hpm_launcher_rank();

    ok(rank == expected, sentence);
    if (rank != expected)
        printf("# got %d, expected %d\n", rank, expected);
}

static void
check_job(const char *expected, const char *sentence)
{
    char job[64] = "untouched";

    hpm_launcher_job(job, sizeof job);
    is_text(job, expected, sentence);
}

static void
test_rank_alone(void)
{
    forget_all();
    check_rank(-1, "without a launcher there is no rank");
    for (int i = 0; i < N_RANKS; i++) {
        forget_all();
        setenv(ranks[i], "12", 1);
        check_rank(12, "each launcher's rank is understood");
    }
}

static void
test_rank_precedence(void)
{
    forget_all();
    for (int i = N_RANKS; i-- > 0;) {
        char rank[16];

        snprintf(rank, sizeof rank, "%d", i + 1);
        setenv(ranks[i], rank, 1);
        check_rank(i + 1, "Open MPI is before PMIx, PMI and Slurm");
    }
}

static void
test_rank_junk(void)
{
    static const char *const junk[] = {
        "",   "-1",  "3x",         " 3",
        "3 ", "one", "2147483648", "18446744073709551616"};

    forget_all();
    for (size_t i = 0; i < sizeof junk / sizeof junk[0]; i++) {
        char sentence[64];

        snprintf(sentence, sizeof sentence, "'%s' is no rank", junk[i]);
        setenv("PMIX_RANK", junk[i], 1);
        check_rank(-1, sentence);
        setenv("SLURM_PROCID", "5", 1);
        check_rank(5, "and the next launcher is asked");
        unsetenv("SLURM_PROCID");
    }
    setenv("PMIX_RANK", "2147483647", 1);
    check_rank(2147483647, "the largest rank is one");
}

static void
test_job(void)
{
    forget_all();
    check_job("", "without a launcher there is no job");
    setenv("PMIX_NAMESPACE", "prterun-1", 1);
    check_job("prterun-1", "PMIx names its job");
    setenv("LSB_JOBID", "31", 1);
    check_job("31", "LSF is before PMIx");
    setenv("PBS_JOBID", "21.server", 1);
    check_job("21.server", "PBS is before LSF");
    setenv("SLURM_JOB_ID", "11", 1);
    check_job("11", "Slurm is before PBS");
    setenv("SLURM_STEP_ID", "2", 1);
    check_job("11.2", "Slurm's step follows its job");
    setenv("HPM_JOB", "mine", 1);
    check_job("mine", "HPM_JOB is before all of them");
}

static void
test_job_corners(void)
{
    forget_all();
    setenv("SLURM_STEP_ID", "2", 1);
    check_job("", "a step without a job is none");
    setenv("PBS_JOBID", "21.server", 1);
    setenv("HPM_JOB", "", 1);
    check_job("21.server", "an empty HPM_JOB is not set");
}

static void
test_job_cut(void)
{
    char job[6] = "xxxxx";

    forget_all();
    setenv("HPM_JOB", "123456789", 1);
    hpm_launcher_job(job, sizeof job);
    is_text(job, "12345", "a long name is cut to fit");
    hpm_launcher_job(job, 1);
    is_text(job, "", "to nothing, if need be");
    forget_all();
    setenv("SLURM_JOB_ID", "1234", 1);
    setenv("SLURM_STEP_ID", "77", 1);
    hpm_launcher_job(job, sizeof job);
    is_text(job, "1234.", "so is Slurm's");
}

static void
test_local_tasks(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE",
                                        "MPI_LOCALNRANKS",
                                        "SLURM_NTASKS_PER_NODE"};

    for (int i = 0; i < 3; i++)
        unsetenv(names[i]);
    is_count((uint64_t)hpm_launcher_local_tasks(), 1,
             "without a launcher a task is alone on its node");
    for (int i = 3; i-- > 0;) {
        char n[16];

        snprintf(n, sizeof n, "%d", i + 2);
        setenv(names[i], n, 1);
        is_count((uint64_t)hpm_launcher_local_tasks(), (uint64_t)i + 2,
                 "else there are as many as Open MPI, MPICH or Slurm says");
    }
    setenv(names[0], "0", 1);
    is_count((uint64_t)hpm_launcher_local_tasks(), 1, "but never none");
}

int
main(void)
{
    test_rank_alone();
    test_rank_precedence();
    test_rank_junk();
    test_job();
    test_job_corners();
    test_job_cut();
    test_local_tasks();
    return done();
}
