/* SPDX-License-Identifier: BSD-3-Clause
 * Running a program and counting it, without disturbing it. */
#include "hpmcount/launch.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mark.h"
#include "hpmcount/child.h"
#include "hpmcount/intervals.h"
#include "hpmcount/say.h"
#include "source/sources.h"
#include "source/usage.h"

enum { OWN_FAILURE = 125 };

/* The child may still grow by so much in exec: pages come 16 at a time. */
enum { EXEC_KB = 128 };

/* ---- the run --------------------------------------------------------- */

static void
wait_for(struct launch *launch, pid_t pid)
{
    while (wait4(pid, &launch->status, 0, &launch->usage) < 0 && errno == EINTR)
        continue;
}

/* The time until the next look at the witness, the next step or interval, or
 * the next reading that a counter needs. */
static uint64_t
pause_until(uint64_t look_ns, const struct launch *launch)
{
    uint64_t next =
        look_ns < launch->steps.next_ns ? look_ns : launch->steps.next_ns;
    uint64_t now = hpm_clock_instant().ns;

    if (launch->intervals->next_ns < next)
        next = launch->intervals->next_ns;
    if (launch->profiler.next_ns < next)
        next = launch->profiler.next_ns;
    if (launch->prober.next_ns < next)
        next = launch->prober.next_ns;
    next = next == UINT64_MAX ? next : next > now ? next - now : 1;
    return next < launch->meter->patience_ns ? next
                                             : launch->meter->patience_ns;
}

/* A counter that starts again at 0 after its largest value must be read before
 * that. */
static void
read_impatient(const struct launch *launch)
{
    uint64_t row[HPM_MAX_SLOTS] = {0};

    if (launch->meter->patience_ns != UINT64_MAX)
        hpm_meter_read(launch->meter, row);
}

static void
look_at_interval(const struct launch *launch)
{
    uint64_t row[HPM_MAX_SLOTS] = {0};
    uint64_t now;

    if (!intervals_are_due(launch->intervals))
        return;
    now = hpm_clock_instant().ns;
    hpm_meter_read(launch->meter, row);
    intervals_add(launch->intervals, row, now);
}

/* Begin the intervals where counting begins, with `before` as the first
 * reading. */
static bool
begin_intervals(const struct launch *launch, const uint64_t *before,
                struct hpm_error *err)
{
    return intervals_begin(launch->intervals, launch->meter, NULL, 1, before,
                           launch->counted_from.ns, err);
}

/* Pauses become longer and longer: so any program that runs longer than the
 * first pause gets a look in the last seven eighths of its time. */
static enum relay_event
wait_for_end(struct launch *launch, struct relay *relay,
             struct witness *witness)
{
    uint64_t pause_ns = 10000000, look_ns = hpm_clock_instant().ns + pause_ns;
    struct steps *steps = &launch->steps;
    enum relay_event event;

    while ((event = relay_wait(relay, pause_until(look_ns, launch))) ==
           RELAY_TIMEOUT) {
        uint64_t now = hpm_clock_instant().ns;

        steps_look(steps);
        read_impatient(launch);
        look_at_interval(launch);
        profiler_look(&launch->profiler);
        prober_look(&launch->prober);
        if (now < look_ns)
            continue;
        witness_look(witness);
        if (pause_ns < UINT64_MAX / 16)
            pause_ns *= 8;
        look_ns = now < UINT64_MAX - pause_ns ? now + pause_ns : UINT64_MAX;
    }
    return event;
}

/* Counters run during the delay, too: their values at its end are
 * subtracted. */
static enum relay_event
wait_through_delay(struct launch *launch, struct relay *relay,
                   uint64_t delay_ns, struct witness *witness, uint64_t *before)
{
    enum relay_event event;
    struct hpm_error err;

    for (uint64_t left_ns = delay_ns;;) {
        uint64_t patience_ns = launch->meter->patience_ns;
        uint64_t pause_ns = left_ns < patience_ns ? left_ns : patience_ns;

        event = relay_wait(relay, pause_ns);
        left_ns -= pause_ns;
        if (event != RELAY_TIMEOUT || left_ns == 0)
            break;
        read_impatient(launch);
    }
    launch->ends_early = event != RELAY_TIMEOUT;
    if (launch->ends_early)
        return event;
    hpm_meter_read(launch->meter, before);
    launch->counted_from = hpm_clock_instant();
    steps_begin(&launch->steps, launch->meter, before);
    if (!begin_intervals(launch, before, &err))
        say("%s", err.text);
    return wait_for_end(launch, relay, witness);
}

/* Why an event of getrusage has no value for the program; or NULL. */
static const char *
find_obstacle(const struct launch *launch, const struct hpm_event *event)
{
    if (launch->is_left)
        return N_("known only of a program that has ended");
    if (launch->hides_peak && hpm_usage_is_peak(event))
        return N_("the program was smaller than the child of hpmcount that "
                  "became it");
    return NULL;
}

/* Values of getrusage are from this program's wait: the kernel's sum over all
 * children includes earlier runs. */
static void
take_usage(struct launch *launch)
{
    for (size_t i = 0; i < launch->meter->n_events; i++) {
        const struct hpm_event *event = &launch->meter->set->events[i];
        const char *obstacle = find_obstacle(launch, event);

        if (hpm_usage_take(event, &launch->usage, &launch->counts[1 + i]) &&
            obstacle != NULL)
            hpm_meter_fail(launch->meter, i, HPM_STATE_LOST, obstacle);
    }
}

/* Subtract hpmcount's own i/o while it waited for the program. */
static void
take_io(struct launch *launch, const uint64_t *before,
        const struct hpm_usage_io *at_first, const struct hpm_usage_io *at_last)
{
    for (size_t i = 0; i < launch->meter->n_events; i++) {
        const struct hpm_event *event = &launch->meter->set->events[i];
        uint64_t value;

        if (hpm_usage_take_io(event, at_first, at_last, &value))
            launch->counts[1 + i] = value - before[1 + i];
        else if (hpm_usage_is_io(event))
            hpm_meter_fail(launch->meter, i, HPM_STATE_LOST,
                           N_("/proc/self/io could not be read any more"));
    }
}

static void
wait_and_take_io(struct launch *launch, pid_t pid, const uint64_t *before)
{
    struct hpm_usage_io at_first, at_last;

    hpm_usage_read_io(true, &at_first);
    wait_for(launch, pid);
    hpm_usage_read_io(false, &at_last);
    take_io(launch, before, &at_first, &at_last);
}

static bool
is_switches(const struct hpm_event *event)
{
    return event->source == &hpm_source_kernel &&
           event->encoding.type == PERF_TYPE_SOFTWARE &&
           event->encoding.config == PERF_COUNT_SW_CONTEXT_SWITCHES &&
           event->domain == HPM_DOMAIN_ALL;
}

/* The number of processes that ended: each gives up its processor once more
 * after its counters have stopped. 0 where context switches are not counted. */
static uint64_t
count_ends(const struct launch *launch)
{
    const struct rusage *usage = &launch->usage, *before = &launch->before;
    uint64_t left = (uint64_t)(usage->ru_nvcsw + usage->ru_nivcsw -
                               before->ru_nvcsw - before->ru_nivcsw);

    for (size_t i = 0; i < launch->meter->n_events; i++) {
        uint64_t counted = launch->counts[1 + i];

        if (is_switches(&launch->meter->set->events[i]))
            return counted > 0 && counted < left ? left - counted : 0;
    }
    return 0;
}

/* The kernel tells the program's processors until the program is waited for. */
static int
count_processors_of(pid_t pid)
{
    cpu_set_t own, processors;

    if (sched_getaffinity(0, sizeof own, &own) != 0 ||
        sched_getaffinity(pid, sizeof processors, &processors) != 0 ||
        CPU_EQUAL(&own, &processors))
        return 0;
    return CPU_COUNT(&processors);
}

/* Read the counters at the program's end.  Most of what /proc tells about the
 * program must be read before it is waited for. */
static void
see_end(struct launch *launch, pid_t pid, const struct witness *witness,
        const uint64_t *before)
{
    uint64_t after[HPM_MAX_SLOTS] = {0};

    launch->end = hpm_clock_instant();
    hpm_meter_read(launch->meter, after);
    profiler_end(&launch->profiler);
    prober_end(&launch->prober);
    if (hpm_meter_is_replayed(launch->meter))
        launch->end = hpm_clock_instant();
    for (size_t i = 0; i < launch->meter->n_slots; i++)
        launch->counts[i] = after[i] - before[i];
    steps_end(&launch->steps, launch->counts);
    intervals_end(launch->intervals, after, launch->end.ns);
    if (launch->is_left) {
        launch->status = SIGTERM; /* as if SIGTERM had ended it */
        take_usage(launch);
        return;
    }
    launch->n_allowed = count_processors_of(pid);
    launch->leaves_others = witness_sees_others(witness);
    wait_and_take_io(launch, pid, before);
    launch->finding =
        witness_judge(witness, &launch->usage, count_ends(launch));
    launch->hides_peak =
        launch->usage.ru_maxrss <= launch->before.ru_maxrss + EXEC_KB;
    hpm_usage_take_off(&launch->usage, &launch->before);
    take_usage(launch);
}

/* The child was read before it was released: its last reads and writes as
 * hpmcount's child do not belong to the program. */
static void
pass_over_child(const struct launch *launch, uint64_t *before)
{
    for (size_t i = 0; i < launch->meter->n_events; i++) {
        const struct hpm_event *event = &launch->meter->set->events[i];

        if (hpm_usage_is_io(event))
            before[1 + i] += child_own_io(event->name);
    }
}

/* Release the child, and follow the program to its end. */
static int
follow(struct launch *launch, const struct launch_request *request,
       struct relay *relay, struct child *child, struct witness *witness,
       struct hpm_error *err)
{
    uint64_t before[HPM_MAX_SLOTS] = {0};
    enum relay_event event;
    int failure;

    hpm_meter_read(launch->meter, before);
    if (hpm_meter_is_replayed(launch->meter))
        hpm_clock_replay(); /* each run replays the whole file */
    clock_gettime(CLOCK_REALTIME, &launch->date);
    launch->start = launch->counted_from = hpm_clock_instant();
    steps_begin(&launch->steps, launch->meter, before);
    failure = child_release(child, &launch->before, err);
    pass_over_child(launch, before);
    if (failure == 0 && request->delay_ns > 0)
        event = wait_through_delay(launch, relay, request->delay_ns, witness,
                                   before);
    else {
        if (failure == 0 && !begin_intervals(launch, before, err))
            say("%s", err->text);
        event = wait_for_end(launch, relay, witness);
    }
    launch->is_left = event == RELAY_LEAVE;
    see_end(launch, relay->program, witness, before);
    return failure;
}

/* Count the waiting child and let it continue; on failure dismiss it. */
static int
count_child(struct launch *launch, const struct launch_request *request,
            struct relay *relay, struct child *child, struct hpm_error *err)
{
    struct witness witness = WITNESS_BLIND;
    int failure;

    launch->meter =
        hpm_meter_open(request->set, HPM_TARGET_PROGRAM, relay->program, err);
    if (launch->meter == NULL ||
        !profiler_open(&launch->profiler, request->sampling, relay->program,
                       err) ||
        !prober_open(&launch->prober, request->probes, request->set,
                     relay->program, err)) {
        child_dismiss(child, relay);
        return OWN_FAILURE;
    }
    if (request->has_witness)
        witness_open(&witness, relay->program);
    failure = follow(launch, request, relay, child, &witness, err);
    witness_close(&witness);
    return failure;
}

int
launch_run(struct launch *ret_launch, const struct launch_request *request,
           struct relay *relay, struct hpm_error *err)
{
    struct child child;
    int failure;

    *ret_launch = (struct launch){.word = request->argv[0],
                                  .prober.next_ns = UINT64_MAX,
                                  .intervals = request->intervals};
    failure = child_start(&child, request->argv, relay, err);
    return failure != 0 ? failure
                        : count_child(ret_launch, request, relay, &child, err);
}

void
launch_clear(struct launch *launch)
{
    steps_clear(&launch->steps);
    profiler_clear(&launch->profiler);
    prober_clear(&launch->prober);
    if (launch->attachment == NULL)
        hpm_meter_close(launch->meter);
    launch->meter = NULL;
}

/* Ending by the same signal tells a shell's loop to stop.  The program has left
 * its core dump; hpmcount must not write one, not even to a pipe. */
void
launch_end_like(int status)
{
    sigset_t only;
    int number;

    if (!WIFSIGNALED(status))
        exit(WEXITSTATUS(status));
    number = WTERMSIG(status);
    fflush(NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    prctl(PR_SET_DUMPABLE, 0);
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    _exit(128 + number);
}
