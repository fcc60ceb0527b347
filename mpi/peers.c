/* SPDX-License-Identifier: BSD-3-Clause
 * Notes between tasks, on a communicator of their own. */
#include "mpi/peers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "host/memory.h"

enum {
    NOTE_TAG = 1,
    ANSWER_TAG = 2,    /* and the numbers after it, one for each question */
    N_ANSWERS = 30000, /* every MPI has tags up to 32,767 */
    N_QUESTIONS = 64,  /* open at one time */
    N_NOTES = 256,     /* not yet answered */
    N_YIELDS = 1000,
    N_LOOKS = 4 /* an MPI may take in one message at each look */
};

enum kind { WAITS_IN_SEND, WAITS_IN_RECEIVE, WAITS_NO_MORE };

/* A communicator has no name that both tasks know: what a note says of a message tells
 * it from others of these two tasks. */
struct note {
    uint64_t asker;  /* a thread of the task that waits */
    uint64_t serial; /* of the question, in the sender */
    uint64_t bytes;  /* of a message that is sent */
    int32_t kind;
    int32_t tag;
    int32_t sender, receiver; /* their numbers in the communicator */
};

/* In use until the note is sent, which MPI may do after the question is closed. */
struct hpm_question {
    atomic_flag is_taken;
    struct note note;
    int task; /* that it is written to */
    MPI_Request sent, answer;
};

static MPI_Comm own_comm = MPI_COMM_NULL;
static MPI_Group world;
static int n_tasks;
static atomic_bool *is_written_to; /* by task */
static struct hpm_question questions[N_QUESTIONS];
static _Atomic uint64_t last_serial;

/* Notes that have come, the oldest first. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    struct note note;
    int source; /* in MPI_COMM_WORLD */
} notes[N_NOTES];
static size_t n_notes;

bool
hpm_peers_begin(void)
{
    if (PMPI_Comm_dup(MPI_COMM_WORLD, &own_comm) != MPI_SUCCESS ||
        PMPI_Comm_set_errhandler(own_comm, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS ||
        PMPI_Comm_size(MPI_COMM_WORLD, &n_tasks) != MPI_SUCCESS)
        return false;
    is_written_to = hpm_memory_new((size_t)n_tasks, sizeof *is_written_to);
    if (is_written_to == NULL)
        return false;
    for (size_t i = 0; i < N_QUESTIONS; i++)
        questions[i].sent = questions[i].answer = MPI_REQUEST_NULL;
    return true;
}

/* The number in MPI_COMM_WORLD of a task that a message goes to, or comes from;
 * negative: it has none. */
static int
find_in_world(MPI_Comm comm, int rank)
{
    MPI_Group group;
    int is_inter = 0, found = MPI_UNDEFINED;

    if (rank < 0 || comm == MPI_COMM_WORLD)
        return rank;
    PMPI_Comm_test_inter(comm, &is_inter);
    if ((is_inter ? PMPI_Comm_remote_group(comm, &group)
                  : PMPI_Comm_group(comm, &group)) != MPI_SUCCESS)
        return -1;
    PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
    PMPI_Group_free(&group);
    return found == MPI_UNDEFINED ? -1 : found;
}

/* This task's number in the communicator. */
static int
own_number(MPI_Comm comm)
{
    int rank = -1;

    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/* ---- the task that waits ------------------------------------------------- */

static struct hpm_question *
take_question(void)
{
    for (size_t i = 0; i < N_QUESTIONS; i++) {
        struct hpm_question *each = &questions[i];
        int is_sent = 0;

        if (atomic_flag_test_and_set(&each->is_taken))
            continue;
        if (PMPI_Test(&each->sent, &is_sent, MPI_STATUS_IGNORE) ==
                MPI_SUCCESS &&
            is_sent)
            return each;
        atomic_flag_clear(&each->is_taken);
    }
    return NULL;
}

/* An address in the memory of the thread tells it from others. */
static uint64_t
calling_thread(void)
{
    static __thread char mark;

    return (uint64_t)(uintptr_t)&mark;
}

static bool
write_note(struct hpm_question *question, int task)
{
    question->task = task;
    is_written_to[task] = true;
    question->note.asker = calling_thread();
    if (PMPI_Isend(&question->note, sizeof question->note, MPI_BYTE, task,
                   NOTE_TAG, own_comm, &question->sent) == MPI_SUCCESS)
        return true;
    question->sent = MPI_REQUEST_NULL;
    return false;
}

static bool
has_note_of(struct note *ret_note, const struct hpm_sending *sending)
{
    MPI_Count size = 0;

    *ret_note = (struct note){.kind = WAITS_IN_SEND,
                              .tag = sending->tag,
                              .sender = own_number(sending->comm),
                              .receiver = sending->dest,
                              .serial = atomic_fetch_add(&last_serial, 1) + 1};
    return PMPI_Type_size_x(sending->type, &size) == MPI_SUCCESS && size >= 0 &&
           !__builtin_mul_overflow(sending->count, size, &ret_note->bytes);
}

static int
tag_of_answer(uint64_t serial)
{
    return ANSWER_TAG + (int)(serial % N_ANSWERS);
}

struct hpm_question *
hpm_peers_ask(const struct hpm_sending *sending)
{
    int task = find_in_world(sending->comm, sending->dest);
    struct hpm_question *question = task < 0 ? NULL : take_question();

    if (question == NULL)
        return NULL;
    if (has_note_of(&question->note, sending) &&
        PMPI_Irecv(NULL, 0, MPI_BYTE, task,
                   tag_of_answer(question->note.serial), own_comm,
                   &question->answer) == MPI_SUCCESS &&
        write_note(question, task))
        return question;
    hpm_question_close(question);
    return NULL;
}

MPI_Request *
hpm_question_answer(struct hpm_question *question)
{
    return &question->answer;
}

static bool
tell(int task, const struct note *note)
{
    struct hpm_question *question = task < 0 ? NULL : take_question();
    bool is_written;

    if (question == NULL)
        return false;
    question->note = *note;
    is_written = write_note(question, task);
    atomic_flag_clear(&question->is_taken);
    return is_written;
}

/* A note that stays behind would be taken for one about the next message. */
void
hpm_question_close(struct hpm_question *question)
{
    bool is_open = question->answer != MPI_REQUEST_NULL;

    if (is_open) {
        PMPI_Cancel(&question->answer);
        PMPI_Wait(&question->answer, MPI_STATUS_IGNORE);
    }
    if (is_open && question->sent != MPI_REQUEST_NULL)
        tell(question->task, &(struct note){.kind = WAITS_NO_MORE});
    atomic_flag_clear(&question->is_taken);
}

bool
hpm_peers_tell_waiting(int source, int tag, MPI_Comm comm)
{
    return tell(find_in_world(comm, source),
                &(struct note){.kind = WAITS_IN_RECEIVE,
                               .tag = tag,
                               .sender = source,
                               .receiver = own_number(comm)});
}

void
hpm_peers_tell_end(int source, MPI_Comm comm)
{
    tell(find_in_world(comm, source), &(struct note){.kind = WAITS_NO_MORE});
}

/* ---- the task that is late ----------------------------------------------- */
static void
forget(size_t i)
{
    n_notes--;
    memmove(&notes[i], &notes[i + 1], (n_notes - i) * sizeof notes[0]);
}

/* A thread waits in one call at a time: its older notes are of calls that have
 * ended. */
static void
keep(const struct note *note, int source)
{
    for (size_t i = n_notes; i-- > 0;) {
        if (notes[i].source == source && notes[i].note.asker == note->asker)
            forget(i);
    }
    if (note->kind == WAITS_NO_MORE)
        return;
    if (n_notes == N_NOTES)
        forget(0);
    notes[n_notes].note = *note;
    notes[n_notes].source = source;
    n_notes++;
}

/* Another thread may take the note between the look and the receive, unless the look
 * takes it. */
static bool
take_in(void)
{
    MPI_Message message;
    MPI_Status status;
    struct note note;
    int is_there = 0;

    if (PMPI_Improbe(MPI_ANY_SOURCE, NOTE_TAG, own_comm, &is_there, &message,
                     &status) != MPI_SUCCESS ||
        !is_there ||
        PMPI_Mrecv(&note, sizeof note, MPI_BYTE, &message, &status) !=
            MPI_SUCCESS)
        return false;
    keep(&note, status.MPI_SOURCE);
    return true;
}

/* Is the note about the message?  A receiver may wait for any tag, and does not know
 * how many bytes come. */
static bool
is_about(const struct note *note, const struct note *message)
{
    return note->kind == message->kind && note->sender == message->sender &&
           note->receiver == message->receiver &&
           (note->kind == WAITS_IN_SEND
                ? note->tag == message->tag && note->bytes == message->bytes
                : note->tag == message->tag || note->tag == MPI_ANY_TAG);
}

/* Take out the newest note of the task about the message. */
static bool
take_out(int task, const struct note *message, uint64_t *ret_serial)
{
    for (size_t i = n_notes; i-- > 0;) {
        if (notes[i].source != task || !is_about(&notes[i].note, message))
            continue;
        *ret_serial = notes[i].note.serial;
        forget(i);
        return true;
    }
    return false;
}

/* All that has come is taken in first, because a newer note of a thread ends its older
 * one. */
static bool
find_note(int task, const struct note *message, uint64_t *ret_serial)
{
    bool is_found = false;

    pthread_mutex_lock(&lock);
    for (int i = 0; !is_found && i < N_LOOKS; i++) {
        while (take_in())
            continue;
        is_found = take_out(task, message, ret_serial);
    }
    pthread_mutex_unlock(&lock);
    return is_found;
}

/* An answer has no bytes, so that nothing of it must stay in memory. */
static bool
answer(int task, uint64_t serial)
{
    MPI_Request request;

    is_written_to[task] = true;
    return PMPI_Isend(NULL, 0, MPI_BYTE, task, tag_of_answer(serial), own_comm,
                      &request) == MPI_SUCCESS &&
           PMPI_Request_free(&request) == MPI_SUCCESS;
}

/* The note is sent after the message, and may come after it. */
bool
hpm_peers_answer(const MPI_Status *status, MPI_Comm comm)
{
    struct note message = {.kind = WAITS_IN_SEND,
                           .tag = status->MPI_TAG,
                           .sender = status->MPI_SOURCE,
                           .receiver = own_number(comm)};
    MPI_Count bytes = 0;
    uint64_t serial;
    int source = find_in_world(comm, status->MPI_SOURCE);

    if (source < 0 ||
        PMPI_Get_elements_x(status, MPI_BYTE, &bytes) != MPI_SUCCESS)
        return false;
    message.bytes = (uint64_t)bytes;
    return find_note(source, &message, &serial) && answer(source, serial);
}

bool
hpm_peers_wait_for_this(int dest, int tag, MPI_Comm comm)
{
    struct note message = {.kind = WAITS_IN_RECEIVE,
                           .tag = tag,
                           .sender = own_number(comm),
                           .receiver = dest};
    uint64_t serial;
    int task = find_in_world(comm, dest);

    return task >= 0 && find_note(task, &message, &serial);
}

/* ---- the end ------------------------------------------------------------- */

/* Others need the processors to come as far. */
static void
pause_after(unsigned long n_looks)
{
    const struct timespec step = {0, 100000};

    if (n_looks < N_YIELDS)
        sched_yield();
    else
        nanosleep(&step, NULL);
}

static bool
receive_any(void)
{
    MPI_Message message;
    MPI_Status status;
    struct note note;
    int is_there = 0;

    return PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, own_comm, &is_there,
                        &message, &status) == MPI_SUCCESS &&
           is_there &&
           PMPI_Mrecv(&note, sizeof note, MPI_BYTE, &message, &status) ==
               MPI_SUCCESS;
}

/* A last note to each task that this one has written to: who has received it has
 * received all that was written before.  Returns how many. */
static int
write_last(MPI_Request *requests)
{
    static const struct note last = {.kind = WAITS_NO_MORE};
    int n = 0;

    for (int task = 0; task < n_tasks; task++) {
        if (is_written_to[task] &&
            PMPI_Issend(&last, sizeof last, MPI_BYTE, task, NOTE_TAG, own_comm,
                        &requests[n]) == MPI_SUCCESS)
            n++;
    }
    return n;
}

/* Receive until the last notes of all tasks have been received: a task comes to the
 * barrier when its own ones have. */
static void
receive_all(MPI_Request *requests, int n)
{
    MPI_Request barrier = MPI_REQUEST_NULL;
    int i = 0;
    int status = n == 0 ? PMPI_Ibarrier(own_comm, &barrier) : MPI_SUCCESS;

    for (unsigned long looks = 0; i <= n && status == MPI_SUCCESS; looks++) {
        int is_over = 0;

        while (receive_any())
            continue;
        status = PMPI_Test(i < n ? &requests[i] : &barrier, &is_over,
                           MPI_STATUS_IGNORE);
        i += is_over;
        if (is_over && i == n)
            status = PMPI_Ibarrier(own_comm, &barrier);
        pause_after(looks);
    }
}

void
hpm_peers_end(void)
{
    MPI_Request *requests =
        hpm_memory_new((size_t)n_tasks + 1, sizeof *requests);

    if (requests == NULL)
        return;
    receive_all(requests, write_last(requests));
    hpm_memory_free(requests);
    for (size_t i = 0; i < N_QUESTIONS; i++)
        PMPI_Wait(&questions[i].sent, MPI_STATUS_IGNORE);
    PMPI_Group_free(&world);
    PMPI_Comm_free(&own_comm);
    hpm_memory_free(is_written_to);
}
