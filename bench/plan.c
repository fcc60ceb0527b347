/* SPDX-License-Identifier: BSD-3-Clause
 * The plan: children, goals and profiles, each a table. */
#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job.h"
#include "results.h"

/* ---- values from performance files ---------------------------------- */

static void
inspect_except(struct bench_child *child, const char *text, int round)
{
    (void)round;
    if (bench_file_has(text, "pair"))
        strcpy(child->refusal, "this libhpm has no HPM_EXCEPT");
}

/* Nanoseconds per call of the median section, so that a switch to another
 * program inside one does not count. */
static double
typical_ns(const char *text, const char *label, const char *datum)
{
    double ns[BENCH_EMPTY_SECTIONS];

    for (int i = 0; i < BENCH_EMPTY_SECTIONS; i++) {
        char name[32];

        snprintf(name, sizeof name, "%s %d", label, i);
        ns[i] = bench_file_value(text, name, datum, "value") * 1e9 /
                BENCH_EMPTY_CALLS;
    }
    return bench_median(ns, BENCH_EMPTY_SECTIONS);
}

static void
inspect_empty(struct bench_child *child, const char *text, int round)
{
    bench_child_add(child, "alone", round, typical_ns(text, "empty", "IncSec"));
    bench_child_add(child, "around", round,
                    typical_ns(text, "outer", "ExcSec"));
}

/* The largest error of a count. */
static void
inspect_counts(struct bench_child *child, const char *text, int round)
{
    static const struct {
        const char *label, *counter, *attribute;
        double expected; /* per call */
    } counts[] = {
        {"empty 0", "sde:::Bench::c0", "value", 0},
        {"outer 0", "sde:::Bench::c0", "value", 0},
        {"outer 0", "sde:::Bench::c0", "exclusive", 0},
        {"counted", "sde:::Bench::c0", "value", BENCH_ADDED_COUNTED},
        {"counted", "sde:::Bench::c1", "value", 0},
        {"around", "sde:::Bench::c0", "value",
         BENCH_ADDED_AROUND + BENCH_ADDED_INSIDE},
        {"around", "sde:::Bench::c0", "exclusive", BENCH_ADDED_AROUND},
        {"inside", "sde:::Bench::c0", "value", BENCH_ADDED_INSIDE},
    };
    double worst = 0;

    inspect_empty(child, text, round);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        double found = bench_file_value(text, counts[i].label,
                                        counts[i].counter, counts[i].attribute);
        double wrong = fabs(found - counts[i].expected * BENCH_EMPTY_CALLS);

        /* a record may leave out an exclusive value that equals the inclusive
         * one */
        if (isnan(found) && strcmp(counts[i].attribute, "exclusive") != 0)
            wrong = INFINITY;
        if (wrong > worst)
            worst = wrong;
    }
    bench_child_add(child, "wrong", round, worst);
}

/* ---- children -------------------------------------------------------- */

#define TIME_ONLY "HPM_SOURCE=none"
#define SOFTWARE                                                               \
    "HPM_EVENTS=task-clock,page-faults,context-switches,cpu-migrations"
#define IO "HPM_EVENTS=proc::rchar,proc::wchar,proc::syscr,proc::syscw"
#define SDE_2 "HPM_EVENTS=sde:::Bench::c0,sde:::Bench::c1"
#define SDE_8                                                                  \
    SDE_2 ",sde:::Bench::c2,sde:::Bench::c3,sde:::Bench::c4"                   \
          ",sde:::Bench::c5,sde:::Bench::c6,sde:::Bench::c7"

/* Children whose series are compared in a ratio run one after the other. */
struct bench_child bench_children[] = {
    {.name = "p2",
     .arguments = "pairs 2",
     .is_anchor = true,
     .is_for_profile = true},
    {.name = "sde2",
     .arguments = "sde",
     .is_for_profile = true,
     .settings = {SDE_2}},
    {.name = "p8",
     .arguments = "pairs 8",
     .is_anchor = true,
     .is_for_profile = true},
    {.name = "sde8",
     .arguments = "sde",
     .is_for_profile = true,
     .settings = {SDE_8}},
    {.name = "time",
     .arguments = "time",
     .is_for_profile = true,
     .settings = {TIME_ONLY}},
    {.name = "kernel",
     .arguments = "kernel",
     .is_for_profile = true,
     .settings = {SOFTWARE}},
    {.name = "default", .arguments = "pair"},
    {.name = "usage", .arguments = "pair", .settings = {"HPM_SOURCE=usage"}},
    {.name = "io", .arguments = "io", .settings = {IO}},
    {.name = "disabled",
     .arguments = "pair",
     .is_for_profile = true,
     .settings = {"HPM_DISABLE=1"}},
    {.name = "except",
     .arguments = "pair",
     .settings = {TIME_ONLY, "HPM_EXCEPT=pair"},
     .inspect = inspect_except},
    {.name = "many-ids", .arguments = "many-ids", .settings = {TIME_ONLY}},
    {.name = "many-sites", .arguments = "many-sites", .settings = {TIME_ONLY}},
    {.name = "many-lines", .arguments = "many-lines"},
    {.name = "threads", .arguments = "threads", .settings = {TIME_ONLY}},
    {.name = "p2-threads", .arguments = "threads 2", .is_anchor = true},
    {.name = "sde2-threads", .arguments = "sde-threads", .settings = {SDE_2}},
    {.name = "empty",
     .arguments = "empty",
     .settings = {TIME_ONLY},
     .inspect = inspect_empty},
    {.name = "empty-kernel",
     .arguments = "empty",
     .settings = {SOFTWARE},
     .inspect = inspect_empty},
    {.name = "empty-sde",
     .arguments = "empty-sde",
     .settings = {SDE_2},
     .inspect = inspect_counts},
    {.name = "instances", .arguments = "instances", .settings = {TIME_ONLY}},
    {.name = "arrivals", .arguments = "arrivals", .settings = {TIME_ONLY}},
    {.name = "memory",
     .arguments = "memory",
     .max_rounds = 3,
     .settings = {TIME_ONLY}},
    {.name = "memory-kernel",
     .arguments = "memory",
     .max_rounds = 1,
     .settings = {SOFTWARE}},
};

const size_t bench_n_children =
    sizeof bench_children / sizeof bench_children[0];

/* ---- goals ----------------------------------------------------------- */

/* P9 has no numbers for "no cost linear in ...".  The limits here: a hundred
 * times as many threads, or a million instances, cost at most a tenth more,
 * which noise does, too; and after a hundred thousand instances, which leave
 * the caches cold, a stop costs at most a microsecond more, a hundredth of a
 * nanosecond each. */
const struct bench_goal bench_goals[] = {
    {"P1", "time + 2 SDE events / p2", BENCH_RATIO, 1.30, "ns",
     .ours = "sde2.pair", .reference = "p2.pair"},
    {"P1", "time + 8 SDE events / p8", BENCH_RATIO, 1.20, "ns",
     .ours = "sde8.pair", .reference = "p8.pair"},
    {"P2", "time only / clk2", BENCH_RATIO, 1.5, "ns", .ours = "time.pair",
     .reference = "time.clk2"},
    {"P3", "4 kernel software events / pe4", BENCH_RATIO, 1.15, "ns",
     .ours = "kernel.pair", .reference = "kernel.pe4"},
    {"P5", "10000 sections by id / 1", BENCH_RATIO, 2.5, "ns",
     .ours = "many-ids.many", .reference = "many-ids.one"},
    {"P5", "10000 sections by call site / 1", BENCH_RATIO, 2.5, "ns",
     .ours = "many-sites.many", .reference = "many-sites.one"},
    {"P5", "  the same, over 1", BENCH_MARGIN, 0, "ns", .has_no_goal = true,
     .ours = "many-sites.many", .reference = "many-sites.one"},
    {"P5", "  their lines of the cache alone, over 1", BENCH_MARGIN, 0, "ns",
     .has_no_goal = true, .ours = "many-lines.many",
     .reference = "many-lines.one"},
    {"P5", "    each waiting for the one before", BENCH_MARGIN, 0, "ns",
     .has_no_goal = true, .ours = "many-lines.many_waiting",
     .reference = "many-lines.one_waiting"},
    {"P5", "depth 64 / depth 1, time only", BENCH_RATIO, 1.15, "ns",
     .ours = "time.nest64", .reference = "time.pair"},
    {"P5", "depth 64 / depth 1, 2 SDE events", BENCH_RATIO, 1.15, "ns",
     .ours = "sde2.nest64", .reference = "sde2.pair"},
    {"P6", "time only, 2 threads / 1", BENCH_RATIO, 1.10, "ns",
     .ours = "threads.pair_t2", .reference = "threads.pair_t1"},
    {"P6", "time only, 8 threads / 1", BENCH_RATIO, 1.10, "ns",
     .ours = "threads.pair_t8", .reference = "threads.pair_t1"},
    {"P6", "2 SDE events, 2 threads / p2 there", BENCH_RATIO, 1.4, "ns",
     .ours = "sde2-threads.pair_t2", .reference = "p2-threads.pair_t2",
     .only_base = "p2-threads.pair_t1"},
    {"P6", "2 SDE events, 8 threads / p2 there", BENCH_RATIO, 1.4, "ns",
     .ours = "sde2-threads.pair_t8", .reference = "p2-threads.pair_t8",
     .only_base = "p2-threads.pair_t1"},
    {"P7", "HPM_DISABLE=1 / clk2", BENCH_RATIO, 0.15, "ns",
     .ours = "disabled.pair", .reference = "disabled.clk2"},
    {"P7", "left out by HPM_EXCEPT / clk2", BENCH_RATIO, 0.15, "ns",
     .ours = "except.pair", .reference = "except.clk2", .has_no_goal = true},
    {"P7", "-DHPM_OFF, over the loop alone", BENCH_MARGIN, 0.1, "ns",
     .ours = "time.off", .reference = "time.loop"},
    {"P8", "empty section, over 1 clock: time only", BENCH_MARGIN, 10, "ns",
     .ours = "empty.alone", .reference = "empty.tick2", .reference_share = 0.5},
    {"P8", "  around an empty one, exclusive", BENCH_MARGIN, 10, "ns",
     .has_no_goal = true, .ours = "empty.around", .reference = "empty.tick2",
     .reference_share = 0.5},
    {"P8", "empty section: 4 kernel events", BENCH_MARGIN, 10, "ns",
     .ours = "empty-kernel.alone", .reference = "empty-kernel.tick2",
     .reference_share = 0.5},
    {"P8", "  around an empty one, exclusive", BENCH_MARGIN, 10, "ns",
     .has_no_goal = true, .ours = "empty-kernel.around",
     .reference = "empty-kernel.tick2", .reference_share = 0.5},
    {"P8", "empty section: 2 SDE events", BENCH_MARGIN, 10, "ns",
     .ours = "empty-sde.alone", .reference = "empty-sde.tick2",
     .reference_share = 0.5},
    {"P8", "  around an empty one, exclusive", BENCH_MARGIN, 10, "ns",
     .has_no_goal = true, .ours = "empty-sde.around",
     .reference = "empty-sde.tick2", .reference_share = 0.5},
    {"P8", "SDE counts: largest error", BENCH_AT_MOST, 0, "counts",
     .ours = "empty-sde.wrong"},
    {"P9", "10^6 pairs, time only: malloc", BENCH_AT_MOST, 0, "bytes",
     .ours = "memory.malloc"},
    {"P9", "  VmData", BENCH_AT_MOST, 0, "bytes", .ours = "memory.data"},
    {"P9", "  resident", BENCH_AT_MOST, 0, "bytes", .ours = "memory.resident"},
    {"P9", "10^6 pairs, 4 kernel events: malloc", BENCH_AT_MOST, 0, "bytes",
     .ours = "memory-kernel.malloc"},
    {"P9", "  VmData", BENCH_AT_MOST, 0, "bytes", .ours = "memory-kernel.data"},
    {"P9", "  resident", BENCH_AT_MOST, 0, "bytes",
     .ours = "memory-kernel.resident"},
    {"P9", "after 10^6 instances / before", BENCH_RATIO, 1.10, "ns",
     .ours = "instances.late", .reference = "instances.early"},
    {"P9", "stop around 10^5 instances, over 1", BENCH_MARGIN, 1000, "ns",
     .ours = "instances.stop_100000", .reference = "instances.stop_1"},
    {"P9", "among 64 idle threads / alone", BENCH_RATIO, 1.10, "ns",
     .ours = "threads.among_64", .reference = "threads.alone"},
    {"P9", "first pair of thread 1000 / of thread 10", BENCH_RATIO, 1.10, "ns",
     .ours = "arrivals.first_1000", .reference = "arrivals.first_10"},
    {"P11", "time + 2 SDE events", BENCH_AT_MOST, 300, "cycles",
     .ours = "sde2.pair"},
    {"P11", "time + 8 SDE events", BENCH_AT_MOST, 2500, "cycles",
     .ours = "sde8.pair"},
    {"P11", "time only", BENCH_AT_MOST, 2500, "cycles", .ours = "time.pair"},
    {"P11", "4 kernel events", BENCH_AT_MOST, 2500, "cycles",
     .ours = "kernel.pair"},
    {"P11", "what is counted by default", BENCH_AT_MOST, 2500, "cycles",
     .ours = "default.pair"},
    {"P11", "HPM_SOURCE=usage", BENCH_AT_MOST, 2500, "cycles",
     .ours = "usage.pair"},
    {"P11", "4 counts of /proc/thread-self/io", BENCH_AT_MOST, 2500, "cycles",
     .ours = "io.pair"},
    {"P11", "  over two raw pread of it", BENCH_RATIO, 0, "ns",
     .ours = "io.pair", .reference = "io.read_io", .has_no_goal = true},
};

const size_t bench_n_goals = sizeof bench_goals / sizeof bench_goals[0];

/* ---- profiles -------------------------------------------------------- */

const struct bench_profile bench_profiles[] = {
    {"P2, time only",
     "time.pair",
     {{"two calls into a shared library", .terms = {{1, "time.call2"}}},
      {"is it on? (disabled pair less the calls)",
       .terms = {{1, "disabled.pair"}, {-1, "time.call2"}}},
      {"two readings of the clock", .terms = {{1, "time.tick2"}}},
      {"find the section (recursion, less the above)",
       .terms = {{1, "time.recursion"},
                 {-0.5, "time.tick2"},
                 {-1, "disabled.pair"}}},
      {.text = "rest: frame, sums, mean and deviation", .is_rest = true}}},
    {"P3, 4 kernel software events",
     "kernel.pair",
     {{"two raw read(2) of such a group", .terms = {{1, "kernel.read4"}}},
      {"a pair of time only", .terms = {{1, "time.pair"}}},
      {.text = "rest: 6 more slots, going to the source", .is_rest = true}}},
    {"P1, 2 SDE events",
     "sde2.pair",
     {{"two raw PAPI_read of such a set", .terms = {{1, "p2.read2"}}},
      {"a pair of time only", .terms = {{1, "time.pair"}}},
      {.text = "rest: 2 more slots, going to the source", .is_rest = true}}},
    {"P1, 8 SDE events",
     "sde8.pair",
     {{"two raw PAPI_read of such a set", .terms = {{1, "p8.read2"}}},
      {"a pair of time only", .terms = {{1, "time.pair"}}},
      {.text = "rest: 8 more slots, going to the source", .is_rest = true}}},
};

const size_t bench_n_profiles =
    sizeof bench_profiles / sizeof bench_profiles[0];
