/* SPDX-License-Identifier: BSD-3-Clause
 * Meters: the meaning of differences of readings, and real meters of the
 * kernel. */
#include "source/meter.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/clock.h"
#include "source/sources.h"
#include "tap.h"

/* ---- arithmetic, on a meter made by hand ----------------------------- */

/* Event 0 shares the hardware (enabled and running in slots 4 and 5), event 1
 * counts all the time, event 2 cannot be counted. */
static struct hpm_metered metered[] = {
    {.clock_slot = 4},
    {.clock_slot = 0},
    {.clock_slot = 4, .state = HPM_STATE_UNSUPPORTED},
};
static const struct hpm_meter made_up = {
    .n_events = 3, .n_slots = 6, .events = metered};

static struct hpm_count
count_of(size_t event, uint64_t value, uint64_t enabled, uint64_t running)
{
    const uint64_t difference[6] = {0, value, value, value, enabled, running};

    return hpm_meter_count(&made_up, event, difference);
}

static void
check_count(struct hpm_count count, enum hpm_state state, uint64_t value,
            double share, const char *sentence)
{
    ok(count.state == state && count.value == value && count.share == share,
       sentence);
    if (count.state != state || count.value != value || count.share != share)
        printf("# got %s, %llu, share %.17g\n", hpm_state_name(count.state),
               (unsigned long long)count.value, count.share);
}

static void
test_counted(void)
{
    check_count(count_of(0, 12345, 1000, 1000), HPM_STATE_COUNTED, 12345, 1.0,
                "what counted all the time is as it was counted");
    check_count(count_of(0, UINT64_MAX, UINT64_MAX, UINT64_MAX),
                HPM_STATE_COUNTED, UINT64_MAX, 1.0, "however much it is");
    check_count(count_of(0, 7, 0, 0), HPM_STATE_COUNTED, 7, 1.0,
                "and however short");
    check_count(count_of(1, 12345, 1000, 10), HPM_STATE_COUNTED, 12345, 1.0,
                "an event without such times counts all the time");
}

static void
test_shared(void)
{
    check_count(count_of(0, 100, 4000, 1000), HPM_STATE_SHARED, 400, 0.25,
                "what counted a quarter of the time is scaled by four");
    check_count(count_of(0, 0, 4000, 1000), HPM_STATE_SHARED, 0, 0.25,
                "nothing stays nothing");
    check_count(count_of(0, 10, 10, 3), HPM_STATE_SHARED, 33, 3.0 / 10.0,
                "a result is rounded down");
    check_count(count_of(0, 20, 10, 3), HPM_STATE_SHARED, 67, 3.0 / 10.0,
                "or up, to the nearest");
}

static void
test_shared_exactly(void)
{
    const uint64_t huge = (uint64_t)1 << 60, odd = 1000000007;

    check_count(count_of(0, huge, 3 * odd, odd), HPM_STATE_SHARED, 3 * huge,
                (double)odd / (double)(3 * odd),
                "scaling is exact beyond 64 bits");
    check_count(count_of(0, huge + 1, 3 * huge, huge), HPM_STATE_SHARED,
                3 * huge + 3, (double)huge / (double)(3 * huge),
                "to the last digit");
    check_count(count_of(0, huge, 16 * odd, odd), HPM_STATE_SHARED, UINT64_MAX,
                (double)odd / (double)(16 * odd),
                "what does not fit is the largest number");
    check_count(count_of(0, UINT64_MAX, UINT64_MAX, 1), HPM_STATE_SHARED,
                UINT64_MAX, 1.0 / (double)UINT64_MAX, "at the utmost, too");
}

static void
test_no_value(void)
{
    ok(count_of(0, 0, 1000, 0).state == HPM_STATE_UNSCHEDULED,
       "what never ran has no value");
    ok(count_of(2, 5, 1000, 1000).state == HPM_STATE_UNSUPPORTED,
       "nor has what cannot be counted");
    metered[2].state = HPM_STATE_LOST;
    ok(count_of(2, 5, 1000, 10).state == HPM_STATE_LOST, "nor what was lost");
}

/* ---- real meters ----------------------------------------------------- */

enum { TASK_CLOCK, PAGE_FAULTS };

static struct hpm_eventset set;

/* Can the kernel count for this process? */
static bool
can_count(void)
{
    struct hpm_error err = {""};

    if (!hpm_eventset_add(&set, "task-clock,page-faults", HPM_DOMAIN_USER,
                          hpm_sources_choose(NULL, NULL), &err))
        return false;
    if (set.events[TASK_CLOCK].state == HPM_STATE_COUNTED &&
        set.events[PAGE_FAULTS].state == HPM_STATE_COUNTED)
        return true;
    printf("# %s\n", set.events[TASK_CLOCK].reason != NULL
                         ? set.events[TASK_CLOCK].reason
                         : set.events[PAGE_FAULTS].reason);
    return false;
}

static struct hpm_meter *
open_meter(enum hpm_target target)
{
    return hpm_meter_open(&set, target, 0, NULL);
}

/* The count of one event between two readings. */
static struct hpm_count
between(const struct hpm_meter *meter, const uint64_t *first,
        const uint64_t *last, size_t event)
{
    uint64_t difference[HPM_MAX_SLOTS] = {0};

    for (size_t i = 0; i < meter->n_slots; i++)
        difference[i] = last[i] - first[i];
    return hpm_meter_count(meter, event, difference);
}

/* Each page costs one fault.  Not instrumented, since the sanitizer's own pages
 * would be touched as well. */
__attribute__((no_sanitize_address)) static void
touch_fresh_pages(size_t n)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *pages = mmap(NULL, n * size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        return;
    madvise((void *)(uintptr_t)pages, n * size, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < n; i++)
        pages[i * size] = 1;
    munmap((void *)(uintptr_t)pages, n * size);
}

static void *
touch_in_thread(void *context)
{
    touch_fresh_pages(*(const size_t *)context);
    return NULL;
}

static void
run_thread(size_t n_pages)
{
    pthread_t thread;

    pthread_create(&thread, NULL, touch_in_thread, &n_pages);
    pthread_join(thread, NULL);
}

static void
check_faults(const struct hpm_meter *meter, const uint64_t *first,
             const uint64_t *last, uint64_t n, uint64_t n_more,
             const char *sentence)
{
    struct hpm_count count = between(meter, first, last, PAGE_FAULTS);

    ok(count.state == HPM_STATE_COUNTED && count.value >= n &&
           count.value <= n + n_more,
       sentence);
    printf("# %llu page faults for %llu pages\n",
           (unsigned long long)count.value, (unsigned long long)n);
}

/* ---- one thread ------------------------------------------------------ */

static void
test_thread_monotonic(void)
{
    struct hpm_meter *meter = open_meter(HPM_TARGET_THREAD);
    uint64_t last[HPM_MAX_SLOTS] = {0}, now[HPM_MAX_SLOTS] = {0};
    bool is_forward = true;

    errno = 77;
    for (int i = 0; i < 20000; i++) {
        hpm_meter_read(meter, now);
        for (size_t j = 0; j < meter->n_slots; j++)
            is_forward = is_forward && now[j] >= last[j];
        memcpy(last, now, sizeof last);
    }
    ok(is_forward, "no count goes backwards");
    ok(errno == 77, "reading keeps errno");
    ok(now[0] == 0, "reading leaves the time to others");
    hpm_meter_close(meter);
}

static void
test_thread_pages(void)
{
    struct hpm_meter *meter = open_meter(HPM_TARGET_THREAD);
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    static const size_t n[] = {1, 100, 500};

    for (int i = 0; i < 3; i++) {
        hpm_meter_read(meter, first);
        touch_fresh_pages(n[i]);
        hpm_meter_read(meter, last);
        check_faults(meter, first, last, n[i], 16,
                     "each page touched is a page fault");
    }
    hpm_meter_close(meter);
}

/* How often this thread has given up its processor, or lost it. */
static long
n_switches(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Do all events of a new meter count while the thread keeps its processor?  The
 * kernel's time may stand still for some milliseconds, up to its next tick. */
static bool
moves_at_once(const struct hpm_eventset *other)
{
    enum { LONGEST_NS = 30000000 };
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    struct hpm_meter *meter = hpm_meter_open(other, HPM_TARGET_THREAD, 0, NULL);
    uint64_t begin = hpm_clock_kernel_ns();
    long before = n_switches();
    bool is_moving, has_stayed;

    hpm_meter_read(meter, first);
    do {
        touch_fresh_pages(20);
        hpm_meter_read(meter, last);
        has_stayed = n_switches() == before;
        is_moving = true;
        for (size_t i = 0; i < meter->n_events; i++) {
            struct hpm_count count = between(meter, first, last, i);

            is_moving = is_moving &&
                        (count.state != HPM_STATE_COUNTED || count.value > 0);
        }
    } while (!is_moving && has_stayed &&
             hpm_clock_kernel_ns() - begin < LONGEST_NS);
    hpm_meter_close(meter);
    return is_moving && has_stayed;
}

/* Some kernels start a counter that joins a group only when the thread next
 * gives up its processor: until then it would stay 0.  On a busy machine this
 * happens soon, so try again. */
static void
check_at_once(const char *events, const char *sentence)
{
    struct hpm_eventset other = {0};
    bool is_moving = false;

    hpm_eventset_add(&other, events, HPM_DOMAIN_USER,
                     hpm_sources_choose(NULL, NULL), NULL);
    for (int i = 0; i < 100 && !is_moving; i++)
        is_moving = moves_at_once(&other);
    ok(is_moving, sentence);
    hpm_eventset_clear(&other);
}

static void
test_thread_at_once(void)
{
    check_at_once("task-clock", "a time counts at once");
    check_at_once("page-faults,minor-faults", "so do page faults");
    check_at_once("task-clock,page-faults", "so do page faults after a time");
    check_at_once("page-faults,task-clock", "and a time after page faults");
    check_at_once("cpu-clock,task-clock", "and two kinds of time");
}

/* The count of a meter for a piece of work, and the time that passed: between
 * the two readings, and around them. */
struct piece {
    struct hpm_count count;
    uint64_t inside, outside;
    bool is_whole; /* the thread never left its processor */
};

/* Work for so long by the wall clock. */
static void
spin(uint64_t ns)
{
    uint64_t begin = hpm_clock_kernel_ns();

    while (hpm_clock_kernel_ns() - begin < ns)
        continue;
}

static struct piece
measure_piece(struct hpm_meter *meter, uint64_t ns)
{
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    uint64_t outer = hpm_clock_kernel_ns(), inner;
    long before = n_switches();
    struct piece piece;

    hpm_meter_read(meter, first);
    inner = hpm_clock_kernel_ns();
    spin(ns);
    piece.inside = hpm_clock_kernel_ns() - inner;
    hpm_meter_read(meter, last);
    piece.is_whole = n_switches() == before;
    piece.outside = hpm_clock_kernel_ns() - outer;
    piece.count = between(meter, first, last, TASK_CLOCK);
    return piece;
}

/* There are two kernel clocks, and the rate of one is adjusted: allow one
 * percent. */
static bool
is_all(const struct piece *piece)
{
    return piece->count.value >= piece->inside - piece->inside / 100 &&
           piece->count.value <= piece->outside + piece->outside / 100;
}

/* task-clock stands still from the moment the thread leaves its processor to
 * the moment it is back, and at no other time: neither an interrupt nor another
 * virtual machine stops that clock, and so a piece of work without a thread
 * switch has all the time that passed.  The thread's CPU time cannot be
 * compared: time stolen during a switch is in only one of the two (1 ms of 10
 * has been seen).  A busy machine switches often: the pieces become shorter.
 * If the kernel's time comes from a clock that it does not trust, not each
 * piece is right; if the library's time were wrong, none would be. */
static void
test_thread_time(void)
{
    enum { MS = 1000000, N_LONG = 20, N_PIECES = 400 };
    struct hpm_meter *meter = open_meter(HPM_TARGET_THREAD);
    bool is_counted = true, is_right = false;
    struct piece piece = {0};
    int n = 0, n_whole = 0;

    do {
        piece = measure_piece(meter, n < N_LONG ? 10 * MS : MS);
        is_counted = is_counted && piece.count.share == 1.0 &&
                     piece.count.state == HPM_STATE_COUNTED;
        n_whole += piece.is_whole;
        is_right = piece.is_whole && is_all(&piece);
    } while (++n < N_PIECES && !is_right);
    ok(is_counted, "task-clock counts all the time");
    if (n_whole > 0)
        ok(is_right, "a thread that works uses all the time, and no more");
    else
        ok(piece.count.value > 0 &&
               piece.count.value <= piece.outside + piece.outside / 100,
           "a thread that is often disturbed uses no more time than there is");
    printf("# piece %d: %llu ns of %llu to %llu\n", n,
           (unsigned long long)piece.count.value,
           (unsigned long long)piece.inside, (unsigned long long)piece.outside);
    hpm_meter_close(meter);
}

static void
test_thread_alone(void)
{
    struct hpm_meter *meter = open_meter(HPM_TARGET_THREAD);
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};

    hpm_meter_read(meter, first);
    run_thread(2000);
    hpm_meter_read(meter, last);
    ok(between(meter, first, last, PAGE_FAULTS).value < 1000,
       "a thread's meter does not count other threads");
    hpm_meter_close(meter);
}

/* ---- a process ------------------------------------------------------- */

enum { MANY_PAGES = 2000 };

/* Each fault counts once: counted twice, the sum would be over the limit. */
static void
test_process_new_thread(void)
{
    struct hpm_meter *meter = open_meter(HPM_TARGET_PROCESS);
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};

    hpm_meter_read(meter, first);
    run_thread(MANY_PAGES);
    hpm_meter_read(meter, last);
    check_faults(meter, first, last, MANY_PAGES, MANY_PAGES / 2,
                 "a process's meter counts a thread made later");
    hpm_meter_close(meter);
}

static atomic_int stage;

static void *
touch_when_told(void *context)
{
    atomic_store(&stage, 1);
    while (atomic_load(&stage) < 2)
        usleep(100);
    touch_fresh_pages(MANY_PAGES);
    atomic_store(&stage, 3);
    while (atomic_load(&stage) < 4)
        usleep(100);
    return context;
}

static void
wait_for_stage(int wanted)
{
    while (atomic_load(&stage) < wanted)
        usleep(100);
}

static void
test_process_old_thread(void)
{
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    struct hpm_meter *meter;
    pthread_t thread;

    pthread_create(&thread, NULL, touch_when_told, NULL);
    wait_for_stage(1);
    meter = open_meter(HPM_TARGET_PROCESS);
    hpm_meter_read(meter, first);
    atomic_store(&stage, 2);
    wait_for_stage(3);
    hpm_meter_read(meter, last);
    check_faults(meter, first, last, MANY_PAGES, MANY_PAGES / 2,
                 "it counts a thread that was there, while it runs");
    atomic_store(&stage, 4);
    pthread_join(thread, NULL);
    hpm_meter_read(meter, last);
    check_faults(meter, first, last, MANY_PAGES, MANY_PAGES / 2,
                 "and after it has ended");
    hpm_meter_close(meter);
}

static void
test_process_child(void)
{
    struct hpm_meter *meter = open_meter(HPM_TARGET_PROCESS);
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    pid_t child;

    hpm_meter_read(meter, first);
    child = fork();
    if (child == 0) {
        touch_fresh_pages(MANY_PAGES);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    hpm_meter_read(meter, last);
    check_faults(meter, first, last, MANY_PAGES, MANY_PAGES / 2,
                 "it counts a child process");
    hpm_meter_close(meter);
}

enum { MANY_THREADS = 400 };

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_t restless[MANY_THREADS];
static int n_restless = MANY_THREADS; /* no thread is started */

static void *
wait_at_gate(void *context)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return context;
}

/* Replaces the C library's function: each look at the list of threads starts
 * one more thread. */
DIR *
opendir(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (strcmp(path, "/proc/self/task") == 0 && n_restless < MANY_THREADS &&
        pthread_create(&restless[n_restless], NULL, wait_at_gate, NULL) == 0)
        n_restless++;
    return fd >= 0 ? fdopendir(fd) : NULL;
}

/* The threads are never the same before and after the meter is opened: nothing
 * may be called counted that was not. */
static void
test_process_of_restless_threads(void)
{
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    struct hpm_meter *meter;
    struct hpm_count count;
    bool has_slots = true;

    pthread_mutex_lock(&gate);
    n_restless = 0;
    meter = open_meter(HPM_TARGET_PROCESS);
    hpm_meter_read(meter, first);
    touch_fresh_pages(MANY_PAGES);
    hpm_meter_read(meter, last);
    pthread_mutex_unlock(&gate);
    while (n_restless > 0)
        pthread_join(restless[--n_restless], NULL);
    n_restless = MANY_THREADS;
    for (size_t i = 0; i < meter->n_events; i++)
        has_slots =
            has_slots && (meter->events[i].clock_slot == 0 ||
                          meter->events[i].clock_slot + 2u <= meter->n_slots);
    ok(has_slots, "with ever more threads, all slots are there");
    count = between(meter, first, last, PAGE_FAULTS);
    ok(!hpm_state_has_value(count.state) || count.value >= MANY_PAGES,
       "and what counts as counted was counted");
    hpm_meter_close(meter);
}

/* ---- a program ------------------------------------------------------- */

/* A child that waits for a message before it becomes a shell. */
static pid_t
start_program(int *ret_go)
{
    int go[2];
    pid_t child;
    char c;

    if (pipe(go) != 0)
        return -1;
    child = fork();
    if (child == 0) {
        close(go[1]);
        touch_fresh_pages(MANY_PAGES);
        if (read(go[0], &c, 1) != 0)
            _exit(1);
        execl("/bin/sh", "sh", "-c", "exit 0", (char *)NULL);
        _exit(1);
    }
    close(go[0]);
    *ret_go = go[1];
    return child;
}

static void
test_program(void)
{
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    struct hpm_meter *meter;
    int go = -1, status = -1;
    pid_t child = start_program(&go);
    struct hpm_count time, faults;

    meter = hpm_meter_open(&set, HPM_TARGET_PROGRAM, child, NULL);
    hpm_meter_read(meter, first);
    close(go);
    waitpid(child, &status, 0);
    hpm_meter_read(meter, last);
    time = between(meter, first, last, TASK_CLOCK);
    faults = between(meter, first, last, PAGE_FAULTS);
    ok(status == 0 && time.state == HPM_STATE_COUNTED && time.value > 0,
       "a program's meter counts what it does");
    ok(first[1 + TASK_CLOCK] == 0 && first[1 + PAGE_FAULTS] == 0,
       "but not before it begins");
    ok(faults.state == HPM_STATE_COUNTED && faults.value > 0 &&
           faults.value < MANY_PAGES,
       "and not what went before");
    hpm_meter_close(meter);
}

/* ---- descriptors ----------------------------------------------------- */

/* So that the numbers below fit into one word. */
static void
limit_descriptors(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 64;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* This process's descriptors, as a set of bits. */
static uint64_t
descriptors(void)
{
    uint64_t fds = 0;

    for (int fd = 0; fd < 64; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            fds |= (uint64_t)1 << fd;
    }
    return fds;
}

static void
test_all_given_back(void)
{
    static const enum hpm_target targets[] = {HPM_TARGET_THREAD,
                                              HPM_TARGET_PROCESS};
    uint64_t before = descriptors();

    for (int i = 0; i < 2; i++) {
        struct hpm_meter *meter = open_meter(targets[i]);

        ok(descriptors() != before, "a meter has descriptors");
        hpm_meter_stop(meter);
        ok(descriptors() == before, "stopping gives them back");
        ok(meter->events[PAGE_FAULTS].state == HPM_STATE_COUNTED,
           "what is known of the events stays");
        hpm_meter_close(meter);
        meter = open_meter(targets[i]);
        hpm_meter_close(meter);
        ok(descriptors() == before, "so does closing");
    }
    hpm_meter_close(NULL);
}

static void
test_closed_on_exec(void)
{
    uint64_t before = descriptors(), new;
    struct hpm_meter *meter = open_meter(HPM_TARGET_THREAD);
    bool is_closed_on_exec = true;

    new = descriptors() & ~before;
    for (int fd = 0; fd < 64; fd++) {
        if (new >> fd & 1)
            is_closed_on_exec = is_closed_on_exec && fd > 2 &&
                                (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
    }
    ok(is_closed_on_exec, "no descriptor is passed on to another program");
    hpm_meter_close(meter);
}

/* The program closes all descriptors that it does not know. */
static void
test_lost(void)
{
    uint64_t before = descriptors(), ours;
    struct hpm_meter *meter = open_meter(HPM_TARGET_THREAD);
    uint64_t slots[HPM_MAX_SLOTS] = {0};

    ours = descriptors() & ~before;
    for (int fd = 0; fd < 64; fd++) {
        if (ours >> fd & 1)
            close(fd);
    }
    errno = 77;
    hpm_meter_read(meter, slots);
    ok(errno == 77, "reading what is no longer there keeps errno");
    ok(meter->events[PAGE_FAULTS].state == HPM_STATE_LOST &&
           meter->events[TASK_CLOCK].state == HPM_STATE_LOST &&
           meter->events[PAGE_FAULTS].reason != NULL,
       "a counter the program has closed is lost, and says so");
    hpm_meter_close(meter);
    ok(descriptors() == before, "closing it again does no harm");
}

/* And it opens files of its own. */
static void
check_reused(enum hpm_target target, const char *sentence)
{
    uint64_t before = descriptors(), ours;
    struct hpm_meter *meter = open_meter(target);
    uint64_t slots[HPM_MAX_SLOTS] = {0};
    bool is_open = true;
    struct stat null, now;

    ours = descriptors() & ~before;
    for (int fd = 0; fd < 64; fd++) {
        if (ours >> fd & 1) {
            close(fd);
            if (open("/dev/null", O_RDONLY | O_CLOEXEC) != fd)
                is_open = false;
        }
    }
    hpm_meter_read(meter, slots);
    hpm_meter_read(meter, slots);
    ok(meter->events[PAGE_FAULTS].state == HPM_STATE_LOST &&
           meter->events[TASK_CLOCK].state == HPM_STATE_LOST,
       "a counter the program has replaced is lost");
    hpm_meter_close(meter);
    stat("/dev/null", &null);
    for (int fd = 0; fd < 64; fd++) {
        if (ours >> fd & 1) {
            is_open =
                is_open && fstat(fd, &now) == 0 && now.st_rdev == null.st_rdev;
            close(fd);
        }
    }
    ok(is_open, sentence);
}

static void
test_reused(void)
{
    check_reused(HPM_TARGET_THREAD,
                 "a descriptor the program has reused is not closed");
    check_reused(HPM_TARGET_PROCESS, "nor by a process's meter");
}

/* ---- limits --------------------------------------------------------- */

/* A test that could crash or changes limits runs in a child. */
static void
check_child(bool (*is_right)(void), const char *sentence)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        alarm(300);
        _exit(is_right() ? 0 : 1);
    }
    waitpid(child, &status, 0);
    ok(status == 0, sentence);
    if (WIFSIGNALED(status))
        printf("# ended by signal %d\n", WTERMSIG(status));
}

static bool
is_standard_left_alone(void)
{
    struct hpm_meter *meter;
    uint64_t slots[HPM_MAX_SLOTS] = {0};

    close(0);
    close(1);
    close(2);
    meter = open_meter(HPM_TARGET_THREAD);
    /* the kernel's time may stand still up to its next tick */
    for (int i = 0; i < 1000000 && slots[1 + TASK_CLOCK] == 0; i++)
        hpm_meter_read(meter, slots);
    return (descriptors() & 7) == 0 &&
           meter->events[TASK_CLOCK].state == HPM_STATE_COUNTED &&
           slots[1 + TASK_CLOCK] > 0;
}

/* Room for a few descriptors, half of them the program's. */
static bool
is_program_left_some(void)
{
    struct hpm_meter *meter;
    int n = 0;

    setrlimit(RLIMIT_NOFILE, &(struct rlimit){16, 16});
    while (n < 12 && open("/dev/null", O_RDONLY) >= 0)
        n++;
    close(8);
    meter = open_meter(HPM_TARGET_THREAD);
    return meter != NULL && (descriptors() & 1 << 8) == 0 &&
           meter->events[TASK_CLOCK].state == HPM_STATE_UNSUPPORTED &&
           strstr(meter->events[TASK_CLOCK].reason, "descriptors") != NULL;
}

/* Whichever allocation fails, events that count must count right. */
static bool
is_meter_right(enum hpm_target target, unsigned long k, bool for_ever)
{
    uint64_t first[HPM_MAX_SLOTS] = {0}, last[HPM_MAX_SLOTS] = {0};
    uint64_t before = descriptors();
    struct hpm_meter *meter;
    struct hpm_count count;
    bool is_right = true;

    hpm_memory_fail_at(k, for_ever);
    meter = open_meter(target);
    hpm_memory_fail_at(0, false);
    if (meter != NULL) {
        hpm_meter_read(meter, first);
        touch_fresh_pages(100);
        hpm_meter_read(meter, last);
        count = between(meter, first, last, PAGE_FAULTS);
        is_right = !hpm_state_has_value(count.state) || count.value >= 100;
    }
    hpm_meter_close(meter);
    return is_right && descriptors() == before;
}

static bool
is_thread_right_without_memory(void)
{
    bool is_right = true;

    for (unsigned long k = 1; k < 12; k++)
        is_right = is_meter_right(HPM_TARGET_THREAD, k, false) &&
                   is_meter_right(HPM_TARGET_THREAD, k, true) && is_right;
    return is_right;
}

static bool
is_process_right_without_memory(void)
{
    bool is_right = true;

    for (unsigned long k = 1; k < 12; k++)
        is_right = is_meter_right(HPM_TARGET_PROCESS, k, false) &&
                   is_meter_right(HPM_TARGET_PROCESS, k, true) && is_right;
    return is_right;
}

static void
test_little_of_everything(void)
{
    check_child(is_standard_left_alone,
                "a counter never is the program's standard output");
    check_child(is_program_left_some,
                "where descriptors are few, the program has them");
    check_child(is_thread_right_without_memory,
                "without memory, a thread's meter counts right or not");
    check_child(is_process_right_without_memory,
                "without memory, a process's meter counts right or not");
}

static void
test_real_meters(void)
{
    test_thread_monotonic();
    test_thread_at_once();
    test_thread_pages();
    test_thread_time();
    test_thread_alone();
    test_process_new_thread();
    test_process_old_thread();
    test_process_child();
    test_process_of_restless_threads();
    test_program();
    test_all_given_back();
    test_closed_on_exec();
    test_lost();
    test_reused();
    test_little_of_everything();
}

int
main(void)
{
    limit_descriptors();
    test_counted();
    test_shared();
    test_shared_exactly();
    test_no_value();
    if (can_count())
        test_real_meters();
    else
        skip("real meters count right", "perf_event_open is not permitted");
    hpm_eventset_clear(&set);
    return done();
}
