/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of MPI that this library makes first, in C and Fortran: at the end
 * of the job it ends the recording.
 *
 * Where another tool takes MPI_Finalize before this library, an attribute of
 * MPI_COMM_SELF tells of the end: the MPI deletes it first in PMPI_Finalize, while
 * messages can still be sent.
 *
 * MPI's Fortran entries call PMPI_Finalize in some MPIs, MPI_Finalize in
 * others.  So each entry has a function here; the second one in a call finds
 * nothing to do.  They are C functions with the names that Fortran compilers
 * make. */
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/string.h"
#include "host/cancel.h"
#include "host/memory.h"
#include "host/path.h"
#include "libhpm.h"
#include "mpi/finalize.h"
#include "mpi/gather.h"
#include "mpi/othertools.h"
#include "mpi/taskplace.h"
#include "mpi/timesource.h"
#include "mpi/waiting.h"
#include "mpi/wholerun.h"
#include "session/handover.h"

static struct hpm_gather mine;
static pid_t process; /* only this process gathers: a forked child keeps its own
                       * results */
static bool is_done;  /* the job's file was made, or will never be */
static atomic_flag is_seen = ATOMIC_FLAG_INIT; /* MPI_Init was */

/* Says the name of an own file that stays, if it is not the wanted one. */
static void
say_name(const char *path, const char *name)
{
    if (path != NULL && name != NULL &&
        strcmp(hpm_path_base_name(path), name) != 0)
        hpm_message_say_format("%s exists already; wrote %s", name, path);
}

static void
take(const struct hpm_handover *handover)
{
    if (getpid() != process || is_done) {
        say_name(handover->path, handover->own_name);
        return;
    }
    mine = (struct hpm_gather){.text = hpm_memory_new(handover->length, 1),
                               .length = handover->length,
                               .path = hpm_memory_copy_text(handover->path),
                               .own_name =
                                   hpm_memory_copy_text(handover->own_name),
                               .folder = hpm_memory_copy_text(handover->folder),
                               .name = hpm_memory_copy_text(handover->name),
                               .is_synced = handover->is_synced};
    mine.has_text = mine.text != NULL && mine.folder != NULL &&
                    mine.name != NULL &&
                    (mine.path != NULL || handover->path == NULL);
    if (mine.has_text)
        memcpy(mine.text, handover->text, handover->length);
    else
        hpm_message_say(
            "out of memory; what this task has recorded will not be "
            "in the job's file");
}

/* A symbol that the other kind of MPI has, and neither this kind nor a program. */
#ifdef OPEN_MPI
static const char own_kind[] = "Open MPI", other_kind[] = "MPICH";
static const char symbol_of_other[] = "MPIR_Err_create_code";
#else
static const char own_kind[] = "MPICH", other_kind[] = "Open MPI";
static const char symbol_of_other[] = "ompi_mpi_comm_world";
#endif

/* The program's own MPI would get the calls of a library that has other handles, and
 * the program would crash within the first one. */
static void
end_if_other_kind(void)
{
    if (dlsym(RTLD_DEFAULT, symbol_of_other) == NULL)
        return;
    hpm_message_say_format(
        "this libhpm_mpi is for %s, and the program uses %s; take the "
        "libhpm_mpi that was configured --with-mpi for %s",
        own_kind, other_kind, other_kind);
    _exit(125);
}

/* Runs before the program can measure anything. */
static void begin(void) __attribute__((constructor));

static void
begin(void)
{
    process = getpid();
    hpm_message_init();
    end_if_other_kind();
    if ((hpmVersion)() == LIBHPM_VERSION)
        hpm_timesource_begin(
            hpm_private_hand_over_to(take, &hpm_taskplace, &hpm_timesource));
    else
        hpm_message_say(
            "libhpm_mpi and libhpm are of different versions; there "
            "will be no file of the whole job");
}

static bool
is_running(void)
{
    int is_initialized = 0, is_finalized = 0;

    PMPI_Initialized(&is_initialized);
    PMPI_Finalized(&is_finalized);
    return is_initialized && !is_finalized && getpid() == process;
}

static void
free_mine(void)
{
    hpm_memory_free(mine.text);
    hpm_memory_free(mine.path);
    hpm_memory_free(mine.own_name);
    hpm_memory_free(mine.folder);
    hpm_memory_free(mine.name);
    mine = (struct hpm_gather){.has_text = false};
}

/* MPI itself complains of a call at the wrong time.  Keeps all of the
 * floating-point environment by <fenv.h>: merging uses long double, too, which
 * hpm_floating_hold does not cover. */
static void
finish_job(void)
{
    int saved_errno = errno;
    struct hpm_cancel cancel;
    fenv_t floating;
    bool is_over, is_own_gone;

    if (is_done || !is_running())
        return;
    cancel = hpm_cancel_hold();
    feholdexcept(&floating);
    fesetround(FE_TONEAREST);
    hpm_wholerun_end();
    hpmTerminate(-1);
    is_done = true;
    is_over = hpm_gather(&mine, &is_own_gone);
    if (!is_own_gone)
        say_name(mine.path, mine.own_name);
    if (is_over)
        free_mine();
    fesetenv(&floating);
    errno = saved_errno;
    hpm_cancel_release(cancel);
}

/* MPI_Abort ends the other tasks by a signal; this task has time to write its
 * own file. */
static void
give_up_job(void)
{
    if (is_done || getpid() != process)
        return;
    is_done = true;
    say_name(mine.path, mine.own_name);
    hpm_wholerun_end();
    hpmTerminate(-1);
}

/* Runs before libhpm's own end, if MPI_Finalize was not called. */
static void end(void) __attribute__((destructor));

static void
end(void)
{
    if (!is_done && getpid() == process)
        say_name(mine.path, mine.own_name);
    if (!atomic_flag_test_and_set(&is_seen) && getpid() == process)
        hpm_othertools_say_unseen();
    is_done = true;
}

/* ---- another tool takes MPI_Finalize -------------------------------------- */

static int
end_with_self(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)value, (void)state;
    finish_job();
    hpm_waiting_end();
    return MPI_SUCCESS;
}

void
hpm_finalize_watch(void)
{
    int keyval = MPI_KEYVAL_INVALID;

    if (atomic_flag_test_and_set(&is_seen))
        return;
    hpm_othertools_say_behind();
    if (hpm_othertools_before("MPI_Finalize") == NULL ||
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_with_self, &keyval,
                                NULL) != MPI_SUCCESS)
        return;
    PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    PMPI_Comm_free_keyval(&keyval);
}

/* ---- C ---------------------------------------------------------------- */

int
MPI_Finalize(void)
{
    finish_job();
    hpm_waiting_end();
    return PMPI_Finalize();
}

int
MPI_Abort(MPI_Comm comm, int status)
{
    give_up_job();
    return PMPI_Abort(comm, status);
}

/* ---- Fortran ---------------------------------------------------------- */

void mpi_finalize_(MPI_Fint *ret_error);
void mpi_abort_(const MPI_Fint *comm, const MPI_Fint *status,
                MPI_Fint *ret_error);

/* The module mpi_f08 may omit the last argument. */
void
mpi_finalize_(MPI_Fint *ret_error)
{
    int error = MPI_Finalize();

    if (ret_error != NULL)
        *ret_error = error;
}

void
mpi_abort_(const MPI_Fint *comm, const MPI_Fint *status, MPI_Fint *ret_error)
{
    int error = MPI_Abort(PMPI_Comm_f2c(*comm), *status);

    if (ret_error != NULL)
        *ret_error = error;
}

#define FINALIZE_ALSO_AS(name)                                                 \
    void name(MPI_Fint *ret_error) __attribute__((alias("mpi_finalize_")));
#define ABORT_ALSO_AS(name)                                                    \
    void name(const MPI_Fint *comm, const MPI_Fint *status,                    \
              MPI_Fint *ret_error) __attribute__((alias("mpi_abort_")));

FINALIZE_ALSO_AS(mpi_finalize)
FINALIZE_ALSO_AS(mpi_finalize__)
FINALIZE_ALSO_AS(MPI_FINALIZE)
FINALIZE_ALSO_AS(mpi_finalize_f08_)
ABORT_ALSO_AS(mpi_abort)
ABORT_ALSO_AS(mpi_abort__)
ABORT_ALSO_AS(MPI_ABORT)
ABORT_ALSO_AS(mpi_abort_f08_)
