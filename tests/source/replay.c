/* SPDX-License-Identifier: BSD-3-Clause
 * Replayed samples: found by name, read in order, for each thread. */
#include "source/replay.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/clock.h"
#include "source/meter.h"
#include "source/sources.h"
#include "tap.h"

static char path[] = "/tmp/hpm-replay-XXXXXX";

/* The sources with `text` to replay. */
static const struct hpm_source *const *
replay(const char *text)
{
    int fd = open(path, O_WRONLY | O_TRUNC);

    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        printf("Bail out! cannot write %s\n", path);
    close(fd);
    setenv("HPM_REPLAY", path, 1);
    return hpm_sources_choose("replay", NULL);
}

static struct hpm_eventset
choose(const char *text, const char *list)
{
    struct hpm_eventset set = {0};
    struct hpm_error err = {.text = ""};

    if (!hpm_eventset_choose(&set, list, NULL, HPM_DOMAIN_USER, replay(text),
                             &err))
        printf("# %s\n", err.text);
    return set;
}

static struct hpm_meter *
open_numbered(const struct hpm_eventset *set, int tid)
{
    struct hpm_meter *meter = hpm_meter_open(set, HPM_TARGET_THREAD, 0, NULL);

    meter->tid = tid;
    return meter;
}

/* ---- names ----------------------------------------------------------- */

static void
test_names(void)
{
    static const char text[] = "events cycles sw::task-clock cpu/a=1,b=2//kB\n";
    struct hpm_eventset set = choose(text, NULL);

    is_count(set.n_events, 3, "without a choice all events are replayed");
    is_text(set.events[0].name, "cycles", "in the order of the file");
    is_text(set.events[2].name, "cpu/a=1,b=2/", "with their commas");
    is_text(set.events[2].unit, "kB", "with the unit of the file");
    is_text(set.events[1].unit, "ns", "or the one the kernel's name has");
    is_text(set.events[0].source->name, "replay", "by the source");
    hpm_eventset_clear(&set);
    set = choose(text, "TASK-CLOCK,PERF_COUNT_HW_CPU_CYCLES");
    ok(set.events[0].encoding.config == 1 && set.events[1].encoding.config == 0,
       "other names of the same events are found, in the order wanted");
    hpm_eventset_clear(&set);
}

static void
test_unknown(void)
{
    struct hpm_eventset set = choose("events a b\n", "a,c");
    char expected[256];

    snprintf(expected, sizeof expected, "%s has no such event; it has a, b",
             path);
    ok(set.events[1].source == NULL &&
           set.events[1].state == HPM_STATE_UNSUPPORTED,
       "an event that is not in the file is unsupported");
    is_text(set.events[1].reason, expected, "and the file's events are named");
    hpm_eventset_clear(&set);
}

static void
test_unusable(void)
{
    const struct hpm_source *const *sources = replay("events a\n0 x\n");
    struct hpm_eventset set = {0};
    struct hpm_error err = {.text = ""};
    char expected[256];

    snprintf(expected, sizeof expected,
             "%s:2: 'x': expected the time in nanoseconds; write an integer "
             "below 2^64 after the thread",
             path);
    ok(!hpm_eventset_choose(&set, NULL, NULL, HPM_DOMAIN_USER, sources, &err),
       "of a bad file nothing is replayed");
    is_text(err.text, expected, "and its mistake is said");
    hpm_eventset_choose(&set, "a", NULL, HPM_DOMAIN_USER, sources, &err);
    is_text(set.events[0].reason, expected, "also as the reason of an event");
    ok(hpm_clock_instant().ns > 0, "the time is the machine's");
    hpm_eventset_clear(&set);
    unsetenv("HPM_REPLAY");
    hpm_eventset_choose(&set, "a", NULL, HPM_DOMAIN_USER,
                        hpm_sources_choose("replay", NULL), &err);
    is_text(set.events[0].reason,
            "HPM_SOURCE=replay needs a file of samples; set HPM_REPLAY to its "
            "name",
            "without a file that is said");
    hpm_eventset_clear(&set);
}

/* ---- readings -------------------------------------------------------- */

static void
keep_lack(const char *sentence, unsigned n_readings, void *context)
{
    struct hpm_string *lacks = context;

    hpm_string_add_format(lacks, "%u%s\n", n_readings, sentence + strlen(path));
}

static void
test_readings(void)
{
    struct hpm_eventset set = choose("events a b\n0 10 1 2\n1 11 5 6\n"
                                     "0 20 3 4\n-1 30 7 8\n",
                                     "b,a");
    struct hpm_meter *first = hpm_meter_open(&set, HPM_TARGET_THREAD, 0, NULL);
    struct hpm_meter *second = open_numbered(&set, 1);
    struct hpm_meter *process =
        hpm_meter_open(&set, HPM_TARGET_PROCESS, 0, NULL);
    uint64_t row[HPM_MAX_SLOTS] = {0};
    struct hpm_string lacks = {0};

    ok(hpm_meter_is_replayed(first) && first->time_slot != 0,
       "a replayed meter brings its time");
    row[0] = row[1] = 99;
    hpm_meter_read(first, row);
    ok(row[0] == 0 && row[1] == 0, "without a number it reads 0");
    is_count(hpm_clock_instant().ns, 0, "and the clock stands");
    first->tid = 0;
    hpm_meter_read(first, row);
    ok(row[0] == 10 && row[1] == 2 && row[2] == 1,
       "the first reading is the first sample, in the order of the set");
    hpm_meter_read(second, row);
    ok(row[0] == 11 && row[1] == 6, "another thread has its own");
    hpm_meter_read(process, row);
    ok(row[0] == 30 && row[1] == 8, "and so has the process");
    hpm_meter_read(first, row);
    ok(row[0] == 20 && row[1] == 4, "the next reading is the next sample");
    is_count(hpm_clock_instant().ns, 30, "the clock shows the latest");
    hpm_replay_visit_lacks(keep_lack, &lacks);
    is_text(hpm_string_text(&lacks), "", "so far nothing was missing");
    hpm_meter_read(first, row);
    hpm_meter_pass(first);
    ok(row[0] == 20 && row[1] == 4, "the last one is used again");
    hpm_replay_visit_lacks(keep_lack, &lacks);
    is_text(hpm_string_text(&lacks),
            "2: no more samples for thread 0 after line 4; the last one is "
            "used again\n",
            "which is known");
    hpm_string_free(&lacks);
    hpm_meter_close(first);
    hpm_meter_close(second);
    hpm_meter_close(process);
    hpm_eventset_clear(&set);
}

static void
test_no_samples(void)
{
    struct hpm_eventset set = choose("events a\n0 1 2\n", NULL);
    struct hpm_meter *meter = open_numbered(&set, 3);
    uint64_t row[HPM_MAX_SLOTS] = {9, 9, 9};
    struct hpm_string lacks = {0};

    hpm_meter_read(meter, row);
    ok(row[0] == 0 && meter->events[0].state == HPM_STATE_UNSUPPORTED,
       "a thread without samples has no counts");
    is_text(meter->events[0].reason, "the file has no samples for thread 3",
            "and a reason");
    hpm_replay_visit_lacks(keep_lack, &lacks);
    is_text(hpm_string_text(&lacks),
            "1: no samples for thread 3; its times are 0, its counts not "
            "there\n",
            "and is known");
    hpm_string_free(&lacks);
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
}

static void
test_states(void)
{
    struct hpm_eventset set = choose(
        "events a b c d\n0 0 0:0:0 0:0:0 5 5:0:0\n"
        "0 9 100:100:25 0:100:0 6 6:7:7\n0 10 101:101:26 0:101:0 - 6:7:7\n"
        "1 0 1 2 3 4\n",
        NULL);
    struct hpm_meter *meter = open_numbered(&set, 0);
    struct hpm_meter *other = open_numbered(&set, 1);
    uint64_t first[HPM_MAX_SLOTS] = {0}, row[HPM_MAX_SLOTS] = {0};
    struct hpm_count count;

    hpm_meter_read(meter, first);
    hpm_meter_read(meter, row);
    for (size_t i = 0; i < meter->n_slots; i++)
        row[i] -= first[i];
    count = hpm_meter_count(meter, 0, row);
    ok(count.state == HPM_STATE_SHARED && count.value == 400,
       "a shared count is scaled");
    is_near(count.share, 0.25, 0.0, "by its share");
    ok(hpm_meter_count(meter, 1, row).state == HPM_STATE_UNSCHEDULED,
       "what never ran was never scheduled");
    ok(hpm_meter_count(meter, 2, row).state == HPM_STATE_COUNTED,
       "a plain count is counted");
    ok(hpm_meter_count(meter, 3, row).state == HPM_STATE_COUNTED,
       "so is what ran all the time");
    hpm_meter_read(meter, row);
    ok(meter->events[2].state == HPM_STATE_LOST, "what is gone is lost");
    is_text(meter->events[2].reason, "gone from line 4 of the file on",
            "since a line that is named");
    hpm_meter_read(other, row);
    count = hpm_meter_count(other, 0, row);
    ok(count.state == HPM_STATE_COUNTED && count.value == 1,
       "in another thread the same event may be counted all the time");
    hpm_meter_close(meter);
    hpm_meter_close(other);
    hpm_eventset_clear(&set);
}

static void
test_time_alone(void)
{
    struct hpm_eventset set = choose("events\n0 5\n", NULL);
    struct hpm_meter *meter = open_numbered(&set, 0);
    uint64_t row[HPM_MAX_SLOTS] = {0};

    is_count(set.n_events, 0, "a file may have no events");
    hpm_meter_read(meter, row);
    ok(hpm_meter_is_replayed(meter) && row[0] == 5, "but its time is replayed");
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
}

static void
test_program(void)
{
    struct hpm_eventset set = choose("events a\n-1 5 6\n-1 7 8\n", NULL);
    struct hpm_meter *meter =
        hpm_meter_open(&set, HPM_TARGET_PROGRAM, getpid(), NULL);
    uint64_t before[HPM_MAX_SLOTS] = {0}, after[HPM_MAX_SLOTS] = {0};

    hpm_meter_read(meter, before);
    hpm_meter_read(meter, after);
    ok(before[0] == 0 && before[1] == 0, "a program begins at 0");
    ok(after[0] == 7 && after[1] == 8, "and ends with the last sample");
    hpm_meter_read(meter, after);
    ok(after[0] == 7 && after[1] == 8, "however often that is read");
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
}

static void
test_fork(void)
{
    struct hpm_eventset set = choose("events a\n0 5 6\n", NULL);
    struct hpm_meter *meter = open_numbered(&set, 0);
    uint64_t row[HPM_MAX_SLOTS] = {0};
    struct hpm_string lacks = {0};
    int status = 0;
    pid_t pid;

    hpm_meter_read(meter, row);
    hpm_meter_read(meter, row);
    pid = fork();
    if (pid == 0) {
        hpm_replay_visit_lacks(keep_lack, &lacks);
        _exit(lacks.length == 0 && hpm_clock_instant().ns == 0 ? 0 : 1);
    }
    waitpid(pid, &status, 0);
    ok(pid > 0 && status == 0, "a forked child starts from zero");
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
}

static void
test_no_memory(void)
{
    struct hpm_eventset set = choose("events a b\n0 5 6 7\n", NULL);
    struct hpm_meter *meter = NULL;
    unsigned long n = 0;
    bool is_failed = false;

    while (n < 20 && (meter == NULL || is_failed)) {
        hpm_meter_close(meter);
        hpm_memory_fail_at(++n, false);
        meter = hpm_meter_open(&set, HPM_TARGET_THREAD, 0, NULL);
        hpm_memory_fail_at(0, false);
        is_failed =
            meter != NULL && meter->events[0].state == HPM_STATE_UNSUPPORTED;
    }
    ok(meter != NULL && n > 2, "any allocation of a meter may fail");
    hpm_meter_close(meter);
    hpm_eventset_clear(&set);
    n = 0;
    do {
        hpm_memory_fail_at(++n, false);
        set = (struct hpm_eventset){0};
        hpm_eventset_choose(&set, NULL, NULL, HPM_DOMAIN_USER,
                            hpm_sources_choose("replay", NULL), NULL);
        is_failed = set.n_events < 2 || set.events[0].source == NULL ||
                    set.events[1].source == NULL;
        hpm_memory_fail_at(0, false);
        hpm_eventset_clear(&set);
    } while (is_failed && n < 200);
    ok(!is_failed && n > 10, "and any one of the choice of events");
}

int
main(void)
{
    int fd = mkstemp(path);

    if (fd < 0)
        return 99;
    close(fd);
    unsetenv("HPM_EVENTS");
    unsetenv("HPM_SET");
    unsetenv("HPM_EVENT_SET");
    test_names();
    test_unknown();
    test_unusable();
    test_readings();
    test_no_samples();
    test_states();
    test_time_alone();
    test_program();
    test_fork();
    test_no_memory();
    hpm_replay_unload();
    unlink(path);
    return done();
}
