/* SPDX-License-Identifier: BSD-3-Clause
 * Counters of running programs: threads that come and go while counters are
 * opened, sums over units, and what /proc says that the programs have used, on a
 * system simulated by the test. */
#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "source/machine/procfile.h"

#include "source/meter.h"
#include "source/perf.h"

/* Replace the kernel's calls in the tested file. */
static struct hpm_meter *play_meter(const struct hpm_eventset *set,
                                    enum hpm_target target, pid_t pid, int cpu,
                                    struct hpm_error *err);
static void play_close(struct hpm_meter *meter);
static void play_brought(struct hpm_meter *meter);
static int play_open(const struct hpm_event *event, pid_t pid, int cpu,
                     int leader, unsigned flags);
static void play_drop(int fd);
#define hpm_meter_open_running play_meter
#define hpm_meter_close play_close
#define hpm_meter_open_brought play_brought
#define hpm_perf_open_on play_open
#define hpm_perf_drop play_drop
#include "hpmcount/watch.c"

#include "hpmcount/targets.h"
#include "tap.h"

enum { N_EVENTS = 2, N_SLOTS = 1 + N_EVENTS, MOST = 8 };

const struct hpm_source hpm_source_node = {.name = "node"};

static struct hpm_event events[N_EVENTS] = {
    {.name = (char *)"task-clock",
     .source = &hpm_source_kernel,
     .encoding = {.type = PERF_TYPE_SOFTWARE,
                  .config = PERF_COUNT_SW_TASK_CLOCK}},
    {.name = (char *)"page-faults",
     .source = &hpm_source_kernel,
     .encoding = {.type = PERF_TYPE_SOFTWARE,
                  .config = PERF_COUNT_SW_PAGE_FAULTS}}};
static const struct hpm_eventset set = {.events = events, .n_events = N_EVENTS};
static struct hpm_error err;

/* The simulated system, with one meter. */
static struct played {
    struct hpm_meter *meter;
    struct hpm_metered metered[N_EVENTS];
    enum hpm_target target;
    pid_t pid;
    int cpu;
    bool is_open;
} meters[MOST];

static struct {
    size_t n_meters, n_brought;
    enum hpm_state states[MOST]; /* of the second event of the n-th meter */
    int open_error;              /* for an event that is opened once more */
    pid_t asked;
    unsigned flags;
    int n_opened, n_dropped;
    bool is_refused;
} play;

static void
read_meter(void *counting, uint64_t *slots)
{
    const struct played *played = counting;
    uint64_t n = (uint64_t)(played->cpu >= 0 ? played->cpu : played->pid);

    for (size_t i = 1; i < N_SLOTS; i++)
        slots[i] = n * (i == 1 ? 1 : 1000);
}

static struct hpm_meter *
play_meter(const struct hpm_eventset *its_set, enum hpm_target target,
           pid_t pid, int cpu, struct hpm_error *its_err)
{
    size_t n = play.n_meters++ % MOST;
    struct played *played = &meters[n];

    (void)its_err;
    *played = (struct played){
        .target = target, .pid = pid, .cpu = cpu, .is_open = true};
    played->metered[1].state = play.states[n];
    played->meter = calloc(1, sizeof *played->meter);
    played->meter->set = its_set;
    played->meter->n_events = N_EVENTS;
    played->meter->n_slots = N_SLOTS;
    played->meter->events = played->metered;
    played->meter->counting = played;
    played->meter->read = read_meter;
    return played->meter;
}

static void
play_close(struct hpm_meter *meter)
{
    for (size_t i = 0; i < meter->n_events; i++)
        hpm_memory_free(meter->events[i].reason);
    for (size_t i = 0; i < MOST; i++) {
        if (meter == meters[i].meter)
            meters[i].is_open = false;
    }
    free(meter);
}

static void
play_brought(struct hpm_meter *meter)
{
    play.n_brought += meter == meters[0].meter;
}

static int
play_open(const struct hpm_event *event, pid_t pid, int cpu, int leader,
          unsigned flags)
{
    (void)event;
    play.asked = pid;
    play.flags = flags;
    if (play.open_error != 0 || cpu != -1 || leader != -1) {
        errno = play.open_error;
        return -1;
    }
    return 100 + play.n_opened++;
}

static void
play_drop(int fd)
{
    play.n_dropped += fd >= 100;
}

bool
refusal_check(const struct targets *targets, const struct hpm_eventset *its_set,
              struct hpm_error *its_err)
{
    (void)targets;
    (void)its_set;
    return !play.is_refused || hpm_error_set(its_err, "refused");
}

pid_t
targets_process_of(pid_t thread)
{
    return thread / 10;
}

bool
targets_add_name(struct hpm_string *string, pid_t id)
{
    if (id == 99)
        return false;
    hpm_string_add_format(string, "name%d", (int)id);
    return true;
}

/* ---- the tests ------------------------------------------------------- */

static void
begin(void)
{
    memset(&play, 0, sizeof play);
    for (size_t i = 0; i < MOST; i++)
        play.states[i] = HPM_STATE_COUNTED;
    err.text[0] = '\0';
}

static struct targets
targets_of(enum targets_kind kind, int *ids, size_t n)
{
    return (struct targets){
        .kind = kind, .ids = ids, .n = n, .cgroup = -1, .name = (char *)"them"};
}

static void
test_kinds(void)
{
    int ids[] = {12, 34};
    struct targets targets = targets_of(TARGETS_THREADS, ids, 2);
    struct watch watch;

    begin();
    ok(watch_open(&watch, &targets, &set, false, &err) && watch.n_units == 2 &&
           watch.units[1].process == 3 && watch.units[1].thread == 34 &&
           watch.units[1].cpu == -1,
       "threads are units, of their processes");
    ok(meters[1].target == HPM_TARGET_RUNNING && meters[1].pid == 34 &&
           meters[1].cpu == -1,
       "each with counters of its own");
    watch_close(&watch);
    ok(!meters[0].is_open && !meters[1].is_open, "which are closed in the end");
    begin();
    targets.kind = TARGETS_CPUS;
    ok(watch_open(&watch, &targets, &set, false, &err) && watch.n_units == 2 &&
           watch.units[1].process == -1 && watch.units[1].thread == -1 &&
           watch.units[1].cpu == 34,
       "processors are units");
    ok(meters[1].target == HPM_TARGET_CPU && meters[1].pid == -1 &&
           meters[1].cpu == 34,
       "with counters of all that runs there");
    watch_close(&watch);
    begin();
    targets.kind = TARGETS_CGROUP;
    targets.cgroup = 5;
    ok(watch_open(&watch, &targets, &set, false, &err) &&
           meters[1].target == HPM_TARGET_CGROUP && meters[1].pid == 5 &&
           meters[1].cpu == 34,
       "a control group is counted on each processor");
    watch_close(&watch);
}

/* This process, whose only thread has its number, and a number without a
 * process. */
static void
test_processes(void)
{
    int ids[] = {(int)getpid(), 0x7ffffff};
    struct targets targets = targets_of(TARGETS_PROCESSES, ids, 2);
    struct watch watch;

    begin();
    ok(watch_open(&watch, &targets, &set, false, &err) && watch.n_units >= 1 &&
           watch.units[0].thread == ids[0] && watch.units[0].process == ids[0],
       "the threads of processes are units");
    watch_close(&watch);
    begin();
    targets = targets_of(TARGETS_PROCESSES, ids + 1, 1);
    ok(!watch_open(&watch, &targets, &set, false, &err) &&
           strcmp(err.text, "'them' has ended before it could be counted") == 0,
       "of one that has ended there is none");
    watch_close(&watch);
    begin();
    play.is_refused = true;
    ok(!watch_open(&watch, &targets, &set, false, &err) &&
           strcmp(err.text, "refused") == 0 && play.n_meters == 0,
       "what nobody may count is not opened");
    watch_close(&watch);
}

/* Open once only: a unit that has ended stays in this list. */
static bool
open_once(struct watch *ret_watch, const struct targets *targets)
{
    *ret_watch = (struct watch){.targets = targets, .set = &set};
    return list_units(ret_watch, &err) && open_units(ret_watch, &err);
}

/* Whether a thread has ended is learnt only from events of the kernel that are
 * not counted. */
static void
test_vanished(void)
{
    int ids[] = {12, 34};
    struct targets targets = targets_of(TARGETS_THREADS, ids, 2);
    struct watch watch;

    begin();
    play.states[0] = HPM_STATE_UNSUPPORTED;
    play.open_error = ESRCH;
    ok(open_once(&watch, &targets) && watch.n_units == 1 &&
           watch.units[0].thread == 34 && !meters[0].is_open,
       "a thread that has ended meanwhile is left out");
    ok(play.asked == 12 && play.flags == HPM_PERF_INHERIT,
       "by the same opening once more");
    watch_close(&watch);
    begin();
    play.states[0] = HPM_STATE_UNSUPPORTED;
    play.open_error = EACCES;
    ok(open_once(&watch, &targets) && watch.n_units == 2,
       "one that is there is not, whatever else is wrong");
    watch_close(&watch);
    begin();
    play.states[0] = HPM_STATE_UNSUPPORTED;
    ok(open_once(&watch, &targets) && watch.n_units == 2 &&
           play.n_opened == 1 && play.n_dropped == 1,
       "nor one whose event can be opened now");
    watch_close(&watch);
    begin();
    play.open_error = ESRCH;
    ok(open_once(&watch, &targets) && watch.n_units == 2,
       "where all are counted nothing is asked");
    watch_close(&watch);
    begin();
    play.states[0] = HPM_STATE_UNSUPPORTED;
    play.open_error = ESRCH;
    events[1].source = &hpm_source_usage;
    ok(open_once(&watch, &targets) && watch.n_units == 2,
       "nor of events of other sources");
    events[1].source = &hpm_source_kernel;
    watch_close(&watch);
    begin();
    play.states[0] = HPM_STATE_UNSUPPORTED;
    play.open_error = ESRCH;
    targets.kind = TARGETS_CPUS;
    ok(open_once(&watch, &targets) && watch.n_units == 2,
       "and processors do not end");
    watch_close(&watch);
}

/* A thread of this process that is in the list, and one that is not. */
static void
test_new(void)
{
    int ids[] = {12, 34, 56};
    struct targets targets = targets_of(TARGETS_THREADS, ids, 2);
    struct watch watch = {.targets = &targets};
    size_t n;

    ok(list_units(&watch, &err) && count_new(&watch, &n, &err) && n == 0,
       "no thread is new at first");
    targets.n = 3;
    ok(count_new(&watch, &n, &err) && n == 1, "then one is");
    targets.n = 1;
    ok(count_new(&watch, &n, &err) && n == 0, "one that has ended is not");
    hpm_memory_free(watch.units);
}

static void
test_no_memory(void)
{
    int ids[] = {12};
    struct targets targets = targets_of(TARGETS_THREADS, ids, 1);
    struct watch watch;

    for (unsigned long k = 1; k <= 3; k++) {
        begin();
        hpm_memory_fail_at(k, false);
        ok(!watch_open(&watch, &targets, &set, false, &err) &&
               strstr(err.text, "memory") != NULL,
           "lack of memory is said");
        hpm_memory_fail_at(0, false);
        watch_close(&watch);
    }
}

/* ---- together -------------------------------------------------------- */

static void
test_states(void)
{
    int ids[] = {1, 2, 3};
    struct targets targets = targets_of(TARGETS_CPUS, ids, 3);
    struct watch watch;

    begin();
    play.states[2] = HPM_STATE_LOST;
    ok(watch_open(&watch, &targets, &set, false, &err), "three are opened");
    ok(meters[0].metered[1].state == HPM_STATE_LOST,
       "what one of them does not count the sum has not");
    ok(meters[0].metered[0].state == HPM_STATE_UNSUPPORTED,
       "and of processors there is no task-clock");
    watch_close(&watch);
    begin();
    targets.kind = TARGETS_THREADS;
    ok(watch_open(&watch, &targets, &set, false, &err) &&
           meters[0].metered[0].state == HPM_STATE_COUNTED &&
           meters[0].metered[1].state == HPM_STATE_COUNTED,
       "of threads there is");
    watch_close(&watch);
}

static void
test_node(void)
{
    int ids[] = {1, 2};
    struct targets targets = targets_of(TARGETS_CPUS, ids, 2);
    struct watch watch;

    events[1].source = &hpm_source_node;
    begin();
    ok(watch_open(&watch, &targets, &set, false, &err) && play.n_brought == 1 &&
           meters[0].metered[1].state == HPM_STATE_COUNTED,
       "counts of the node are those of the whole");
    watch_close(&watch);
    begin();
    ok(watch_open(&watch, &targets, &set, true, &err) && play.n_brought == 0 &&
           meters[0].metered[1].state == HPM_STATE_UNSUPPORTED,
       "no part has them");
    watch_close(&watch);
    events[1].source = &hpm_source_kernel;
}

static void
test_rows(void)
{
    int ids[] = {3, 99, 3};
    struct targets targets = targets_of(TARGETS_THREADS, ids, 3);
    uint64_t rows[3 * N_SLOTS];
    struct watch watch;

    memset(rows, 0xff, sizeof rows);
    begin();
    ok(watch_open(&watch, &targets, &set, false, &err) && watch.n_parts == 1,
       "without parts there is one of all");
    is_text(watch.parts[0].name, "all", "which is called so");
    watch_read(&watch, rows);
    ok(rows[0] == 0 && rows[1] == 105 && rows[2] == 105000,
       "it has the sum of all units");
    watch_close(&watch);
    begin();
    ok(watch_open(&watch, &targets, &set, true, &err) && watch.n_parts == 2 &&
           watch.parts[0].number == 3 && watch.parts[1].number == 99,
       "with parts each thread is one, once");
    is_text(watch.parts[0].name, "name3", "it has its name,");
    is_text(watch.parts[1].name, "thread", "if it is still there");
    watch_read(&watch, rows);
    ok(rows[1] == 6 && rows[2] == 6000 && rows[N_SLOTS + 1] == 99,
       "and the counts of its own");
    watch_close(&watch);
    ok(watch.units == NULL && watch.n_parts == 0, "nothing is left then");
}

/* A processor that does not exist counts as a core of its own. */
static void
test_cores(void)
{
    int ids[] = {9998, 9999, 9998};
    struct targets targets = targets_of(TARGETS_CPUS, ids, 3);
    struct watch watch;

    begin();
    ok(watch_open(&watch, &targets, &set, true, &err) && watch.n_parts == 2,
       "processors of one core are one part");
    is_text(watch.parts[1].name, "core 9999", "with its number");
    watch_close(&watch);
}

/* ---- what they use ---------------------------------------------------- */

#define STAT(minor, major, user, kernel)                                       \
    " (a) b) S 1 1 1 0 -1 4194304 " #minor " 7 " #major " 8 " #user            \
    " " #kernel " 9 9 20 0\n"

static struct {
    const char *path, *text;
} proc[] = {
    {"/proc/11/stat", "11" STAT(100, 3, 1, 5)},
    {"/proc/11/status", "Name:\ta\nVmHWM:\t    300 kB\n"},
    {"/proc/12/stat", "12" STAT(20, 1, 1, 99)},
    {"/proc/12/status", "Name:\ta\nVmHWM:\t    200 kB\n"},
    {"/proc/1/task/13/stat", "13" STAT(4, 2, 1, 2)},
    {"/proc/1/task/13/schedstat", "70000000 5 6\n"},
    {"/proc/stat", "cpu  9 9 9 9 9 9 9\ncpu0 10 2 3 99 99 4 5 9\n"
                   "cpu1 20 0 0 0 0 0 1 0\n"},
};

static long
play_file(const char *path, char *ret_text, size_t size)
{
    for (size_t i = 0; i < sizeof proc / sizeof *proc; i++) {
        if (strcmp(proc[i].path, path) == 0)
            return snprintf(ret_text, size, "%s", proc[i].text);
    }
    return -1;
}

/* The first process has used 0.2 s, the other one 0.3 s. */
static int
play_clock(pid_t id, clockid_t *ret_clock)
{
    *ret_clock = (clockid_t)id;
    return id == 11 || id == 12 ? 0 : ESRCH;
}

static int
play_time(clockid_t clock, struct timespec *ret_time)
{
    *ret_time = (struct timespec){0, clock == 11 ? 200000000 : 300000000};
    return 0;
}

static pid_t
play_process(pid_t thread)
{
    return thread == 13 ? 1 : 2;
}

static long
play_ticks(int name)
{
    (void)name;
    return 100;
}

#define hpm_procfile_read play_file
#define clock_getcpuclockid play_clock
#define clock_gettime play_time
#define targets_process_of play_process
#define sysconf play_ticks
#include "hpmcount/procusage.c"

static struct procusage_reading
used_by(enum targets_kind kind, int *ids, size_t n)
{
    const struct targets targets = targets_of(kind, ids, n);
    struct procusage_reading reading;

    procusage_read(&targets, &reading);
    return reading;
}

enum { MS = 1000000 };

static void
test_usage(void)
{
    struct procusage_reading used =
        used_by(TARGETS_PROCESSES, (int[]){11, 12}, 2);

    ok(used.is_known && used.user_ns == 150 * (uint64_t)MS &&
           used.system_ns == 50 * (uint64_t)MS + 300 * (uint64_t)MS,
       "processes have used what the kernel tells exactly, in two parts");
    ok(used.minor_faults == 120 && used.major_faults == 4 &&
           used.largest_kb == 300,
       "their faults, and the largest size of one");
    ok(!used_by(TARGETS_PROCESSES, (int[]){11, 77}, 2).is_known &&
           !used_by(TARGETS_PROCESSES, (int[]){77, 11}, 2).is_known,
       "of one that is gone nothing is known");
    used = used_by(TARGETS_THREADS, (int[]){13}, 1);
    ok(used.is_known && used.user_ns == 50 * (uint64_t)MS &&
           used.system_ns == 20 * (uint64_t)MS && used.minor_faults == 4 &&
           used.major_faults == 2 && used.largest_kb == 0,
       "a thread's time is that of its schedule");
    used = used_by(TARGETS_CPUS, (int[]){0, 1}, 2);
    ok(used.is_known && used.user_ns == (12 + 20) * 10 * (uint64_t)MS &&
           used.system_ns == (12 + 1) * 10 * (uint64_t)MS,
       "a processor's is what it was not idle");
    ok(!used_by(TARGETS_CPUS, (int[]){0, 2}, 2).is_known &&
           !used_by(TARGETS_CGROUP, (int[]){0}, 1).is_known,
       "of one that is off, or of control groups, nothing is known");
}

static void
test_usage_between(void)
{
    const struct procusage_reading from = {true, 5000, 7000, 10, 3, 100},
                                   to = {true, 1500005000, 6000, 30, 4, 90};
    struct rusage usage;

    procusage_take(&from, &to, &usage);
    ok(usage.ru_utime.tv_sec == 1 && usage.ru_utime.tv_usec == 500000 &&
           usage.ru_stime.tv_sec == 0 && usage.ru_stime.tv_usec == 0 &&
           usage.ru_minflt == 20 && usage.ru_majflt == 1 &&
           usage.ru_maxrss == 90,
       "between two readings is their difference, which is not below 0");
}

static void
test_usage_known(void)
{
    static const char *const names[] = {"ru::utime",  "ru::stime",
                                        "ru::maxrss", "ru::minflt",
                                        "ru::majflt", "ru::nvcsw"};
    static const bool of_process[] = {true, true, true, true, true, false},
                      of_cpu[] = {true, true, false, false, false, false};
    const struct targets processes = targets_of(TARGETS_PROCESSES, NULL, 0),
                         cpus = targets_of(TARGETS_CPUS, NULL, 0);
    const struct procusage_reading reading = {.is_known = true,
                                              .largest_kb = 1},
                                   no_size = {.is_known = true},
                                   unknown = {.largest_kb = 1};
    bool are_right = true;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        are_right &=
            procusage_knows(&processes, &reading, names[i]) == of_process[i] &&
            procusage_knows(&cpus, &reading, names[i]) == of_cpu[i] &&
            !procusage_knows(&processes, &unknown, names[i]);
    ok(are_right, "of processes more is known than of processors");
    ok(!procusage_knows(&processes, &no_size, "ru::maxrss"),
       "and their size, where it could be read");
}

int
main(void)
{
    test_kinds();
    test_processes();
    test_vanished();
    test_new();
    test_no_memory();
    test_states();
    test_node();
    test_rows();
    test_cores();
    test_usage();
    test_usage_between();
    test_usage_known();
    return done();
}
