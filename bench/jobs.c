/* SPDX-License-Identifier: BSD-3-Clause
 * Jobs: measurements of libhpm in a child process. */
#include "config.h"

#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <libhpm.h>

#include "counters.h"
#include "statistic.h"
#include "timing.h"

enum { N_MANY = 10000, DEPTH = 64 };

static int kernel_group = -1;       /* for raw readings in the way of libhpm */
static int kernel_group_plain = -1; /* for the anchor */

/* ---- pairs ----------------------------------------------------------- */

static void
run_pair(long n)
{
    for (long i = 0; i < n; i++) {
        hpmTstart(1, "pair");
        hpmTstop(1);
    }
}

/* Pairs at all depths: the innermost ones are in DEPTH sections. */
static void
run_nest(long n)
{
    for (long i = 0; i < n; i += DEPTH) {
        for (int id = 0; id < DEPTH; id++)
            hpmTstart(id, "nest");
        for (int id = DEPTH; id-- > 0;)
            hpmTstop(id);
    }
}

/* A random number below n; the same work for every n. */
static inline int
random_below(uint32_t *state, uint32_t n)
{
    *state = *state * 1664525u + 1013904223u;
    return (int)((uint64_t)*state * n >> 32);
}

static inline void
run_ids(long n, uint32_t n_ids)
{
    uint32_t state = 1;

    for (long i = 0; i < n; i++) {
        int id = random_below(&state, n_ids);

        hpmTstart(id, "section");
        hpmTstop(id);
    }
}

static void
run_one_id(long n)
{
    run_ids(n, 1);
}

static void
run_many_ids(long n)
{
    run_ids(n, N_MANY);
}

/* The sites that hpmTstart would make in so many lines. */
static struct hpm_call_site sites[N_MANY];

static inline void
run_sites(long n, uint32_t n_sites)
{
    uint32_t state = 1;

    for (long i = 0; i < n; i++) {
        hpmTstartSite(1, &sites[random_below(&state, n_sites)]);
        hpmTstop(1);
    }
}

static void
run_one_site(long n)
{
    run_sites(n, 1);
}

static void
run_many_sites(long n)
{
    run_sites(n, N_MANY);
}

/* The lines of the cache that a pair by call site touches, without libhpm: the
 * site; half a line, found by the site's number; and one of the lines of a
 * larger block, found by the address there, which is read and written. */
struct touched {
    _Alignas(64) uint64_t n_calls;
    _Alignas(64) char rest[6 * 64];
};

struct way {
    _Alignas(32) struct touched *touched;
};

static struct way ways[N_MANY];

/* The clock is read twice, as libhpm does.  If a turn does not wait for the one
 * before, the processor loads its lines while the clock is still read. */
static inline void
run_lines(long n, uint32_t n_lines, bool is_waiting)
{
    uint32_t state = 1;

    for (long i = 0; i < n; i++) {
        const struct hpm_call_site *site =
            &sites[random_below(&state, n_lines)];
        struct touched *touched = ways[site->number].touched;

        KEEP(bench_tick());
        touched->n_calls++;
        KEEP(bench_tick());
        if (is_waiting) /* the added number is 0, which the compiler cannot
                         * know */
            state += (uint32_t)(touched->n_calls >> 32);
    }
}

static void
run_one_line(long n)
{
    run_lines(n, 1, false);
}

static void
run_many_lines(long n)
{
    run_lines(n, N_MANY, false);
}

static void
run_one_line_waiting(long n)
{
    run_lines(n, 1, true);
}

static void
run_many_lines_waiting(long n)
{
    run_lines(n, N_MANY, true);
}

/* A section that is open already: it is found and counted, but no sums are
 * kept, and the start reads no clock. */
static void
run_recursion(long n)
{
    hpmTstartAt(2, "recursion", __FILE__, 1);
    for (long i = 0; i < n; i++) {
        hpmTstartAt(2, "recursion", __FILE__, 1);
        hpmTstop(2);
    }
    hpmTstop(2);
}

/* Two calls into the shared library that do nothing there. */
static void
run_call2(long n)
{
    for (long i = 0; i < n; i++) {
        KEEP((hpmVersion)());
        KEEP((hpmVersion)());
    }
}

/* ---- the kernel's counters without libhpm --------------------------- */

static void
must_read(int group)
{
    uint64_t words[16];

    if (syscall(SYS_read, group, words, sizeof words) < 0) {
        perror("bench: reading a group of kernel counters");
        exit(1);
    }
}

static void
run_read4(long n)
{
    for (long i = 0; i < 2 * n; i++)
        must_read(kernel_group);
}

static void
run_pe4(long n)
{
    struct timespec now;

    for (long i = 0; i < 2 * n; i++) {
        must_read(kernel_group_plain);
        clock_gettime(CLOCK_MONOTONIC, &now);
        KEEP(now.tv_nsec);
    }
}

/* ---- jobs: time ------------------------------------------------------ */

static void
job_time(void)
{
    BENCH_MEASURE({"pair", run_pair}, {"clk2", bench_run_clk2},
                  {"tick2", bench_run_tick2}, {"call2", run_call2},
                  {"recursion", run_recursion}, {"nest64", run_nest},
                  {"off", bench_run_off}, {"loop", bench_run_loop});
}

static void
job_pair(void)
{
    BENCH_MEASURE({"pair", run_pair}, {"clk2", bench_run_clk2});
}

/* Random sections must all have been met once before. */
static void
job_many_ids(void)
{
    for (int id = 0; id < N_MANY; id++) {
        hpmTstart(id, "section");
        hpmTstop(id);
    }
    run_many_ids(N_MANY);
    BENCH_MEASURE({"one", run_one_id}, {"many", run_many_ids});
}

static void
job_many_sites(void)
{
    for (int i = 0; i < N_MANY; i++) {
        sites[i] = (struct hpm_call_site){"site", __FILE__, 1 + i, 0};
        hpmTstartSite(1, &sites[i]);
        hpmTstop(1);
    }
    run_many_sites(N_MANY);
    BENCH_MEASURE({"one", run_one_site}, {"many", run_many_sites});
}

static void
job_many_lines(void)
{
    struct touched *all = aligned_alloc(64, N_MANY * sizeof *all);

    if (all == NULL) {
        fputs("bench: no memory\n", stderr);
        exit(1);
    }
    memset(all, 0, N_MANY * sizeof *all);
    for (unsigned i = 0; i < N_MANY; i++) {
        sites[i].number = i;
        ways[i].touched = &all[i];
    }
    run_many_lines(N_MANY);
    BENCH_MEASURE({"one", run_one_line}, {"many", run_many_lines},
                  {"one_waiting", run_one_line_waiting},
                  {"many_waiting", run_many_lines_waiting});
    free(all);
}

static void
job_kernel(void)
{
    kernel_group = bench_kernel_group(false);
    kernel_group_plain = bench_kernel_group(true);
    if (kernel_group < 0 || kernel_group_plain < 0) {
        printf("refused the kernel's software events: %s\n", strerror(errno));
        return;
    }
    BENCH_MEASURE({"pair", run_pair}, {"pe4", run_pe4}, {"read4", run_read4});
}

static int io_file = -1;

static void
run_read_io(long n)
{
    char text[512];

    for (long i = 0; i < 2 * n; i++) {
        if (pread(io_file, text, sizeof text, 0) <= 0) {
            perror("bench: reading /proc/thread-self/io");
            exit(1);
        }
    }
}

static void
job_io(void)
{
    io_file = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC);
    if (io_file < 0) {
        printf("refused /proc/thread-self/io: %s\n", strerror(errno));
        return;
    }
    BENCH_MEASURE({"pair", run_pair}, {"read_io", run_read_io});
}

/* ---- jobs: software defined events ----------------------------------- */

/* Does libhpm count the events in HPM_EVENTS?  It gives -1 if not. */
static bool
has_sde(void)
{
    long long value = -1;

    if (!bench_sde_register()) {
        puts("refused built without PAPI's headers or libraries");
        return false;
    }
    hpmGetTimeAndCounters(1, NULL, &value);
    if (value != -1)
        return true;
    puts("refused this libhpm has no PAPI source");
    return false;
}

static void
job_sde(void)
{
    if (has_sde())
        BENCH_MEASURE({"pair", run_pair}, {"nest64", run_nest});
}

static void
job_sde_threads(void)
{
    static const struct bench_team team = {"pair", run_pair, NULL, NULL};

    if (has_sde())
        bench_measure_teams(&team);
}

/* ---- jobs: threads --------------------------------------------------- */

enum { N_PARKED = 64, N_BEFORE = 1000, N_FIRST = 9 };

static pthread_barrier_t parked;

static void *
park(void *unused)
{
    run_pair(64);
    pthread_barrier_wait(&parked);
    pthread_barrier_wait(&parked);
    return unused;
}

static pthread_t
must_create(void *(*run)(void *), void *argument)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, argument) != 0) {
        fputs("bench: cannot create a thread\n", stderr);
        exit(1);
    }
    return thread;
}

static void
job_threads(void)
{
    static const struct bench_team team = {"pair", run_pair, NULL, NULL};
    pthread_t threads[N_PARKED];

    BENCH_MEASURE({"alone", run_pair});
    pthread_barrier_init(&parked, NULL, N_PARKED + 1);
    for (int i = 0; i < N_PARKED; i++)
        threads[i] = must_create(park, NULL);
    pthread_barrier_wait(&parked);
    BENCH_MEASURE({"among_64", run_pair});
    pthread_barrier_wait(&parked);
    for (int i = 0; i < N_PARKED; i++)
        pthread_join(threads[i], NULL);
    bench_measure_teams(&team);
}

static void *
run_first(void *ret_ns)
{
    double before = bench_cpu_ns();

    run_pair(1);
    *(double *)ret_ns = bench_cpu_ns() - before;
    return NULL;
}

/* The first pair of a thread, including the making of its table. */
static double
time_first(void)
{
    double ns;

    pthread_join(must_create(run_first, &ns), NULL);
    return ns;
}

static void
print_first(const char *name)
{
    double ns[N_FIRST];

    for (int i = 0; i < N_FIRST; i++)
        ns[i] = time_first();
    printf("%s %.1f\n", name, bench_median(ns, N_FIRST));
}

static void
job_arrivals(void)
{
    run_pair(1);
    print_first("first_10");
    for (int i = 2 * N_FIRST; i < N_BEFORE; i++)
        time_first();
    print_first("first_1000");
}

/* ---- jobs: growth ---------------------------------------------------- */

enum { N_INNER = 100000, N_OUTER = 9 };

static double
time_stop_around(long n_inner)
{
    double before;

    hpmTstart(1, "outer");
    for (long i = 0; i < n_inner; i++) {
        hpmTstart(2, "inner");
        hpmTstop(2);
    }
    before = bench_wall_ns();
    hpmTstop(1);
    return bench_wall_ns() - before;
}

static void
print_stop_around(const char *name, long n_inner)
{
    double ns[N_OUTER];

    for (int i = 0; i < N_OUTER; i++)
        ns[i] = time_stop_around(n_inner);
    printf("%s %.1f\n", name, bench_median(ns, N_OUTER));
}

static void
job_instances(void)
{
    BENCH_MEASURE({"early", run_pair});
    print_stop_around("stop_1", 1);
    print_stop_around("stop_100000", N_INNER);
    run_pair(1000000);
    BENCH_MEASURE({"late", run_pair});
}

/* A value in kB of a file of /proc, in bytes; smaps_rollup is exact, while
 * status is updated per processor only now and then. */
static long
memory_bytes(const char *path, const char *name)
{
    char line[256];
    long kb = 0;
    FILE *file = fopen(path, "re");

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0)
            kb = strtol(line + strlen(name), NULL, 10);
    }
    if (file != NULL)
        fclose(file);
    return kb * 1024;
}

static long
malloc_bytes(void)
{
#ifdef HAVE_MALLINFO2
    struct mallinfo2 info = mallinfo2();

    return (long)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

struct memory {
    long heap, data, resident;
};

static struct memory
read_memory(void)
{
    return (struct memory){malloc_bytes(),
                           memory_bytes("/proc/self/status", "VmData:"),
                           memory_bytes("/proc/self/smaps_rollup", "Rss:")};
}

static void
job_memory(void)
{
    struct memory before, after;

    run_pair(1000);
    run_nest(DEPTH);
    for (int i = 0; i < 3; i++)
        before = read_memory();
    run_pair(500000);
    run_nest(500000);
    after = read_memory();
    printf("malloc %ld\ndata %ld\nresident %ld\n", after.heap - before.heap,
           after.data - before.data, after.resident - before.resident);
}

/* ---- jobs: the empty section ----------------------------------------- */

static void
enter_empty(int id, const char *label)
{
    for (int i = 0; i < BENCH_EMPTY_CALLS; i++) {
        hpmTstart(id, label);
        hpmTstop(id);
    }
}

static void
enter_nested(int id, const char *label)
{
    for (int i = 0; i < BENCH_EMPTY_CALLS; i++) {
        hpmTstart(id, label);
        hpmTstart(1000, "inner");
        hpmTstop(1000);
        hpmTstop(id);
    }
}

static void
enter_counted(void)
{
    for (int i = 0; i < BENCH_EMPTY_CALLS; i++) {
        hpmTstart(1, "counted");
        bench_sde[0] += BENCH_ADDED_COUNTED;
        hpmTstop(1);
        hpmTstart(2, "around");
        bench_sde[0] += BENCH_ADDED_AROUND;
        hpmTstart(3, "inside");
        bench_sde[0] += BENCH_ADDED_INSIDE;
        hpmTstop(3);
        hpmTstop(2);
    }
}

static void
job_empty(void)
{
    static char labels[2 * BENCH_EMPTY_SECTIONS][24];

    for (int i = 0; i < BENCH_EMPTY_SECTIONS; i++) {
        snprintf(labels[2 * i], sizeof labels[0], "empty %d", i);
        snprintf(labels[2 * i + 1], sizeof labels[0], "outer %d", i);
        enter_empty(2000 + i, labels[2 * i]);
        enter_nested(3000 + i, labels[2 * i + 1]);
    }
    enter_counted();
    BENCH_MEASURE({"tick2", bench_run_tick2});
}

static void
job_empty_sde(void)
{
    if (has_sde())
        job_empty();
}

static const struct {
    const char *name;
    void (*run)(void);
} jobs[] = {
    {"arrivals", job_arrivals},
    {"empty", job_empty},
    {"empty-sde", job_empty_sde},
    {"instances", job_instances},
    {"io", job_io},
    {"kernel", job_kernel},
    {"many-ids", job_many_ids},
    {"many-sites", job_many_sites},
    {"many-lines", job_many_lines},
    {"memory", job_memory},
    {"pair", job_pair},
    {"sde", job_sde},
    {"sde-threads", job_sde_threads},
    {"threads", job_threads},
    {"time", job_time},
};

bool
bench_do_job(const char *name)
{
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        if (strcmp(jobs[i].name, name) == 0) {
            jobs[i].run();
            return true;
        }
    }
    return false;
}
