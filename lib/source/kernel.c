/* SPDX-License-Identifier: BSD-3-Clause
 * Source "kernel": what perf_event_open counts. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/descriptor.h"
#include "host/memory.h"
#include "source/fit.h"
#include "source/kernelnames.h"
#include "source/obstacle.h"
#include "source/kinds.h"
#include "source/meter.h"
#include "source/page.h"
#include "source/perf.h"
#include "source/registers.h"
#include "source/source.h"
#include "source/tasks.h"

/* ---- counting -------------------------------------------------------- */

struct counter {
    int fd;
    uint64_t identity;
    uint16_t slot;
    pid_t thread;                            /* 0 for the one that opened it */
    const struct perf_event_mmap_page *page; /* NULL: none */
};

/* Counters one read gives together.  For a thread: a scheduling group, read
 * through its leader, the first.  For a process or program: one event, each
 * counter (one per thread that was there) read apart, because group reads of
 * inherited counters fail while a child exits. */
struct group {
    struct counter *counters;
    size_t n_counters;
    size_t capacity;
    const struct hpm_encoding *leader; /* what the first counter counts */
    uint16_t clock_slot;               /* enabled; running is the next one */
    size_t n_of_pmu;                   /* counters of hardware */
    size_t kind;                       /* of cores, or HPM_NO_KIND */
    enum way {
        BY_READ, /* of its leader: a thread's, and first, for it is compared with */
        BY_PAGES, /* each of its counters has one; where that does not do, by read */
        APART,
        LOST
    } way;
};

/* A leader nobody asked for has a group of its own, and so has what tells the time
 * on a kind of cores. */
enum { MAX_GROUPS = HPM_MAX_ALL_EVENTS + HPM_METER_HIDDEN };

struct kernel_counting {
    const struct hpm_cursor *cursor; /* first: source.h */
    struct hpm_meter *meter;
    struct group groups[MAX_GROUPS];
    size_t n_groups;
    size_t most_in_group; /* counters of hardware; 0: as many as it takes */
    struct hpm_event hidden_leader;              /* if there is one */
    struct hpm_event kind_cycles[HPM_MAX_KINDS]; /* those nobody asked for */
    bool has_kinds; /* some group counts on one kind of cores only */
    struct hpm_kinds_times times;
    const pid_t *threads; /* while opening for others: whose counters ... */
    size_t n_threads;
    unsigned flags;              /* ... and how */
    struct hpm_page_owner owner; /* of the groups' pages, if there are any */
    unsigned thread_flags;       /* of a thread's own counters */
    size_t n_slots_before;       /* what others have of the meter's slots */
    bool is_exposed; /* the program's files may get our descriptors' numbers */
};

enum { MAX_GROUP_READ = 3 + HPM_MAX_ALL_EVENTS + 1 };

static bool
add_counter(struct group *group, int fd, uint16_t slot, pid_t thread)
{
    if (!hpm_memory_grow(&group->counters, &group->capacity,
                         group->n_counters + 1, sizeof *group->counters)) {
        hpm_perf_drop(fd);
        return false;
    }
    group->counters[group->n_counters++] =
        (struct counter){fd, hpm_perf_identity(fd), slot, thread, NULL};
    return true;
}

/* ---- pages ------------------------------------------------------------ */

static void
unmap_group(struct group *group, const struct hpm_page_owner *owner)
{
    for (size_t i = 0; i < group->n_counters; i++) {
        hpm_page_unmap(group->counters[i].page, owner);
        group->counters[i].page = NULL;
    }
}

/* All of its counters, or none: what one read(2) gives anyway need not be read
 * apart. */
static void
map_group(struct group *group, const struct hpm_page_owner *owner)
{
    bool has_pages = true;

    for (size_t i = 0; i < group->n_counters && has_pages; i++) {
        group->counters[i].page = hpm_page_map(group->counters[i].fd);
        has_pages = group->counters[i].page != NULL;
    }
    if (has_pages)
        group->way = BY_PAGES;
    else
        unmap_group(group, owner);
}

static void
map_groups(struct kernel_counting *counting)
{
    if (!hpm_page_own(&counting->owner))
        return;
    for (size_t i = 0; i < counting->n_groups; i++)
        map_group(&counting->groups[i], &counting->owner);
}

static inline bool
read_pages(const struct kernel_counting *counting, const struct group *group,
           uint64_t *slots)
{
    const struct counter *counter = group->counters;
    struct hpm_page_reading leader, reading;

    if (!hpm_page_is_owned(&counting->owner) ||
        !hpm_registers_read_page(counter->page, true, &leader))
        return false;
    slots[counter->slot] = leader.count;
    slots[group->clock_slot] = leader.enabled;
    slots[group->clock_slot + 1] = leader.running;
    for (size_t i = 1; i < group->n_counters; i++) {
        counter = &group->counters[i];
        if (!hpm_registers_read_page(counter->page, false, &reading))
            return false;
        slots[counter->slot] = reading.count;
    }
    return true;
}

/* ---- opening ---------------------------------------------------------- */

static void
close_group(struct group *group, const struct hpm_page_owner *owner)
{
    unmap_group(group, owner);
    /* members before their leader */
    for (size_t i = group->n_counters; i-- > 0;)
        hpm_perf_close(group->counters[i].fd, group->counters[i].identity);
    hpm_memory_free(group->counters);
}

static struct group *
new_group(struct kernel_counting *counting, const struct hpm_event *leader)
{
    struct group *group = &counting->groups[counting->n_groups++];

    *group =
        (struct group){.leader = &leader->encoding,
                       .kind = hpm_kinds_of(&leader->encoding),
                       .way = APART,
                       .clock_slot = hpm_meter_add_slots(counting->meter, 2)};
    counting->has_kinds |= group->kind != HPM_NO_KIND;
    if (counting->meter->target == HPM_TARGET_THREAD) {
        group->way = BY_READ;
        group->capacity = counting->meter->n_events + 1; /* hidden leader */
        group->counters =
            hpm_memory_new_apart(group->capacity * sizeof *group->counters);
    }
    if (group->counters == NULL)
        group->capacity = 0; /* until one is added */
    return group;
}

static void
fail_event(struct hpm_meter *meter, size_t event, int error)
{
    struct hpm_error err;

    hpm_obstacle_explain(error, &err);
    hpm_meter_fail(meter, event, HPM_STATE_UNSUPPORTED, err.text);
}

static void
fail_all(struct hpm_meter *meter, int error)
{
    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->set->events[i].source == &hpm_source_kernel)
            fail_event(meter, i, error);
    }
}

static bool
leads(const struct hpm_encoding *leader, const struct hpm_encoding *member)
{
    return member->leader != 0 && leader->config == member->leader &&
           leader->type == member->type;
}

/* The group an event must be in, which may not be open; NULL for any. */
static struct group *
find_led_group(struct kernel_counting *counting,
               const struct hpm_encoding *member)
{
    for (size_t i = 0; i < counting->n_groups; i++) {
        if (leads(counting->groups[i].leader, member))
            return &counting->groups[i];
    }
    return NULL;
}

static bool
is_of_pmu(const struct hpm_event *event)
{
    return event->encoding.type != PERF_TYPE_SOFTWARE &&
           event->encoding.type != PERF_TYPE_TRACEPOINT;
}

/* A group with an event of one kind of cores runs there only, and all that is in it
 * with it. */
static bool
may_take(const struct kernel_counting *counting, const struct group *group,
         const struct hpm_event *wanted)
{
    return group->kind == hpm_kinds_of(&wanted->encoding) &&
           (counting->most_in_group == 0 || !is_of_pmu(wanted) ||
            group->n_of_pmu < counting->most_in_group);
}

/* -1 with errno when no group takes it; *ret_group is the one that does, NULL
 * for a new one. */
static int
open_in_group(struct kernel_counting *counting, const struct hpm_event *wanted,
              struct group **ret_group)
{
    struct group *led = find_led_group(counting, &wanted->encoding);
    unsigned flags = counting->thread_flags;
    int fd = -1;

    *ret_group = led;
    if (led != NULL)
        return hpm_perf_open(wanted, 0, led->counters[0].fd, flags);
    for (size_t i = 0; i < counting->n_groups && fd < 0; i++) {
        *ret_group = &counting->groups[i];
        if (!may_take(counting, *ret_group, wanted))
            continue;
        fd = hpm_perf_open(wanted, 0, (*ret_group)->counters[0].fd, flags);
        if (fd < 0 && errno != EINVAL)
            break;
    }
    if (fd < 0) {
        *ret_group = NULL;
        fd = hpm_perf_open(wanted, 0, -1, flags);
    }
    return fd;
}

/* Into the first group that takes it, else a group of its own. */
static int
open_in_thread(struct kernel_counting *counting, const struct hpm_event *wanted,
               uint16_t slot, uint16_t *ret_clock_slot)
{
    struct group *group;
    int fd = open_in_group(counting, wanted, &group);

    if (fd < 0)
        return errno;
    if (group == NULL)
        group = new_group(counting, wanted);
    *ret_clock_slot = group->clock_slot;
    group->n_of_pmu += is_of_pmu(wanted);
    if (add_counter(group, fd, slot, 0))
        return 0;
    if (group->n_counters == 0)
        counting->n_groups--; /* it has no leader, and no memory */
    return ENOMEM;
}

/* A thread's counter in a group of one event; -1 where it has none. */
static int
counter_of(const struct group *group, pid_t thread)
{
    for (size_t i = 0; group != NULL && i < group->n_counters; i++) {
        if (group->counters[i].thread == thread)
            return group->counters[i].fd;
    }
    return -1;
}

/* One counter per thread, inherited by what each starts. */
static int
open_in_threads(struct kernel_counting *counting,
                const struct hpm_event *wanted, uint16_t slot,
                uint16_t *ret_clock_slot)
{
    struct group *led = find_led_group(counting, &wanted->encoding);
    struct group *group = new_group(counting, wanted);

    *ret_clock_slot = group->clock_slot;
    for (size_t i = 0; i < counting->n_threads; i++) {
        pid_t thread = counting->threads[i];
        int leader = counter_of(led, thread);
        int fd;

        if (led != NULL && leader < 0)
            continue; /* it had ended by then */
        fd = hpm_perf_open_on(wanted, thread, counting->meter->cpu, leader,
                              counting->flags);
        if (fd < 0 && errno == ESRCH)
            continue; /* that thread has just ended */
        if (fd < 0)
            return errno;
        if (!add_counter(group, fd, slot, thread))
            return ENOMEM;
    }
    return group->n_counters == 0 ? ESRCH : 0;
}

static int
open_counters(struct kernel_counting *counting, const struct hpm_event *wanted,
              uint16_t slot, uint16_t *ret_clock_slot)
{
    return counting->meter->target == HPM_TARGET_THREAD
               ? open_in_thread(counting, wanted, slot, ret_clock_slot)
               : open_in_threads(counting, wanted, slot, ret_clock_slot);
}

static void
open_event(struct kernel_counting *counting, size_t event)
{
    struct hpm_meter *meter = counting->meter;
    uint16_t clock_slot = 0;
    int error = open_counters(counting, &meter->set->events[event],
                              (uint16_t)(1 + event), &clock_slot);

    meter->events[event].clock_slot = clock_slot;
    if (error != 0)
        fail_event(meter, event, error);
}

/* Does it lead the group of another one of the set? */
static bool
is_leader(const struct kernel_counting *counting, size_t event)
{
    const struct hpm_eventset *set = counting->meter->set;

    for (size_t i = 0; i < counting->meter->n_events; i++) {
        if (set->events[i].source == &hpm_source_kernel &&
            leads(&set->events[event].encoding, &set->events[i].encoding))
            return true;
    }
    return false;
}

/* Leaders come first, so that they lead; one that an event needs and the set
 * has not counts into a slot nobody looks at. */
static void
open_leaders(struct kernel_counting *counting)
{
    struct hpm_meter *meter = counting->meter;

    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->set->events[i].source == &hpm_source_kernel &&
            is_leader(counting, i))
            open_event(counting, i);
    }
    for (size_t i = 0; i < meter->n_events; i++) {
        const struct hpm_event *event = &meter->set->events[i];
        uint16_t slot, clock_slot;

        if (event->source != &hpm_source_kernel ||
            event->encoding.leader == 0 ||
            counting->hidden_leader.encoding.config != 0 ||
            find_led_group(counting, &event->encoding) != NULL)
            continue;
        counting->hidden_leader = hpm_perf_leader(event);
        slot = hpm_meter_add_slots(meter, 1);
        open_counters(counting, &counting->hidden_leader, slot, &clock_slot);
    }
}

static bool
has_group_of(const struct kernel_counting *counting, size_t kind)
{
    for (size_t i = 0; i < counting->n_groups; i++) {
        if (counting->groups[i].kind == kind)
            return true;
    }
    return false;
}

/* Where something is counted on one kind of cores, how long the thread was on the
 * others: there nobody else wants our counters. */
static void
open_other_kinds(struct kernel_counting *counting)
{
    size_t n = counting->has_kinds ? hpm_kinds_count() : 0;

    for (size_t i = 0; i < n; i++) {
        uint16_t slot, clock_slot;

        if (has_group_of(counting, i))
            continue;
        counting->kind_cycles[i] = (struct hpm_event){
            .domain = HPM_DOMAIN_USER, .encoding = hpm_kinds_cycles(i)};
        slot = hpm_meter_add_slots(counting->meter, 1);
        open_counters(counting, &counting->kind_cycles[i], slot, &clock_slot);
    }
}

/* An event whose leader could not be opened says so when it is opened. */
static void
open_events(struct kernel_counting *counting)
{
    const struct hpm_meter *meter = counting->meter;

    open_leaders(counting);
    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->set->events[i].source == &hpm_source_kernel &&
            !is_leader(counting, i))
            open_event(counting, i);
    }
    open_other_kinds(counting);
}

static void
close_groups(struct kernel_counting *counting)
{
    for (size_t i = 0; i < counting->n_groups; i++)
        close_group(&counting->groups[i], &counting->owner);
    counting->n_groups = 0;
    counting->hidden_leader = (struct hpm_event){0};
    counting->has_kinds = false;
}

/* As before the attempt: no counters, no slots, no failures. */
static void
undo_attempt(void *context)
{
    struct kernel_counting *counting = context;
    struct hpm_meter *meter = counting->meter;

    close_groups(counting);
    meter->n_slots = counting->n_slots_before;
    for (size_t i = 0; i < meter->n_events; i++) {
        if (meter->set->events[i].source != &hpm_source_kernel)
            continue;
        hpm_memory_free(meter->events[i].reason);
        meter->events[i] = (struct hpm_metered){.state = HPM_STATE_COUNTED};
    }
}

static void
open_for_threads(const pid_t *ids, size_t n, void *context)
{
    struct kernel_counting *counting = context;

    counting->threads = ids;
    counting->n_threads = n;
    open_events(counting);
    counting->threads = NULL;
}

static void
open_in_process(struct kernel_counting *counting)
{
    const struct hpm_tasks_work work = {open_for_threads, undo_attempt,
                                        counting};
    enum hpm_tasks_end end;

    counting->n_slots_before = counting->meter->n_slots;
    counting->flags = HPM_PERF_INHERIT;
    end = hpm_tasks_open(&work);
    switch (end) {
    case HPM_TASKS_COMPLETE:
        break;
    case HPM_TASKS_RESTLESS:
    case HPM_TASKS_UNKNOWN:
        counting->meter->tasks = end;
        break;
    case HPM_TASKS_NO_MEMORY:
        fail_all(counting->meter, ENOMEM);
        break;
    }
}

/* A program, or what runs already. */
static void
open_in_others(struct kernel_counting *counting)
{
    static const unsigned flags[] = {
        [HPM_TARGET_PROGRAM] = HPM_PERF_INHERIT | HPM_PERF_ON_EXEC,
        [HPM_TARGET_RUNNING] = HPM_PERF_INHERIT,
        [HPM_TARGET_CPU] = 0,
        [HPM_TARGET_CGROUP] = HPM_PERF_CGROUP,
    };

    counting->threads = &counting->meter->pid;
    counting->n_threads = 1;
    counting->flags = flags[counting->meter->target];
    open_events(counting);
    counting->threads = NULL;
}

/* What a group of the hardware has at most if all have as many; 0 where they
 * cannot be chosen. */
static size_t
even_part(const struct kernel_counting *counting)
{
    size_t n = 0, n_groups = 0;

    for (size_t i = 0; i < counting->n_groups; i++) {
        n += counting->groups[i].n_of_pmu;
        n_groups += counting->groups[i].n_of_pmu > 0;
        if (counting->groups[i].leader->leader != 0)
            return 0;
    }
    return n_groups > 1 ? (n + n_groups - 1) / n_groups : 0;
}

/* Groups take turns as a whole: with as many events each, none has few
 * neighbours to be in a ratio with.  What fits only with some others may need
 * more groups that way: then they are as they were. */
static void
even_out(struct kernel_counting *counting)
{
    size_t n_groups = counting->n_groups;

    counting->most_in_group = even_part(counting);
    if (counting->most_in_group == 0)
        return;
    undo_attempt(counting);
    open_events(counting);
    if (counting->n_groups == n_groups)
        return;
    counting->most_in_group = 0;
    undo_attempt(counting);
    open_events(counting);
}

static void
open_in_own_thread(struct kernel_counting *counting)
{
    counting->thread_flags =
        HPM_PERF_GROUP | (hpm_page_is_wanted() ? HPM_PERF_USER : 0);
    counting->n_slots_before = counting->meter->n_slots;
    open_events(counting);
    if (counting->meter->set->takes_turns)
        even_out(counting);
    for (size_t i = 0; i < counting->n_groups; i++)
        hpm_perf_enable_group(counting->groups[i].counters[0].fd);
    map_groups(counting);
}

static void *
kernel_open(struct hpm_meter *meter)
{
    struct kernel_counting *counting = hpm_memory_new_apart(sizeof *counting);
    int saved_errno = errno;

    if (counting == NULL) {
        fail_all(meter, ENOMEM);
        return NULL;
    }
    counting->meter = meter;
    counting->is_exposed = !hpm_descriptor_has_upper();
    if (meter->target == HPM_TARGET_THREAD)
        open_in_own_thread(counting);
    else if (meter->target == HPM_TARGET_PROCESS)
        open_in_process(counting);
    else
        open_in_others(counting);
    /* in a process each event is a group of its own */
    meter->takes_turns =
        meter->set->takes_turns &&
        (counting->n_groups > 1 || meter->target != HPM_TARGET_THREAD);
    errno = saved_errno;
    return counting;
}

static __attribute__((cold, noinline)) void
lose_group(struct kernel_counting *counting, struct group *group)
{
    if (group->way == LOST)
        return;
    group->way = LOST;
    for (size_t i = 0; i < group->n_counters; i++) {
        size_t event = group->counters[i].slot - 1u;

        if (event >= counting->meter->n_events)
            continue; /* a leader nobody asked for */
        hpm_meter_fail(counting->meter, event, HPM_STATE_LOST,
                       "the counter was closed or taken away while it was in "
                       "use; leave descriptors alone that the program has not "
                       "opened");
    }
}

/* syscall() and not read(): that one is a point of thread cancellation, and
 * its length depends on the number of threads. */
static bool
read_exactly(int fd, uint64_t *ret_words, size_t n)
{
    long size = (long)(n * sizeof *ret_words);

    return syscall(SYS_read, fd, ret_words, size) == size;
}

/* A read from a file the program has opened in the counter's place would take
 * what is the program's, or wait for ever. */
static bool
is_there(const struct kernel_counting *counting, const struct counter *counter)
{
    return __builtin_expect(!counting->is_exposed, 1) ||
           hpm_perf_identity(counter->fd) == counter->identity;
}

static void
read_group(struct kernel_counting *counting, struct group *group,
           uint64_t *slots)
{
    uint64_t words[MAX_GROUP_READ]; /* number, enabled, running, counts */

    if (!is_there(counting, &group->counters[0]) ||
        !read_exactly(group->counters[0].fd, words, 3 + group->n_counters)) {
        lose_group(counting, group);
        return;
    }
    slots[group->clock_slot] = words[1];
    slots[group->clock_slot + 1] = words[2];
    for (size_t i = 0; i < group->n_counters; i++)
        slots[group->counters[i].slot] = words[3 + i];
}

static void
read_apart(struct kernel_counting *counting, struct group *group,
           uint64_t *slots)
{
    uint64_t sum[3] = {0};

    for (size_t i = 0; i < group->n_counters; i++) {
        uint64_t words[3]; /* count, enabled, running */

        if (!is_there(counting, &group->counters[i]) ||
            !read_exactly(group->counters[i].fd, words, 3)) {
            lose_group(counting, group);
            return;
        }
        for (int j = 0; j < 3; j++)
            sum[j] += words[j];
    }
    if (group->n_counters == 0)
        return;
    slots[group->counters[0].slot] = sum[0];
    slots[group->clock_slot] = sum[1];
    slots[group->clock_slot + 1] = sum[2];
}

/* On one of several kinds of cores a counter is wanted while the thread is there. */
static __attribute__((noinline)) void
divide_by_kinds(struct kernel_counting *counting, uint64_t *slots)
{
    struct hpm_kinds_reading reading = {.n_reads = 1};

    for (size_t i = 0; i < counting->n_groups; i++) {
        const struct group *group = &counting->groups[i];

        if (group->kind == HPM_NO_KIND || group->way == LOST)
            continue;
        reading.n_reads += group->n_counters;
        hpm_kinds_add(&reading, group->kind, slots[group->clock_slot],
                      slots[group->clock_slot + 1]);
    }
    hpm_kinds_end(&counting->times, &reading);
    for (size_t i = 0; i < counting->n_groups; i++) {
        const struct group *group = &counting->groups[i];

        if (group->kind != HPM_NO_KIND && group->way != LOST)
            slots[group->clock_slot] =
                hpm_kinds_wanted(&counting->times, &reading, group->kind,
                                 slots[group->clock_slot + 1]);
    }
}

static __attribute__((noinline)) void
read_otherwise(struct kernel_counting *counting, struct group *group,
               uint64_t *slots)
{
    if (group->way == BY_PAGES) {
        if (!read_pages(counting, group, slots))
            read_group(counting, group, slots);
    } else if (group->way == APART) {
        read_apart(counting, group, slots);
    }
}

static inline __attribute__((always_inline)) void
read_all(struct kernel_counting *counting, uint64_t *slots)
{
    int saved_errno = errno;

    for (size_t i = 0; i < counting->n_groups; i++) {
        struct group *group = &counting->groups[i];

        if (group->way == BY_READ)
            read_group(counting, group, slots);
        else
            read_otherwise(counting, group, slots);
    }
    if (counting->has_kinds)
        divide_by_kinds(counting, slots);
    errno = saved_errno;
}

static void
kernel_read(void *context, uint64_t *slots)
{
    read_all(context, slots);
}

/* By heart and not by a call of the above, which would take more instructions. */
static void
kernel_read_sampled(void *context, uint64_t *slots)
{
    struct kernel_counting *counting = context;

    if (!hpm_cursor_takes(counting->cursor, slots))
        read_all(counting, slots);
}

static void
kernel_close(void *context)
{
    close_groups(context);
    hpm_memory_free(context);
}

bool
hpm_source_is_clock(const struct hpm_event *event)
{
    return event->source == &hpm_source_kernel &&
           event->encoding.type == PERF_TYPE_SOFTWARE &&
           (event->encoding.config == PERF_COUNT_SW_CPU_CLOCK ||
            event->encoding.config == PERF_COUNT_SW_TASK_CLOCK);
}

const struct hpm_source hpm_source_kernel = {
    .name = "kernel",
    .opens_alone = true,
    .find = hpm_kernelnames_find,
    .list = hpm_kernelnames_list,
    .settle = hpm_fit_settle,
    .open = kernel_open,
    .read = kernel_read,
    .read_sampled = kernel_read_sampled,
    .close = kernel_close,
};
