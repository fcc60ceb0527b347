/* SPDX-License-Identifier: BSD-3-Clause
 * Counting running processes, threads or processors, which are not
 * disturbed. */
#include "hpmcount/attach.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "host/memory.h"
#include "hpmcount/child.h"

enum { OWN_FAILURE = 125 };

/* ---- the targets' end ------------------------------------------------- */

/* How often /proc is read where the kernel gives no descriptor for a target. */
static const uint64_t look_ns = 20000000;

struct ends {
    const struct targets *targets;
    struct pollfd *fds; /* by target, -1: none; room for one more */
    size_t n;           /* 0: these targets do not end */
    bool has_all;       /* each target has a descriptor */
};

static bool
ends_open(struct ends *ret_ends, const struct targets *targets,
          struct hpm_error *err)
{
    bool has_end =
        targets->kind == TARGETS_PROCESSES || targets->kind == TARGETS_THREADS;

    *ret_ends = (struct ends){
        .targets = targets,
        .fds = hpm_memory_new(targets->n + 1, sizeof *ret_ends->fds),
        .has_all = true};
    if (ret_ends->fds == NULL)
        return hpm_error_no_memory(err);
    ret_ends->n = has_end ? targets->n : 0;
    for (size_t i = 0; i < ret_ends->n; i++) {
        ret_ends->fds[i] = (struct pollfd){.fd = -1, .events = POLLIN};
#ifdef SYS_pidfd_open
        if (targets->kind == TARGETS_PROCESSES)
            ret_ends->fds[i].fd =
                (int)syscall(SYS_pidfd_open, targets->ids[i], 0);
#endif
        ret_ends->has_all &= ret_ends->fds[i].fd >= 0;
    }
    return true;
}

/* Remove targets that have ended from the wait. */
static bool
ends_are_there(struct ends *ends)
{
    size_t n_ended = 0;

    for (size_t i = 0; i < ends->n; i++) {
        struct pollfd *fd = &ends->fds[i];

        if (fd->fd >= 0 && poll(fd, 1, 0) > 0) {
            close(fd->fd);
            fd->fd = -1;
            fd->events = 0; /* ended */
        } else if (fd->fd < 0 && fd->events != 0 &&
                   targets_has_ended(ends->targets->ids[i])) {
            fd->events = 0;
        }
        n_ended += fd->events == 0;
    }
    return ends->n > 0 && n_ended == ends->n;
}

static void
ends_close(struct ends *ends)
{
    for (size_t i = 0; i < ends->n; i++) {
        if (ends->fds[i].fd >= 0)
            close(ends->fds[i].fd);
    }
    hpm_memory_free(ends->fds);
}

/* ---- the time --------------------------------------------------------- */

struct course {
    struct attachment *attachment;
    struct launch *launch;
    const struct options *options;
    struct relay *relay;
    uint64_t *before; /* the first reading, a row for each part */
    uint64_t end_ns;  /* end of --timeout, or UINT64_MAX */
};

static uint64_t
earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t
left_until(uint64_t ns)
{
    uint64_t now = hpm_clock_instant().ns;

    return ns == UINT64_MAX ? ns : ns > now ? ns - now : 0;
}

/* The time until the next interval ends, or a counter must be read. */
static uint64_t
left_until_look(const struct course *course)
{
    return earlier(left_until(course->launch->intervals->next_ns),
                   course->launch->meter->patience_ns);
}

static void
look_at_interval(const struct course *course)
{
    uint64_t *rows = course->attachment->rows;
    uint64_t now;

    if (course->launch->meter->patience_ns != UINT64_MAX)
        watch_read(&course->attachment->watch, rows);
    if (!intervals_are_due(course->launch->intervals))
        return;
    now = hpm_clock_instant().ns;
    watch_read(&course->attachment->watch, rows);
    intervals_add(course->launch->intervals, rows, now);
}

/* Wait until the targets end, the time is over, or a signal comes. */
static bool
wait_alone(struct course *course, struct hpm_error *err)
{
    struct ends ends;

    if (!ends_open(&ends, course->attachment->targets, err))
        return false;
    while (relay_interrupt(course->relay) == 0 &&
           left_until(course->end_ns) > 0) {
        uint64_t ns =
            earlier(left_until(course->end_ns), left_until_look(course));

        course->attachment->has_ended = ends_are_there(&ends);
        if (course->attachment->has_ended)
            break;
        relay_rest(course->relay, ends.fds, ends.n,
                   ends.has_all ? ns : earlier(ns, look_ns));
        look_at_interval(course);
    }
    ends_close(&ends);
    return true;
}

static bool
see_begin(struct course *course, struct hpm_error *err)
{
    struct launch *launch = course->launch;
    struct attachment *attachment = course->attachment;

    procusage_read(attachment->targets, &attachment->first);
    clock_gettime(CLOCK_REALTIME, &launch->date);
    launch->start = launch->counted_from = hpm_clock_instant();
    watch_read(&attachment->watch, course->before);
    return intervals_begin(
        launch->intervals, launch->meter,
        attachment->watch.has_parts ? attachment->watch.parts : NULL,
        attachment->watch.n_parts, course->before, launch->start.ns, err);
}

static void
see_end(struct course *course)
{
    struct launch *launch = course->launch;
    struct attachment *attachment = course->attachment;
    size_t n_slots = launch->meter->n_slots;

    launch->end = hpm_clock_instant();
    watch_read(&attachment->watch, attachment->rows);
    procusage_read(attachment->targets, &attachment->last);
    intervals_end(launch->intervals, attachment->rows, launch->end.ns);
    for (size_t i = 0; i < attachment->watch.n_parts * n_slots; i++) {
        attachment->rows[i] -= course->before[i];
        launch->counts[i % n_slots] += attachment->rows[i];
    }
    procusage_take(&attachment->first, &attachment->last, &launch->usage);
}

/* ---- with a program that sets the time --------------------------------- */

static enum relay_event
wait_through_intervals(struct course *course)
{
    enum relay_event event;

    do {
        event = relay_wait(course->relay, left_until_look(course));
        look_at_interval(course);
    } while (event == RELAY_TIMEOUT);
    return event;
}

/* The program is not counted, unless it belongs to the targets. */
static int
wait_for_program(struct course *course, struct child *child,
                 struct hpm_error *err)
{
    struct launch *launch = course->launch;
    int failure;

    if (!see_begin(course, err)) {
        child_dismiss(child, course->relay);
        return OWN_FAILURE;
    }
    failure = child_release(child, &launch->before, err);
    launch->is_left =
        failure == 0 && wait_through_intervals(course) == RELAY_LEAVE;
    see_end(course);
    while (!launch->is_left &&
           waitpid(course->relay->program, &launch->status, 0) < 0 &&
           errno == EINTR)
        continue;
    return failure;
}

/* ---- public functions ------------------------------------------------- */

static int
wait_for_end(struct course *course, struct hpm_error *err)
{
    if (!see_begin(course, err))
        return OWN_FAILURE;
    if (course->options->timeout_ms > 0)
        course->end_ns =
            course->launch->start.ns + course->options->timeout_ms * 1000000u;
    if (!wait_alone(course, err))
        return OWN_FAILURE;
    see_end(course);
    return 0;
}

/* Open the counters. */
static bool
open_course(struct course *course, const struct hpm_eventset *set,
            struct hpm_error *err)
{
    struct attachment *attachment = course->attachment;
    const struct options *options = course->options;
    bool has_parts = options->has_thread_rows || options->has_core_rows;
    size_t n;

    if (!watch_open(&attachment->watch, attachment->targets, set, has_parts,
                    err))
        return false;
    course->launch->meter = watch_meter(&attachment->watch);
    n = attachment->watch.n_parts * course->launch->meter->n_slots;
    attachment->rows = hpm_memory_new(n, sizeof *attachment->rows);
    course->before = hpm_memory_new(n, sizeof *course->before);
    return (attachment->rows != NULL && course->before != NULL) ||
           hpm_error_no_memory(err);
}

int
attach_run(struct attachment *ret_attachment, struct launch *ret_launch,
           const struct options *options, const struct targets *targets,
           const struct hpm_eventset *set, struct intervals *intervals,
           struct relay *relay, struct hpm_error *err)
{
    struct course course = {ret_attachment, ret_launch, options,
                            relay,          NULL,       UINT64_MAX};
    bool has_program = options->command[0] != NULL;
    struct child child;
    int failure = 0;

    *ret_attachment = (struct attachment){.targets = targets};
    *ret_launch = (struct launch){.word = targets->name,
                                  .intervals = intervals,
                                  .attachment = ret_attachment};
    /* before the limit of descriptors is raised: the program must not inherit
     * that */
    if (has_program)
        failure = child_start(&child, options->command, relay, err);
    if (failure != 0)
        return failure;
    if (open_course(&course, set, err)) {
        failure = has_program ? wait_for_program(&course, &child, err)
                              : wait_for_end(&course, err);
    } else {
        failure = OWN_FAILURE;
        if (has_program)
            child_dismiss(&child, relay);
    }
    hpm_memory_free(course.before);
    return failure;
}

void
attach_clear(struct attachment *attachment)
{
    watch_close(&attachment->watch);
    hpm_memory_free(attachment->rows);
    attachment->rows = NULL;
}
