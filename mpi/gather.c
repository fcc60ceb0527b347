/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of a job hand over what they have recorded along a tree
 * (jobtree.h), in which the first task that has recorded anything stands at
 * the top.
 *
 *     child                          parent
 *       |  take from the own children  |
 *       |---- head: how much --------->|
 *       |<--- answer: give it ---------|   or: too much, write a file of it
 *       |---- columns ---------------->|
 *       |                              |   hand over to the own parent, or
 *       |                              |   write the file
 *       |<--- is it written? ----------|
 *     remove the own file; tell the children
 *
 * Each task holds no more than what fits within HPM_JOB_MEMORY: what its parent
 * has no room for it writes to a file of its own tasks, while other tasks write
 * theirs. */
#include "mpi/gather.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/message.h"
#include "base/string.h"
#include "host/memory.h"
#include "host/path.h"
#include "mpi/exchange.h"
#include "mpi/jobfile.h"
#include "base/jobtree.h"

enum { JOB_MIB = 64, MOST_MIB = 1 << 20 };

/* With more tasks than that the file is a summary, unless HPM_AGGREGATE=all: of a
 * hundred sections with ten counters each it would take 20 GB otherwise. */
enum { MOST_TASKS_IN_FULL = 10000 };

/* What a task says first of itself and all tasks below it. */
struct head {
    uint64_t length;    /* of its columns as bytes; 0: nothing was recorded */
    uint64_t memory;    /* that they take */
    uint32_t n_files;   /* that tasks below have written */
    uint32_t can_write; /* 0: the task knows no name for a file */
    uint32_t n_failed;  /* that could not take, or hand over */
};

struct gathering {
    struct hpm_exchange exchange;
    const struct hpm_gather *mine;
    struct hpm_jobfile *jobfile; /* of the own task and those taken from */
    int place;                   /* in the tree; 0: at the top */
    int n_taken;                 /* of the children, bit by bit */
    uint32_t n_files;            /* written below, by others */
    uint32_t n_failed;           /* of the tasks below */
    struct hpm_error failure;    /* why there can be no file; or "" */
    char *path;                  /* the file, if this task has written one, */
    struct hpm_string name;      /* and the name that it should have */
    bool is_own_gone;

    /* buffers of messages */
    int mine_first[2], first[2]; /* see agree */
    int writer;
    bool is_summary;
    struct head head, childs;
    struct hpm_string bytes;
    int answer, is_written;
};

static void
fail(struct gathering *gathering, const struct hpm_error *err)
{
    if (gathering->failure.text[0] == '\0')
        gathering->failure = *err;
}

/* The limit of memory for what a task holds for others, in bytes. */
static uint64_t
most_memory(void)
{
    unsigned long mib = hpm_env_number(HPM_VARIABLE_JOB_MEMORY, 1, JOB_MIB);

    return (uint64_t)(mib < MOST_MIB ? mib : MOST_MIB) << 20;
}

/* The task at a place of the tree. */
static int
task_at(const struct gathering *gathering, int place)
{
    return (place + gathering->writer) % gathering->exchange.n;
}

/* ---- the own recording ------------------------------------------------- */

/* Does this task want every task in the file?  HPM_AGGREGATE says so, else the
 * number of tasks. */
static bool
wants_all(const struct hpm_exchange *exchange)
{
    const char *value = hpm_env_get(HPM_VARIABLE_AGGREGATE);

    if (value != NULL && strcmp(value, "summary") == 0)
        return false;
    if (value != NULL && strcmp(value, "all") == 0)
        return true;
    if (value != NULL && exchange->rank == 0)
        hpm_message_say_format("HPM_AGGREGATE '%.40s': expected all (every "
                               "task is in the job's file) or summary",
                               value);
    return exchange->n <= MOST_TASKS_IN_FULL;
}

/* Find the first task that has a file, n if none has, and whether the file will
 * be a summary: only if no task wants all, for tasks may have different
 * environments. */
static bool
agree(struct gathering *gathering)
{
    struct hpm_exchange *exchange = &gathering->exchange;
    MPI_Request request = MPI_REQUEST_NULL;
    int status;

    gathering->mine_first[0] =
        gathering->mine->has_text ? exchange->rank : exchange->n;
    gathering->mine_first[1] = wants_all(exchange) ? 0 : 1;
    status = PMPI_Iallreduce(gathering->mine_first, gathering->first, 2,
                             MPI_INT, MPI_MIN, exchange->comm, &request);
    if (!hpm_exchange_wait(exchange, status, &request))
        return false;
    gathering->writer = gathering->first[0];
    gathering->is_summary = gathering->first[1] == 1;
    return true;
}

static void
take_own(struct gathering *gathering)
{
    const struct hpm_gather *mine = gathering->mine;
    struct hpm_error err = {""};
    char name[32];
    bool is_good;

    gathering->jobfile = hpm_jobfile_new(gathering->is_summary, &err);
    is_good = gathering->jobfile != NULL;
    if (is_good && mine->has_text) {
        snprintf(name, sizeof name, "task %d", gathering->exchange.rank);
        hpm_jobfile_begin_task(gathering->jobfile);
        hpm_jobfile_add(gathering->jobfile, mine->text, mine->length);
        is_good = hpm_jobfile_end_task(
            gathering->jobfile,
            mine->path != NULL ? hpm_path_base_name(mine->path) : name, &err);
    }
    if (!is_good)
        fail(gathering, &err);
}

/* ---- from the children ------------------------------------------------- */

/* A task that knows no name for a file of its own is taken in any case. */
static bool
has_room_for(const struct gathering *gathering, const struct head *child)
{
    return !child->can_write ||
           hpm_jobfile_memory(gathering->jobfile) + child->memory <=
               most_memory();
}

/* False if the task cannot be reached any more. */
static bool
take_columns(struct gathering *gathering, int task, size_t length)
{
    struct hpm_string *bytes = &gathering->bytes;
    struct hpm_error err = {""};

    if (!hpm_exchange_receive(&gathering->exchange, task, bytes->text, length))
        return false;
    if (!hpm_jobfile_add_columns(gathering->jobfile, bytes->text, length, &err))
        fail(gathering, &err);
    hpm_string_free(bytes);
    return true;
}

/* A child whose columns are not taken writes a file of them. */
static bool
can_take(struct gathering *gathering, const struct head *child)
{
    if (gathering->failure.text[0] != '\0' || !has_room_for(gathering, child))
        return false;
    hpm_string_reserve(&gathering->bytes, child->length);
    if (!gathering->bytes.failed)
        return true;
    hpm_string_free(&gathering->bytes);
    gathering->bytes = (struct hpm_string){0};
    gathering->n_failed++;
    return false;
}

/* False if the child cannot be reached. */
static bool
take_child(struct gathering *gathering, int i)
{
    struct hpm_exchange *exchange = &gathering->exchange;
    struct head *child = &gathering->childs;
    int task = task_at(gathering, hpm_jobtree_child(gathering->place, i));

    if (!hpm_exchange_receive(exchange, task, child, sizeof *child))
        return false;
    gathering->n_files += child->n_files;
    gathering->n_failed += child->n_failed;
    if (child->length == 0)
        return true;
    gathering->answer = can_take(gathering, child);
    if (!hpm_exchange_send(exchange, task, &gathering->answer,
                           sizeof gathering->answer))
        return false;
    if (!gathering->answer) {
        gathering->n_files++;
        return true;
    }
    gathering->n_taken |= 1 << i;
    return take_columns(gathering, task, child->length);
}

static bool
take_children(struct gathering *gathering)
{
    int n = hpm_jobtree_n_children(gathering->place, gathering->exchange.n);

    for (int i = 0; i < n; i++) {
        if (!take_child(gathering, i))
            return false;
    }
    return true;
}

/* ---- to the parent ----------------------------------------------------- */

/* Nothing to give counts as given.  False in *ret_is_given: write a file. */
static bool
give_to_parent(struct gathering *gathering, bool *ret_is_given)
{
    struct hpm_exchange *exchange = &gathering->exchange;
    struct head *head = &gathering->head;
    int parent = task_at(gathering, hpm_jobtree_parent(gathering->place));
    struct hpm_error err = {""};

    *head = (struct head){.n_files = gathering->n_files,
                          .can_write = gathering->mine->has_text};
    if (gathering->failure.text[0] == '\0' &&
        hpm_jobfile_n_tasks(gathering->jobfile) > 0) {
        if (hpm_jobfile_get_columns(gathering->jobfile, &gathering->bytes,
                                    &err))
            head->length = gathering->bytes.length;
        else
            fail(gathering, &err);
        head->memory = hpm_jobfile_memory(gathering->jobfile);
    }
    head->n_failed = gathering->n_failed + (gathering->failure.text[0] != '\0');
    if (!hpm_exchange_send(exchange, parent, head, sizeof *head))
        return false;
    *ret_is_given = head->length == 0;
    if (head->length == 0)
        return true;
    if (!hpm_exchange_receive(exchange, parent, &gathering->answer,
                              sizeof gathering->answer))
        return false;
    *ret_is_given = gathering->answer;
    return !gathering->answer ||
           hpm_exchange_send(exchange, parent, gathering->bytes.text,
                             gathering->bytes.length);
}

/* ---- the file ---------------------------------------------------------- */

/* The file of the whole job is missing only if no task has written another. */
static void
say_failure(const struct gathering *gathering)
{
    const char *why = gathering->failure.text;

    if (gathering->place == 0 && gathering->n_files == 0)
        hpm_message_say_format("%s; there is no file of the whole job, each "
                               "task's own is kept",
                               why);
    else
        hpm_message_say_format("%s; what task %d has recorded, and what other "
                               "tasks have handed over to it, is not in the "
                               "job's file: these tasks keep their own",
                               why, gathering->exchange.rank);
}

/* Does not write a file of one task: its own says the same. */
static void
write_file(struct gathering *gathering)
{
    const struct hpm_gather *mine = gathering->mine;
    struct hpm_error *err = &gathering->failure;
    bool is_part = gathering->place > 0 || gathering->n_files > 0 ||
                   gathering->n_failed > 0;

    if (err->text[0] == '\0' && mine->path != NULL &&
        hpm_jobfile_n_tasks(gathering->jobfile) < 2)
        return;
    if (err->text[0] == '\0' && !mine->has_text)
        hpm_error_set(err, "another task cannot take what this one has been "
                           "given, and this one knows no name for a file");
    if (err->text[0] != '\0' ||
        !hpm_jobfile_write(gathering->jobfile, mine->folder, mine->name,
                           is_part, mine->is_synced, &gathering->path,
                           &gathering->name, err))
        say_failure(gathering);
}

/* Once for the job. */
static void
say_parts(const struct gathering *gathering)
{
    if (gathering->place > 0 || gathering->failure.text[0] != '\0')
        return;
    if (gathering->n_failed > 0)
        hpm_message_say("not all tasks could hand over what they have "
                        "recorded: it is in several files; hpm reads them "
                        "together");
    else if (gathering->is_summary &&
             hpm_env_get(HPM_VARIABLE_AGGREGATE) == NULL)
        hpm_message_say_format(
            "%d tasks are more than %d: the job's file is a summary, without "
            "values of single tasks (HPM_AGGREGATE=all keeps them)",
            gathering->exchange.n, MOST_TASKS_IN_FULL);
    else if (gathering->n_files > 0)
        hpm_message_say_format(
            "what the tasks have recorded takes more than the %llu MiB of "
            "HPM_JOB_MEMORY in one of them: it is in %u files; hpm reads them "
            "together",
            (unsigned long long)(most_memory() >> 20), gathering->n_files + 1);
}

/* Hear from the parent whether the file is written, and tell the children. */
static bool
pass_on_answer(struct gathering *gathering, bool is_given)
{
    struct hpm_exchange *exchange = &gathering->exchange;
    int parent = task_at(gathering, hpm_jobtree_parent(gathering->place));

    gathering->is_written = gathering->path != NULL;
    if (is_given && gathering->head.length > 0 &&
        !hpm_exchange_receive(exchange, parent, &gathering->is_written,
                              sizeof gathering->is_written))
        return false;
    for (int i = 0; i < 31; i++) {
        int task = task_at(gathering, hpm_jobtree_child(gathering->place, i));

        if ((gathering->n_taken & 1 << i) != 0 &&
            !hpm_exchange_send(exchange, task, &gathering->is_written,
                               sizeof gathering->is_written))
            return false;
    }
    return true;
}

/* The own files go only when the file that has what was in them is written.  The
 * barrier: the file's name may be free when all are gone. */
static bool
clear_up(struct gathering *gathering)
{
    struct hpm_exchange *exchange = &gathering->exchange;
    const struct hpm_gather *mine = gathering->mine;
    MPI_Request request = MPI_REQUEST_NULL;
    int status;

    if (gathering->is_written && mine->path != NULL)
        gathering->is_own_gone = unlink(mine->path) == 0;
    if (!gathering->is_written && mine->has_text && mine->path == NULL)
        hpm_message_say("the measurement of this task is lost");
    status = PMPI_Ibarrier(exchange->comm, &request);
    if (!hpm_exchange_wait(exchange, status, &request))
        return false;
    if (gathering->path != NULL)
        hpm_jobfile_rename(gathering->path, hpm_string_text(&gathering->name));
    return true;
}

/* ---- all --------------------------------------------------------------- */

/* False if a task cannot be reached any more. */
static bool
hand_over(struct gathering *gathering)
{
    bool is_given = false;

    if (!take_children(gathering))
        return false;
    if (gathering->place > 0 && !give_to_parent(gathering, &is_given))
        return false;
    if (!is_given || gathering->failure.text[0] != '\0')
        write_file(gathering);
    say_parts(gathering);
    hpm_jobfile_free(gathering->jobfile);
    gathering->jobfile = NULL;
    return pass_on_answer(gathering, is_given);
}

/* All tasks were here, and one of them is not any more: it was stopped, or gave
 * up waiting for this one, which came late. */
static void
say_unanswered(const struct hpm_exchange *exchange)
{
    if (exchange->is_late)
        hpm_message_say_format("the other tasks did not answer within %lu s "
                               "(HPM_TIMEOUT) at the end of the job; each "
                               "task's own file is kept",
                               exchange->timeout);
    else
        hpm_message_say("MPI sends no messages at the end of the job; each "
                        "task's own file is kept");
}

static bool
gather(struct gathering *gathering)
{
    int n = gathering->exchange.n;

    if (agree(gathering)) {
        if (gathering->writer == n)
            return true;
        gathering->place =
            (gathering->exchange.rank - gathering->writer + n) % n;
        take_own(gathering);
        if (hand_over(gathering) && clear_up(gathering))
            return true;
    }
    if (gathering->place == 0)
        say_unanswered(&gathering->exchange);
    return false;
}

/* One line for the job, not one for each task: task 0 says it, and tasks of a
 * second program, because task 0 may run a program without this library. */
static void
say_missing(const struct hpm_exchange *exchange,
            const struct hpm_string *missing)
{
    int *program, has_program = 0;

    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &program, &has_program);
    if (exchange->rank != 0 && !(has_program && *program > 0))
        return;
    if (!exchange->is_late)
        hpm_message_say("MPI makes no communicator at the end; each task's own "
                        "file is kept");
    else if (missing->length > 0)
        hpm_message_say_format(
            "%s did not come to MPI_Finalize with libhpm_mpi within %lu s "
            "(HPM_TIMEOUT); each task's own file is kept: 'hpm merge' makes "
            "one of them",
            missing->text, exchange->timeout);
    else
        hpm_message_say_format(
            "not all tasks came to MPI_Finalize within %lu s (HPM_TIMEOUT), or "
            "not all are linked with libhpm_mpi; each task's own file is kept",
            exchange->timeout);
}

/* False if messages may still be under way. */
static bool
meet_and_gather(struct gathering *gathering)
{
    struct hpm_string missing = {0};
    bool is_good = hpm_exchange_meet(&gathering->exchange, &missing);

    if (!is_good)
        say_missing(&gathering->exchange, &missing);
    hpm_string_free(&missing);
    if (!is_good || !gather(gathering))
        return false;
    PMPI_Comm_free(&gathering->exchange.comm);
    return true;
}

bool
hpm_gather(const struct hpm_gather *mine, bool *ret_is_own_gone)
{
    struct gathering *gathering = hpm_memory_new(1, sizeof *gathering);
    bool is_over = true;

    *ret_is_own_gone = false;
    if (gathering == NULL) {
        hpm_message_say("out of memory at the end of the job; each task's own "
                        "file is kept");
        return true;
    }
    gathering->mine = mine;
    if (hpm_exchange_begin(&gathering->exchange))
        is_over = meet_and_gather(gathering);
    *ret_is_own_gone = gathering->is_own_gone;
    hpm_jobfile_free(gathering->jobfile);
    hpm_memory_free(gathering->path);
    hpm_string_free(&gathering->name);
    if (!is_over)
        return false;
    hpm_string_free(&gathering->bytes);
    hpm_memory_free(gathering);
    return true;
}
