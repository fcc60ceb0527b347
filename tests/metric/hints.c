/* SPDX-License-Identifier: BSD-3-Clause
 * Hints: their texts in definitions, which hints are given, in which order, and
 * as text. */
#include "config.h"

#include "study/metric/ranking.h"

#include <stdlib.h>

#include "metric/trial.h"
#include "study/report/hints.h"
#include "study/report/paragraph.h"
#include "tap.h"

/* ---- definitions ----------------------------------------------------- */

static const char *
text_of(const struct hpm_metrics *metrics, const char *name,
        enum hpm_text_kind kind)
{
    return metrics->metrics[hpm_metrics_find(metrics, name)].texts[kind];
}

static void
test_definitions(void)
{
    struct hpm_spec *spec =
        read_text("const TOP = 4\n"
                  "measure A = X bad > 1 range 0, 2 * TOP rises \"with more\"\n"
                  "  why \"it costs\" next S try \"less\" evidence B, C\n"
                  "measure B = Y bad > 2 like A range 0\n"
                  "measure C = Z bad > 3 like A try \"none\" tune A next B\n"
                  "set S = A",
                  1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    const struct hpm_metric *all = metrics->metrics;
    size_t a = hpm_metrics_find(metrics, "A");
    size_t b = hpm_metrics_find(metrics, "B");
    size_t c = hpm_metrics_find(metrics, "C");

    is_text(hpm_string_text(&spec->complaints), "",
            "a whole hint has no fault");
    ok(all[a].has_hint && all[b].has_hint && all[c].has_hint,
       "a metric like another one has its hint");
    is_text(text_of(metrics, "B", HPM_TEXT_TRY), "less", "with its parts");
    is_text(text_of(metrics, "C", HPM_TEXT_TRY), "none", "but for its own");
    is_text(text_of(metrics, "B", HPM_TEXT_NEXT), "B",
            "what is tuned later is taken, too");
    ok(all[b].hint_of == a && all[c].hint_of == a && all[a].hint_of == a,
       "the hint is that of the other one");
    is_count(all[c].evidence.count, 2, "evidence is taken along");
    ok(all[a].least == 0.0 && all[a].most == 8.0,
       "a range has two ends, which are formulas");
    ok(all[b].least == 0.0 && isnan(all[b].most), "or only one");
    ok(isnan(all[c].least), "or is not given");
    is_text(text_of(metrics, "A", HPM_TEXT_RISES), "with more",
            "with what a value rises is kept");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

static void
test_unknown(void)
{
    struct hpm_spec *spec =
        read_text("measure A = X bad > 1 why \"w\" next A try \"t\"\n"
                  "  explains PART timebase TIME",
                  1);

    hpm_metrics_free(choose(spec, NULL, 0));
    ok(strstr(
           hpm_string_text(&spec->complaints),
           "there is no metric 'PART' to be the part that its hint explains"),
       "the part that a hint explains must be there");
    ok(strstr(hpm_string_text(&spec->complaints),
              "there is no metric 'TIME' to be the time of it"),
       "and so must its time");
    hpm_spec_free(spec);
}

/* ---- which hints, in which order ------------------------------------ */

static void
test_distance(void)
{
    static const struct hpm_limit above = {true, true, 5.0};
    static const struct hpm_limit below = {true, false, 5.0};

    is_near(hpm_limit_distance(&above, 5.0), 0.0, 0.0, "0 at the limit");
    is_near(hpm_limit_distance(&above, 10.0), 0.5, 0.0,
            "a half at twice a limit above");
    is_near(hpm_limit_distance(&below, 2.5), 0.5, 0.0,
            "a half at half of a limit below");
    is_near(hpm_limit_distance(&below, 0.0), 1.0, 0.0, "1 at nothing");
    is_near(hpm_limit_distance(&below, -9.0), 1.0, 0.0, "and never above");
    is_near(hpm_limit_distance(&above, 1e300), 1.0, 1e-12,
            "1 far above the limit");
}

#define HINT " why \"w\" next M try \"t\" "

/* Places with their counts, and seconds from 1 on; with "(N)" in front, N
 * seconds. */
static const struct {
    const char *sentence;
    const char *definitions;
    const char *places[4];
    const char *hints; /* "METRIC@PLACE/N_PLACES ..." */
} cases[] = {
    {"what is not beyond its limit gives no hint",
     "measure A = X bad > 5" HINT,
     {"X 5"},
     ""},
    {"what is gives one", "measure A = X bad > 5" HINT, {"X 6"}, "A@0/1"},
    {"a metric without a hint gives none",
     "measure A = X bad > 5",
     {"X 6"},
     ""},
    {"nor does one without a value",
     "ratio A = X / Y bad > 5" HINT,
     {"X 6, Y 0"},
     ""},
    {"what is further beyond its limit comes first",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5" HINT
     "measure C = Z bad < 5" HINT,
     {"X 6, Y 20, Z 2"},
     "B@0/1 C@0/1 A@0/1"},
    {"of the same, what is defined first",
     "measure B = Y bad > 5" HINT "measure A = X bad > 5" HINT,
     {"X 10, Y 10"},
     "B@0/1 A@0/1"},
    {"time counts as much as distance",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5" HINT,
     {"(10) X 6", "(1) Y 20", "(2) Y 10"},
     "A@0/1 B@2/2"},
    {"each comes once, where it is worst, with all its places",
     "measure A = X bad > 5" HINT,
     {"X 6", "X 10", "X 4", "X 9"},
     "A@1/3"},
    {"of metrics with one hint the worst gives it",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5 like A",
     {"X 6, Y 10", "X 7", "Y 6"},
     "B@0/3"},
    {"at most five are given",
     "measure A = X bad > 5" HINT "measure B = X bad > 4" HINT
     "measure C = X bad > 3" HINT "measure D = X bad > 2" HINT
     "measure E = X bad > 1" HINT "measure F = X bad > 0.5" HINT,
     {"X 10"},
     "F@0/1 E@0/1 D@0/1 C@0/1 B@0/1"},
    {"what stands above another hint is silent",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5 under A" HINT
     "measure C = Z bad > 5 under B" HINT,
     {"X 20, Y 6, Z 6"},
     "C@0/1"},
    {"but only where that is given",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5 under A" HINT,
     {"X 20, Y 6", "X 10, Y 1"},
     "A@1/1 B@0/1"},
    {"what names another hint as the better one is silent, too",
     "measure A = X bad > 5 unless B, C" HINT "measure B = Y bad > 5" HINT
     "measure C = Z bad > 5" HINT,
     {"X 20, Y 10, Z 1", "X 10, Y 1, Z 1"},
     "A@1/1 B@0/1"},
    {"and so is what is like that",
     "measure A = X bad > 5 unless B" HINT "measure B = Y bad > 5" HINT
     "measure C = Z bad > 5 like A",
     {"Z 20, Y 10"},
     "B@0/1"},
    {"unless that one weighs less than half",
     "measure A = X bad > 5 unless B" HINT "measure B = Y bad > 5" HINT,
     {"X 20, Y 6"},
     "A@0/1 B@0/1"},
    {"a part of the processor's time weighs as much as there is of it",
     "measure CPU_TIME = T measure A = X bad > 5" HINT
     "ratio B = Y / time::wall bad > 5" HINT,
     {"(10) X 50, Y 100, T 2, time::wall 10"},
     "B@0/1 A@0/1"},
    {"or of the time it names",
     "measure CPU_TIME = T measure A = X bad > 5 timebase U" HINT
     "measure U = V measure B = Y bad > 5" HINT,
     {"(10) X 10, Y 50, T 2, V 9"},
     "A@0/1 B@0/1"},
    {"and gives none of less than a twentieth of the time",
     "measure CPU_TIME = T measure A = X bad > 5" HINT,
     {"(10) X 10, T 0.4", "(10) X 6, T 0.6"},
     "A@1/1"},
    {"a part that is given weighs as much, and not by its distance",
     "measure CPU_TIME = T measure A = X bad > 5 explains P" HINT
     "measure P = V measure B = Y bad > 5 explains Q" HINT "measure Q = W",
     {"(10) X 500, Y 6, T 10, V 20, W 60"},
     "B@0/1 A@0/1"},
    {"and is none below a twentieth, however far beyond its limit",
     "measure CPU_TIME = T measure A = X bad > 5 explains P" HINT
     "measure P = V",
     {"(10) X 500, T 10, V 4", "(10) X 6, T 10, V 6"},
     "A@1/1"},
    {"of metrics with one hint that explain the same, the one furthest beyond "
     "its limit gives it",
     "measure A = X bad > 5 explains P" HINT "measure P = V "
     "measure B = Y bad > 5 like A",
     {"X 6, Y 10, V 50"},
     "B@0/1"},
    {"without a value of it the distance counts",
     "measure CPU_TIME = T measure A = X bad > 5 explains P" HINT
     "measure P = V",
     {"(10) X 500, T 10"},
     "A@0/1"},
    {"of two that name each other, which have one cause, the heavier remains",
     "measure A = X bad > 5 unless B" HINT
     "measure B = Y bad > 5 unless A" HINT,
     {"X 20, Y 30"},
     "B@0/1"},
    {"or the first of two that weigh the same",
     "measure A = X bad > 5 unless B" HINT
     "measure B = Y bad > 5 unless A" HINT,
     {"X 20, Y 20"},
     "A@0/1"},
    {"and the lighter one is silent, however light it is",
     "measure A = X bad > 5 unless B" HINT
     "measure B = Y bad > 5 unless A" HINT,
     {"X 50, Y 7"},
     "A@0/1"},
    {"of more that name one another in a circle the heaviest, too: one remains",
     "measure A = X bad > 5 unless B" HINT "measure B = Y bad > 5 unless C" HINT
     "measure C = Z bad > 5 unless A" HINT,
     {"X 20, Y 30, Z 25"},
     "B@0/1"},
    {"beside which others may not weigh half as much",
     "measure A = X bad > 5 unless B" HINT "measure B = Y bad > 5 unless C" HINT
     "measure C = Z bad > 5 unless A" HINT,
     {"X 50, Y 10, Z 6.9"},
     "A@0/1"},
    {"a hint gives way to what another gave way to",
     "measure A = X bad > 5 unless B" HINT "measure B = Y bad > 5 unless C" HINT
     "measure C = Z bad > 5" HINT,
     {"X 50, Y 30, Z 20"},
     "C@0/1"},
    {"but not where that weighs less than half of it",
     "measure A = X bad > 5 unless B" HINT "measure B = Y bad > 5 unless C" HINT
     "measure C = Z bad > 5" HINT,
     {"X 50, Y 10, Z 7"},
     "A@0/1 C@0/1"},
    {"nor is it silent above one that gave way to less than half of it",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5 under A unless C" HINT
     "measure C = Z bad > 5" HINT,
     {"X 50, Y 7.2, Z 6.3"},
     "A@0/1 C@0/1"},
    {"but above one that gave way to more it is",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5 under A unless C" HINT
     "measure C = Z bad > 5" HINT,
     {"X 50, Y 40, Z 20"},
     "C@0/1"},
    {"nor above one that explains less than half as much",
     "measure CPU_TIME = T measure A = X bad > 5 explains P" HINT
     "measure P = U measure B = Y bad > 5 under A explains Q" HINT
     "measure Q = V",
     {"(10) X 50, Y 50, T 10, U 40, V 19"},
     "A@0/1 B@0/1"},
    {"but above one that explains more it is",
     "measure CPU_TIME = T measure A = X bad > 5 explains P" HINT
     "measure P = U measure B = Y bad > 5 under A explains Q" HINT
     "measure Q = V",
     {"(10) X 50, Y 50, T 10, U 40, V 21"},
     "B@0/1"},
    {"what stands above a light one gives way to what it names, too",
     "measure CPU_TIME = T measure A = X bad > 5 explains P unless C" HINT
     "measure P = U measure B = Y bad > 5 under A explains Q" HINT
     "measure Q = V measure C = Z bad > 5 explains R" HINT "measure R = W",
     {"(10) X 50, Y 50, Z 50, T 10, U 40, V 10, W 21"},
     "C@0/1 B@0/1"},
    {"of three levels the middle one, of which the lowest is little, does for "
     "the "
     "highest",
     "measure CPU_TIME = T measure A = X bad > 5 explains P" HINT
     "measure P = U measure B = X bad > 5 under A explains Q" HINT
     "measure Q = V measure C = X bad > 5 under B explains R" HINT
     "measure R = W",
     {"(10) X 50, T 10, U 40, V 30, W 10"},
     "B@0/1 C@0/1"},
    {"of three with parts below that name one another the heaviest is given",
     "measure CPU_TIME = T measure A = X bad > 5 explains P unless B" HINT
     "measure B = X bad > 5 explains Q unless C" HINT
     "measure C = X bad > 5 explains R unless A" HINT
     "measure P = U measure Q = V measure R = W "
     "measure D = X bad > 5 under A explains S" HINT
     "measure E = X bad > 5 under B explains S" HINT
     "measure F = X bad > 5 under C explains S" HINT "measure S = Y",
     {"(10) X 50, T 10, U 40, V 38, W 36, Y 6"},
     "A@0/1 D@0/1 E@0/1 F@0/1"},
    {"and what stands under what is not bad is none",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5 under A" HINT,
     {"X 1, Y 20"},
     ""},
};

static void
add_places(struct hpm_ranking *ranking, const char *const *places)
{
    for (size_t i = 0; i < 4 && places[i] != NULL; i++) {
        const char *counts = places[i];
        double seconds = 1.0;
        struct hpm_metric_value *values;

        if (counts[0] == '(') {
            seconds = strtod(counts + 1, NULL);
            counts = strchr(counts, ')') + 1;
        }
        values = evaluate(ranking->metrics, counts);
        hpm_ranking_add(ranking, values, NULL, seconds, i);
        free(values);
    }
}

static void
test_ranking(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hpm_spec *spec = read_text(cases[i].definitions, 1);
        struct hpm_metrics *metrics = choose(spec, NULL, 0);
        struct hpm_hint hints[HPM_MAX_HINTS];
        struct hpm_ranking ranking;
        struct hpm_string got = {0};
        size_t n;

        hpm_ranking_init(&ranking, metrics, HPM_PRECISION_DOUBLE, NULL);
        add_places(&ranking, cases[i].places);
        n = hpm_ranking_get(&ranking, hints);
        for (size_t j = 0; j < n; j++)
            hpm_string_add_format(&got, "%s%s@%zu/%zu", j > 0 ? " " : "",
                                  metrics->metrics[hints[j].metric].name,
                                  hints[j].place, hints[j].n_places);
        is_text(hpm_string_text(&got), cases[i].hints, cases[i].sentence);
        hpm_string_free(&got);
        hpm_ranking_clear(&ranking);
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
}

/* ---- as text --------------------------------------------------------- */

static void
name_place(struct hpm_string *string, size_t place,
           const struct hpm_metric *metric, void *context)
{
    (void)metric;
    hpm_string_add_format(string, "%s %zu", (const char *)context, place);
}

static const char definitions[] =
    "ratio A = X / Y bad > 5 unit \"%\" scale 2\n"
    "  why \"a sentence that is long enough to be broken somewhere before "
    "its end comes\"\n"
    "  evidence B Q C A next S try \"this\"\n"
    "measure B = X\nmeasure C = X unit \"s\"\nmeasure Q = NOTHING\n"
    "set S = A B\n";

static void
is_shown(struct hpm_ranking *ranking, hpm_hints_name *name, const char *text,
         const char *sentence)
{
    struct hpm_string string = {0};
    char word[] = "section";

    hpm_hints_add_text(&string, ranking, name != NULL, name, word);
    is_text(hpm_string_text(&string), text, sentence);
    hpm_string_free(&string);
}

static void
test_text(void)
{
    static const char *const places[4] = {"X 1200, Y 10", "X 50, Y 1"};
    static const char *const chosen[4] = {"X 1200, Y 10"};
    struct hpm_spec *spec = read_text(definitions, 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_ranking ranking;

    hpm_ranking_init(&ranking, metrics, HPM_PRECISION_DOUBLE, NULL);
    is_shown(&ranking, NULL, "", "no hints are no text");
    add_places(&ranking, chosen);
    is_shown(&ranking, NULL,
             "\nhints, not verdicts: what these numbers suggest, the gravest "
             "first\n"
             "  1. A 60.000 % (bad: above 5)\n"
             "     why   a sentence that is long enough to be broken somewhere "
             "before its end\n"
             "           comes\n"
             "     with  B 1,200, C 1200.000000 s\n"
             "     try   this\n",
             "a hint of a run, which has measured what would be next");
    hpm_ranking_clear(&ranking);
    hpm_ranking_init(&ranking, metrics, HPM_PRECISION_DOUBLE, NULL);
    add_places(&ranking, places);
    is_shown(&ranking, name_place,
             "\nhints, not verdicts: what these numbers suggest, the gravest "
             "first\n"
             "  1. A 60.000 % in section 0 and 1 more (bad: above 5)\n"
             "     why   a sentence that is long enough to be broken somewhere "
             "before its end\n"
             "           comes\n"
             "     with  B 1,200, C 1200.000000 s\n"
             "     try   this\n",
             "a hint of sections says where");
    hpm_ranking_clear(&ranking);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

static void
test_next(void)
{
    static const struct {
        const char *next;
        const char *text;
    } ways[] = {{"S", "hpmcount -s S"},
                {"s", "hpmcount -s s"},
                {"A", "hpmcount -m A"},
                {"FOO:BAR", "hpmcount -e FOO:BAR"}};
    struct hpm_spec *spec = read_text("measure A = X set S = A", 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct hpm_string string = {0};

        hpm_hints_add_next(&string, metrics, ways[i].next);
        is_text(hpm_string_text(&string), ways[i].text,
                "what to measure next is a set, a metric or an event");
        hpm_string_free(&string);
    }
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

static void
test_paragraph(void)
{
    struct hpm_string string = {0};
    char word[101];

    memset(word, 'x', 100);
    word[100] = '\0';
    hpm_paragraph_add_entry(&string, 2, "a", 6, "b \033[31m");
    hpm_paragraph_add_entry(&string, 0, "long", 2, word);
    is_text(
        hpm_string_text(&string),
        "  a   b \\x1B[31m\n"
        "long\n  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        "a paragraph shows control characters, and long words whole");
    hpm_string_free(&string);
}

/* ---- shipped hints -------------------------------------------------- */

/* A fault in the hint of a metric that is defined for any machine, or NULL.
 * (One page fault with I/O is bad, but no reason to act; their rate is.) */
static const char *
fault_of(const struct hpm_metric *metric)
{
    bool has_limit = metric->limits[HPM_PRECISION_DOUBLE].bad.is_given;
    bool is_signed = strcmp(metric->name, "I_MARGIN") == 0;

    if (metric->texts[HPM_TEXT_LABEL] == NULL)
        return "says not what it is";
    if (metric->texts[HPM_TEXT_INFO] == NULL)
        return "says not what it means";
    if (has_limit && !metric->has_hint &&
        strcmp(metric->name, "MAJOR_FAULTS") != 0)
        return "has a limit and no hint";
    if (has_limit && metric->texts[HPM_TEXT_SOURCE] == NULL)
        return "says not where its limit comes from";
    if (metric->is_ratio && isnan(metric->least) && !is_signed)
        return "has no range";
    if (metric->is_ratio && (metric->texts[HPM_TEXT_RISES] == NULL ||
                             metric->texts[HPM_TEXT_FALLS] == NULL))
        return "says not with what it rises and falls";
    return NULL;
}

/* Does the metric exist that its hint says to measure next? */
static bool
has_next(const struct hpm_metrics *metrics, const struct hpm_metric *metric)
{
    const char *next = metric->texts[HPM_TEXT_NEXT];

    return !metric->has_hint || strchr(next, ':') != NULL ||
           hpm_metrics_find_set(metrics, next) != NULL ||
           hpm_metrics_find(metrics, next) != HPM_NO_METRIC;
}

static void
test_shipped(void)
{
    struct hpm_spec *spec = read_shipped();
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    size_t n_metrics = 0, n_hints = 0, n_faults = 0, n_lost = 0;

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &metrics->metrics[i];
        const char *fault;

        if (metric->rules.count == 0)
            continue;
        fault = fault_of(metric);
        n_metrics++;
        n_hints += metric->has_hint;
        n_faults += fault != NULL;
        if (fault != NULL)
            printf("# %s %s\n", metric->name, fault);
        if (!has_next(metrics, metric)) {
            printf("# %s is to be followed by '%s'\n", metric->name,
                   metric->texts[HPM_TEXT_NEXT]);
            n_lost++;
        }
    }
    printf("# %zu metrics, %zu of them with a hint\n", n_metrics, n_hints);
    ok(n_metrics > 100 && n_hints > 25, "the shipped metrics are there");
    is_count(n_faults, 0, "each says all that explains it");
    is_count(n_lost, 0, "and what to measure next is there");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* Counts of real runs, without the machine's other load: the hints for them,
 * without any hardware counter. */
static const struct {
    const char *sentence;
    const char *counts;
    const char *hints;
} runs[] = {
    {"a sort of 86 MB, alone, could use the other processor",
     "time::wall 2.8, cpu::allowed 2, sw::task-clock 3.04, ru::utime 2.9, "
     "ru::stime 0.13, sw::page-faults 67850, ru::minflt 67877, ru::majflt 0, "
     "ru::nvcsw 33, ru::nivcsw 40, proc::run_time 1.5, proc::run_delay 0.002, "
     "ru::maxrss 279490560, proc::rchar 85562275, proc::wchar 85555298, "
     "proc::syscr 14, proc::syscw 20888",
     "PARALLEL_EFFICIENCY"},
    {"the same beside others waits for them, and its memory explains little",
     "time::wall 4.9, cpu::allowed 2, sw::task-clock 3.24, ru::utime 3.03, "
     "ru::stime 0.2, sw::page-faults 67850, ru::minflt 67877, ru::majflt 0, "
     "ru::nvcsw 58, ru::nivcsw 1842, proc::run_time 1.6, proc::run_delay 2.7, "
     "ru::maxrss 279490560, proc::rchar 85562275, proc::wchar 85555298, "
     "proc::syscr 14, proc::syscw 20888",
     "RUN_QUEUE_WAIT"},
    {"memory taken again and again is told as that",
     "time::wall 4, cpu::allowed 1, sw::task-clock 3.99, ru::utime 3, "
     "ru::stime 0.99, sw::page-faults 400000, ru::minflt 400000, "
     "ru::majflt 0, ru::nvcsw 1, ru::nivcsw 9, ru::maxrss 40960000",
     "MEMORY_TURNOVER"},
    {"so are bytes written one by one",
     "time::wall 4, cpu::allowed 1, sw::task-clock 3.99, ru::utime 2, "
     "ru::stime 1.99, sw::page-faults 200, ru::minflt 200, ru::majflt 0, "
     "ru::nvcsw 1, ru::nivcsw 9, ru::maxrss 4096000, proc::rchar 0, "
     "proc::wchar 4000000, proc::syscr 0, proc::syscw 4000000",
     "BYTES_PER_CALL"},
    {"blocks of 64 KiB are none that larger ones help, however many they are",
     "time::wall 0.25, cpu::allowed 2, sw::task-clock 0.249, ru::utime 0.028, "
     "ru::stime 0.221, sw::page-faults 96, ru::minflt 96, ru::majflt 0, "
     "ru::nvcsw 1, ru::nivcsw 0, ru::maxrss 4096000, proc::rchar 13107200000, "
     "proc::wchar 13107200000, proc::syscr 200000, proc::syscw 200000",
     "SYSTEM_SHARE"},
    {"calls that cannot have taken the kernel's time are no cause of it",
     "time::wall 5, cpu::allowed 2, sw::task-clock 4.5, ru::utime 0.1, "
     "ru::stime 4.4, sw::page-faults 96, ru::minflt 96, ru::majflt 0, "
     "ru::nvcsw 1, ru::nivcsw 0, ru::maxrss 4096000, proc::rchar 100000, "
     "proc::wchar 100000, proc::syscr 100000, proc::syscw 100000",
     "SYSTEM_SHARE"},
    {"a byte a message, and a wait for each few, have a hint, too",
     "time::wall 1.3, cpu::allowed 2, sw::task-clock 1.2, ru::utime 0.2, "
     "ru::stime 1, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 277000, ru::nivcsw 10, ru::maxrss 4096000, "
     "proc::rchar 625000, proc::wchar 625000, proc::syscr 625000, "
     "proc::syscw 625000",
     "WAIT_RATE"},
    {"what waits for a disk is told so, and not to look what it waits for",
     "time::wall 10, cpu::allowed 1, sw::task-clock 1, ru::utime 0.98, "
     "ru::stime 0.02, sw::page-faults 9000, ru::minflt 5000, "
     "ru::majflt 4000, ru::nvcsw 4000, ru::nivcsw 9, ru::maxrss 40960000",
     "MAJOR_FAULT_RATE"},
    {"what sleeps is asked what it waits for",
     "time::wall 10, cpu::allowed 1, sw::task-clock 1, ru::utime 0.98, "
     "ru::stime 0.02, sw::page-faults 900, ru::minflt 900, ru::majflt 0, "
     "ru::nvcsw 90, ru::nivcsw 1, ru::maxrss 40960000",
     "UTILISATION"},
    {"sleep 1 waited, and shared nothing, though it was preempted once",
     "time::wall 1.003, cpu::allowed 2, sw::task-clock 0.0013, ru::utime 0, "
     "ru::stime 0.0012, sw::page-faults 90, ru::minflt 95, ru::majflt 0, "
     "ru::nvcsw 2, ru::nivcsw 1, ru::maxrss 2040960, proc::run_time 0.0013, "
     "proc::run_delay 0.0004",
     "UTILISATION"},
    {"a find through a cold disk waited most of its time",
     "time::wall 9.1, cpu::allowed 2, sw::task-clock 2.0, ru::utime 0.5, "
     "ru::stime 1.5, sw::page-faults 1100, ru::minflt 1100, ru::majflt 2, "
     "ru::nvcsw 21000, ru::nivcsw 700, ru::maxrss 8040960",
     "UTILISATION SYSTEM_SHARE"},
    {"a reader of a pipe waits for who writes into it",
     "time::wall 10, cpu::allowed 2, sw::task-clock 1.2, ru::utime 1.1, "
     "ru::stime 0.04, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 9000, ru::nivcsw 130, ru::maxrss 4040960",
     "UTILISATION"},
    {"so does who waits for a lock, even on a busy machine",
     "time::wall 10, cpu::allowed 2, sw::task-clock 4, ru::utime 3.9, "
     "ru::stime 0.1, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 50000, ru::nivcsw 800, ru::maxrss 4040960, "
     "proc::run_time 4, proc::run_delay 0.4",
     "UTILISATION"},
    {"a loop beside three others that are busy shares its processor",
     "time::wall 10, cpu::allowed 1, sw::task-clock 2.5, ru::utime 2.5, "
     "ru::stime 0, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 1, ru::nivcsw 830, ru::maxrss 4040960",
     "PREEMPTION_RATE"},
    {"and is told so by the scheduler's own account, where there is one",
     "time::wall 10, cpu::allowed 1, sw::task-clock 2.5, ru::utime 2.5, "
     "ru::stime 0, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 1, ru::nivcsw 830, ru::maxrss 4040960, "
     "proc::run_time 2.5, proc::run_delay 7.49",
     "RUN_QUEUE_WAIT"},
    {"a first thread that was kept waiting for a moment explains no long wait",
     "time::wall 10, cpu::allowed 4, sw::task-clock 1, ru::utime 1, "
     "ru::stime 0, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 300, ru::nivcsw 3, ru::maxrss 4040960, "
     "proc::run_time 0.1, proc::run_delay 0.1",
     "UTILISATION"},
    {"what touches new memory is told of page faults, not of waiting",
     "time::wall 3, cpu::allowed 1, sw::task-clock 2.9, ru::utime 1, "
     "ru::stime 1.9, sw::page-faults 900000, ru::minflt 900000, "
     "ru::majflt 0, ru::nvcsw 3, ru::nivcsw 20, ru::maxrss 3686400000",
     "KERNEL_TIME_PER_FAULT"},
    {"where its host must find each page first they may be less than half of "
     "it",
     "time::wall 7, cpu::allowed 1, sw::task-clock 6.9, ru::utime 0.3, "
     "ru::stime 6.6, sw::page-faults 900000, ru::minflt 900000, "
     "ru::majflt 0, ru::nvcsw 3, ru::nivcsw 20, ru::maxrss 3686400000",
     "SYSTEM_SHARE KERNEL_TIME_PER_FAULT"},
    {"a sort whose faults are a quarter of the kernel's time is told both",
     "time::wall 0.262, cpu::allowed 2, sw::task-clock 0.261, ru::utime 0.181, "
     "ru::stime 0.080, sw::page-faults 9814, ru::minflt 9814, ru::majflt 0, "
     "ru::nvcsw 2, ru::nivcsw 2, ru::maxrss 23000000",
     "SYSTEM_SHARE KERNEL_TIME_PER_FAULT"},
    {"of 32 busy processors, of which each waits 400 times a second, none "
     "waits "
     "often",
     "time::wall 10, cpu::allowed 32, sw::task-clock 318, ru::utime 280, "
     "ru::stime 38, sw::page-faults 1000, ru::minflt 1000, ru::majflt 0, "
     "ru::nvcsw 128000, ru::nivcsw 300, ru::maxrss 100000000",
     "SYSTEM_SHARE"},
    {"processes that come and go take memory again, and are waited for",
     "time::wall 0.701, cpu::allowed 2, sw::task-clock 0.642, ru::utime 0.358, "
     "ru::stime 0.284, sw::page-faults 97000, ru::minflt 97000, ru::majflt 0, "
     "ru::nvcsw 10200, ru::nivcsw 20, ru::maxrss 1110000",
     "MEMORY_TURNOVER WAIT_RATE"},
    {"faults that could not take that long are not what the kernel did",
     "time::wall 3, cpu::allowed 1, sw::task-clock 2.9, ru::utime 1, "
     "ru::stime 1.9, sw::page-faults 90000, ru::minflt 90000, "
     "ru::majflt 0, ru::nvcsw 3, ru::nivcsw 20, ru::maxrss 368640000",
     "SYSTEM_SHARE"},
    {"page faults that take a fiftieth of the time are no hint about it",
     "time::wall 7.19, cpu::allowed 2, sw::task-clock 7.19, ru::utime 6.59, "
     "ru::stime 0.6, sw::page-faults 71260, ru::minflt 71260, ru::majflt 0, "
     "ru::nvcsw 9, ru::nivcsw 0, ru::maxrss 60456960",
     "SYSTEM_SHARE"},
    {"the kernel's part of little work says nothing of a long wait",
     "time::wall 100, cpu::allowed 1, sw::task-clock 1, ru::utime 0.1, "
     "ru::stime 0.9, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 900, ru::nivcsw 0, ru::maxrss 3686400",
     "UTILISATION"},
    {"eight busy threads on one processor are too many for it",
     "time::wall 10, cpu::allowed 1, sw::task-clock 9.99, ru::utime 9.99, "
     "ru::stime 0, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 9, ru::nivcsw 3000, ru::maxrss 4040960",
     "OVERSUBSCRIPTION"},
    {"two threads that wake one another are none too many, however often",
     "time::wall 10, cpu::allowed 1, sw::task-clock 9.9, ru::utime 1, "
     "ru::stime 8.9, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 3000000, ru::nivcsw 2500000, ru::maxrss 4040960",
     "WAIT_RATE"},
    {"a thread for each piece of nothing is preempted by its own",
     "time::wall 10, cpu::allowed 2, sw::task-clock 2, ru::utime 0.2, "
     "ru::stime 1.8, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 9000, ru::nivcsw 60000, ru::maxrss 4040960",
     "UTILISATION SYSTEM_SHARE"},
    {"a program of one thread is none that lets processors be idle",
     "time::wall 10, cpu::allowed 64, sw::task-clock 10.01, ru::utime 10, "
     "ru::stime 0.01, sw::page-faults 100, ru::minflt 100, ru::majflt 0, "
     "ru::nvcsw 9, ru::nivcsw 30, ru::maxrss 4040960",
     ""},
    {"and what is well gets none",
     "time::wall 10, cpu::allowed 4, sw::task-clock 39, ru::utime 38.8, "
     "ru::stime 0.2, sw::page-faults 900, ru::minflt 900, ru::majflt 0, "
     "ru::nvcsw 90, ru::nivcsw 90, proc::run_time 9.9, "
     "proc::run_delay 0.01, ru::maxrss 40960000",
     ""},
};

static void
test_runs(void)
{
    struct hpm_spec *spec = read_shipped();
    struct hpm_metrics *metrics = choose(spec, NULL, HPM_FACT_VM);

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char place[1024];
        const char *const places[4] = {place};
        struct hpm_hint hints[HPM_MAX_HINTS];
        struct hpm_ranking ranking;
        struct hpm_string got = {0};
        size_t n;

        /* a run's counts begin with the time that passed */
        snprintf(place, sizeof place, "(%s) %s",
                 strchr(runs[i].counts, ' ') + 1, runs[i].counts);
        hpm_ranking_init(&ranking, metrics, HPM_PRECISION_DOUBLE, NULL);
        add_places(&ranking, places);
        n = hpm_ranking_get(&ranking, hints);
        for (size_t j = 0; j < n; j++)
            hpm_string_add_format(&got, "%s%s", j > 0 ? " " : "",
                                  metrics->metrics[hints[j].metric].name);
        is_text(hpm_string_text(&got), runs[i].hints, runs[i].sentence);
        hpm_string_free(&got);
        hpm_ranking_clear(&ranking);
    }
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* Each PMU with a file of its own. */
static void
test_pmus(void)
{
    struct hpm_spec *spec = read_shipped();
    size_t n_nameless = 0, n_lost = 0, n_hintless = 0;

    for (size_t p = 0; p < spec->n_pmus; p++) {
        const char *pmu = hpm_spec_text(spec, spec->pmus[p]);
        struct hpm_metrics *metrics = choose(spec, pmu, 0);

        for (size_t i = 0; i < metrics->n_metrics; i++) {
            const struct hpm_metric *metric = &metrics->metrics[i];

            if (metric->rules.count == 0)
                continue;
            n_nameless +=
                metric->is_ratio && metric->texts[HPM_TEXT_LABEL] == NULL;
            n_lost += !has_next(metrics, metric);
            if (metric->limits[HPM_PRECISION_DOUBLE].bad.is_given &&
                !metric->has_hint &&
                strcmp(metric->name, "MAJOR_FAULTS") != 0) {
                printf("# %s of %s has a limit and no hint\n", metric->name,
                       pmu);
                n_hintless++;
            }
        }
        hpm_metrics_free(metrics);
    }
    printf("# %zu PMUs\n", spec->n_pmus);
    is_count(n_nameless, 0, "each ratio of each PMU says what it is");
    is_count(n_hintless, 0, "each limit has a hint");
    is_count(n_lost, 0, "and what to measure next is there");
    ok(strstr(hpm_string_text(&spec->complaints), "to show as evidence") ==
               NULL &&
           strstr(hpm_string_text(&spec->complaints), "hint") == NULL,
       "no hint lacks a part or names a metric that is nowhere");
    hpm_spec_free(spec);
}

int
main(void)
{
    test_definitions();
    test_unknown();
    test_distance();
    test_ranking();
    test_text();
    test_next();
    test_paragraph();
    test_shipped();
    test_runs();
    test_pmus();
    return done();
}
