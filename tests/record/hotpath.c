/* SPDX-License-Identifier: BSD-3-Clause
 * Does every start and every stop of a known section execute the same number of
 * instructions?  Only then is the cost right that the library subtracts from a
 * measurement.
 *
 * A step takes some us, but 40 us in some virtual machines; so each case is
 * made only a few times.  "tests/record/hotpath all" makes them more often,
 * also steps through all cold calls, and shows the table even when nothing
 * fails. */
#include "tap.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "stepper.h"

enum {
    MAX_SERIES = 200,
    MAX_DISTINCT = 24,
    MAX_NAME = 64,
    /* places in which a call site is found, see lib/record/site.h: each takes
     * its own number of instructions, and has its own cost */
    N_PLACES = 3,
    MAX_SECONDS = 300, /* 1 to 10 are usual */
    SAMPLED_MORE = 5
};

#define EVENTS "HPM_EVENTS=task-clock,page-faults"
#define SAMPLE "HPM_SAMPLE=cpu-clock@1000000ms" /* so that no sample comes */

static const char *const edge_names[N_EDGES] = {"start", "stop"};

/* The calls of one case, starts or stops, hot or cold: the numbers of
 * instructions, smallest first. */
struct series {
    char name[MAX_NAME];
    enum stepper_edge edge;
    enum stepper_kind kind;
    unsigned n_calls;
    unsigned n_distinct;
    struct {
        unsigned n_steps;
        unsigned n_calls;
    } distinct[MAX_DISTINCT]; /* the last one has all for which there is no
                               * room */
};

struct table {
    struct series series[MAX_SERIES];
    size_t n_series;
    bool has_places; /* starts are made by call sites */
};

/* ---- counts ----------------------------------------------------------- */

static struct series *
find_series(struct table *table, const char *name, enum stepper_edge edge,
            enum stepper_kind kind)
{
    struct series *series;

    for (size_t i = 0; i < table->n_series; i++) {
        series = &table->series[i];
        if (series->edge == edge && series->kind == kind &&
            strcmp(series->name, name) == 0)
            return series;
    }
    if (table->n_series == MAX_SERIES)
        return NULL;
    series = &table->series[table->n_series++];
    snprintf(series->name, sizeof series->name, "%s", name);
    series->edge = edge;
    series->kind = kind;
    return series;
}

static void
add_calls(struct series *series, unsigned n_steps, unsigned n_calls)
{
    unsigned i = 0;

    series->n_calls += n_calls;
    while (i < series->n_distinct && series->distinct[i].n_steps < n_steps)
        i++;
    if (i == series->n_distinct || series->distinct[i].n_steps != n_steps) {
        if (series->n_distinct == MAX_DISTINCT) {
            series->distinct[MAX_DISTINCT - 1].n_calls += n_calls;
            if (i == MAX_DISTINCT)
                series->distinct[MAX_DISTINCT - 1].n_steps = n_steps;
            return;
        }
        memmove(&series->distinct[i + 1], &series->distinct[i],
                (series->n_distinct - i) * sizeof series->distinct[0]);
        series->distinct[i].n_steps = n_steps;
        series->distinct[i].n_calls = 0;
        series->n_distinct++;
    }
    series->distinct[i].n_calls += n_calls;
}

/* The number of instructions of most hot calls, over all cases. */
static unsigned
commonest(const struct table *table, enum stepper_edge edge)
{
    struct series all = {.n_calls = 0};
    unsigned best = 0;

    for (size_t i = 0; i < table->n_series; i++) {
        const struct series *series = &table->series[i];

        for (unsigned k = 0; k < series->n_distinct; k++) {
            if (series->kind == HOT && series->edge == edge)
                add_calls(&all, series->distinct[k].n_steps,
                          series->distinct[k].n_calls);
        }
    }
    for (unsigned k = 1; k < all.n_distinct; k++) {
        if (all.distinct[k].n_calls > all.distinct[best].n_calls)
            best = k;
    }
    return all.distinct[best].n_steps;
}

static void
show(const struct table *table)
{
    printf("# %-5s %-4s %-31s %5s %5s %5s  instructions x calls\n", "edge", "",
           "case", "calls", "min", "max");
    for (size_t i = 0; i < table->n_series; i++) {
        const struct series *series = &table->series[i];
        unsigned last = series->n_distinct - 1;

        printf("# %-5s %-4s %-31s %5u %5u %5u ", edge_names[series->edge],
               series->kind == HOT ? "hot" : "cold", series->name,
               series->n_calls, series->distinct[0].n_steps,
               series->distinct[last].n_steps);
        for (unsigned k = 0; k <= last; k++)
            printf(" %ux%u", series->distinct[k].n_steps,
                   series->distinct[k].n_calls);
        printf("\n");
    }
    printf("# cold: in the first pass of the case; not stepped to its end when "
           "long\n");
}

static void
count(void *context, const char *name, enum stepper_edge edge,
      enum stepper_kind kind, unsigned n_steps)
{
    struct series *series = find_series(context, name, edge, kind);

    if (series != NULL)
        add_calls(series, n_steps, 1);
}

/* ---- assertions ------------------------------------------------------- */

static bool
is_always(const struct series *series, unsigned n_steps)
{
    return series != NULL && series->n_distinct == 1 &&
           series->distinct[0].n_steps == n_steps &&
           n_steps < STEPPER_MAX_STEPS;
}

/* With many sections, some sites are not in their first place. */
static bool
is_start_good(const struct table *table, const struct series *start,
              unsigned usual)
{
    bool has_many = strcmp(start->name, "200 ids") == 0 ||
                    strcmp(start->name, "one section below 40 parents") == 0;
    struct series all = {.n_calls = 0};

    if (!table->has_places || !has_many)
        return is_always(start, usual);
    for (size_t i = 0; i < table->n_series; i++) {
        const struct series *series = &table->series[i];

        for (unsigned k = 0; k < series->n_distinct; k++) {
            if (series->kind == HOT && series->edge == START)
                add_calls(&all, series->distinct[k].n_steps,
                          series->distinct[k].n_calls);
        }
    }
    return all.n_distinct <= N_PLACES && all.distinct[0].n_steps == usual &&
           all.distinct[all.n_distinct - 1].n_steps < 2 * usual + 100;
}

/* One assertion for each case, for starts and stops. */
static void
check_hot(struct table *table, const char *configuration, const unsigned *usual)
{
    char sentence[200];

    for (size_t i = 0; i < table->n_series; i++) {
        const struct series *start = &table->series[i];

        if (start->kind != HOT || start->edge != START)
            continue;
        snprintf(sentence, sizeof sentence,
                 "%s, %s: starts and stops execute as many instructions as all "
                 "others",
                 configuration, start->name);
        ok(is_start_good(table, start, usual[START]) &&
               is_always(find_series(table, start->name, STOP, HOT),
                         usual[STOP]),
           sentence);
    }
}

/* Check that a difference would be seen. */
static void
check_cold(struct table *table, const char *configuration,
           const unsigned *usual)
{
    const struct series *cold = find_series(table, "200 ids", START, COLD);
    char sentence[200];

    snprintf(sentence, sizeof sentence,
             "%s, 200 ids: the first start of a section executes more",
             configuration);
    ok(cold != NULL && cold->n_calls > 0 &&
           cold->distinct[0].n_steps > usual[START],
       sentence);
}

static void
check(struct table *table, const char *configuration, const char *trouble,
      bool is_table_wanted, unsigned *usual)
{
    const int n_failed = tap_failed;
    char sentence[200];

    usual[START] = commonest(table, START);
    usual[STOP] = commonest(table, STOP);
    snprintf(sentence, sizeof sentence,
             "%s: the program is stepped through to its end", configuration);
    ok(trouble == NULL, sentence);
    if (trouble != NULL)
        printf("# %s\n", trouble);
    check_hot(table, configuration, usual);
    check_cold(table, configuration, usual);
    printf("# %s: a start is %u instructions, a stop %u\n", configuration,
           usual[START], usual[STOP]);
    if (is_table_wanted || tap_failed > n_failed)
        show(table);
}

/* ---- the test --------------------------------------------------------- */

/* Finding a section does not depend on the source: fewer of the many ids are
 * enough for the other jobs. */
enum {
    TIME,
    COUNTS,
    PLAIN,
    FORTRAN,
    KEPT, /* single calls kept of no section */
    UNREAD,
    UNREAD_SAMPLED,
    SAMPLED,
    N_JOBS
};

#define JOB(program, every, ...)                                               \
    {                                                                          \
        program, {__VA_ARGS__}, "3", every, 1000, count, NULL                  \
    }

static const struct stepper_job jobs[N_JOBS] = {
    [TIME] = JOB("hotpath", "1", "HPM_SOURCE=none"),
    [COUNTS] = JOB("hotpath", "5", EVENTS),
    [PLAIN] = JOB("hotpath-plain", "5", "HPM_SOURCE=none"),
    [FORTRAN] = JOB("hotpath-fortran", "5", "HPM_SOURCE=none"),
    [KEPT] = JOB("hotpath", "5", "HPM_SOURCE=none", "HPM_CALLS=elsewhere"),
    [UNREAD] = JOB("hotpath", "5", "HPM_EVENTS=unknown"),
    [UNREAD_SAMPLED] = JOB("hotpath", "5", "HPM_EVENTS=unknown", SAMPLE),
    [SAMPLED] = JOB("hotpath", "5", EVENTS, SAMPLE)};

/* No assertion is possible here. */
static int
skip_all(const char *reason)
{
    printf("1..0 # SKIP %s\n", reason);
    return 0;
}

/* Step through one job's program; false, with the reason, where that is not
 * possible here. */
static bool
run_job(const struct stepper_job *from, bool is_all, unsigned *usual,
        const char **ret_trouble)
{
    struct table table = {.n_series = 0,
                          .has_places = strcmp(from->program, "hotpath") == 0};
    struct stepper_job job = *from;
    char configuration[128];

    job.context = &table;
    if (is_all) {
        job.n_passes = "12";
        job.every = "0";
        job.max_cold_steps = STEPPER_MAX_STEPS;
    } else {
        alarm(MAX_SECONDS);
    }
    if (stepper_run(&job, ret_trouble) == STEPPER_IMPOSSIBLE)
        return false;
    snprintf(configuration, sizeof configuration, "%s, %s%s%s", job.program,
             job.settings[0], job.settings[1] != NULL ? " " : "",
             job.settings[1] != NULL ? job.settings[1] : "");
    check(&table, configuration, *ret_trouble, is_all, usual);
    return true;
}

int
main(int argc, char **argv)
{
    unsigned usual[N_JOBS][N_EDGES];
    const bool is_all = argc > 1 && strcmp(argv[1], "all") == 0;
    const char *sanitizers = getenv("sanitizers");
    const char *preload = getenv("LD_PRELOAD");
    const char *trouble;

    if (sanitizers != NULL && sanitizers[0] != '\0')
        return skip_all("sanitizers add instructions of their own");
    if (preload != NULL && strstr(preload, "vgpreload") != NULL)
        return skip_all("valgrind runs no instruction of the program itself");
    for (size_t i = 0; i < N_JOBS; i++) {
        if (!run_job(&jobs[i], is_all, usual[i], &trouble))
            return skip_all(trouble);
    }
    ok(usual[KEPT][START] == usual[TIME][START] &&
           usual[KEPT][STOP] == usual[TIME][STOP],
       "HPM_CALLS takes no instruction of sections that it does not name");
    ok(usual[SAMPLED][START] <= usual[COUNTS][START] + SAMPLED_MORE &&
           usual[SAMPLED][STOP] <= usual[COUNTS][STOP] + SAMPLED_MORE,
       "a start or stop to which no sample has come takes at most 5 "
       "instructions "
       "more, where something is counted");
    return done();
}
