/* SPDX-License-Identifier: BSD-3-Clause
 * The language of metric definitions: reading, and complaints. */
#include "config.h"

#include "metric/language/spec.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "metric/request.h"
#include "metric/trial.h"
#include "tap.h"

/* ---- the listings of the KOJAK paper, appendix A.2 ------------------- */

static void
test_listings(void)
{
    static const struct {
        const char *name;
        size_t n_statements;
    } listings[] = {{"generic", 15},
                    {"papi", 56},
                    {"power4", 32},
                    {"opteron", 40},
                    {"ultra3", 48}};

    for (size_t i = 0; i < sizeof listings / sizeof listings[0]; i++) {
        struct hpm_spec *spec = hpm_spec_new();
        char path[64], sentence[96];

        snprintf(path, sizeof path, "tests/metric/listings/%s.hpm",
                 listings[i].name);
        read_file(spec, path, 0);
        snprintf(sentence, sizeof sentence, "the %s listing has %zu statements",
                 listings[i].name, listings[i].n_statements);
        is_count(spec->n_statements, listings[i].n_statements, sentence);
        snprintf(sentence, sizeof sentence, "the %s listing has no fault",
                 listings[i].name);
        is_text(hpm_string_text(&spec->complaints), "", sentence);
        hpm_metrics_free(choose(spec, NULL, 0));
        snprintf(sentence, sizeof sentence, "the %s listing means something",
                 listings[i].name);
        is_text(hpm_string_text(&spec->complaints), "", sentence);
        hpm_spec_free(spec);
    }
}

/* The same listings as scanned, with blanks in names: does each complaint
 * propose a name of the corrected listing, at its place? */
static void
test_raw_listing(const char *name, size_t n_blanks)
{
    struct hpm_spec *mended = hpm_spec_new(), *raw = hpm_spec_new();
    char path[64], sentence[96];
    size_t n_joined = 0, n_wrong = 0;
    char *copy, *rest, *line;

    snprintf(path, sizeof path, "tests/metric/listings/%s.hpm", name);
    read_file(mended, path, 0);
    snprintf(path, sizeof path, "tests/metric/listings/%s.ocr", name);
    read_file(raw, path, 0);
    copy = rest = strdup(hpm_string_text(&raw->complaints));
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        char *meant = strstr(line, "did you mean '");
        int row = 0, column = 0;

        if (meant != NULL &&
            sscanf(line, "%*[^:]:%d:%d:", &row, &column) == 2) {
            meant += strlen("did you mean '");
            meant[strcspn(meant, "'")] = '\0';
        }
        if (meant == NULL || row == 0 || column == 0 ||
            hpm_names_find(&mended->names, meant) == HPM_NO_NAME) {
            printf("# %s\n", line);
            n_wrong++;
        } else {
            n_joined++;
        }
    }
    snprintf(sentence, sizeof sentence,
             "each complaint about the raw %s listing names what was meant",
             name);
    ok(n_wrong == 0 && n_joined > 0, sentence);
    snprintf(sentence, sizeof sentence,
             "the raw %s listing has no more complaints than blanks", name);
    ok(n_joined <= n_blanks, sentence);
    free(copy);
    hpm_spec_free(mended);
    hpm_spec_free(raw);
}

/* ---- complaints ------------------------------------------------------ */

static const struct {
    const char *text;
    const char *complaint; /* after "test.hpm:" */
} faults[] = {
    {"compose STALL = DISPATCH + UNIT USE",
     "1:28: 'USE' follows 'UNIT'; expected '+' between them; did you mean "
     "'UNIT_USE'?"},
    {"measure A B C = X",
     "1:9: 'B' follows 'A'; expected '=' between them; did you mean "
     "'A_B_C'?"},
    {"compute X = A B",
     "1:13: 'B' follows 'A'; expected an operator between them; did you mean "
     "'A_B'?"},
    {"compute X = A\nB",
     "2:1: 'B' follows 'A'; expected an operator, an attribute or a statement "
     "between them"},
    {"measure A = X\ncompsoe B = C + D",
     "2:1: 'compsoe' is unknown; did you mean 'compose'?"},
    {"compsoe B = C + D",
     "1:1: 'compsoe' begins no statement; did you mean 'compose'?"},
    {"ratio A = B / C inf \"x\"",
     "1:17: 'inf' is unknown; did you mean 'info'?"},
    {"ratio A = B / C lable \"x\"",
     "1:17: 'lable' is unknown; did you mean 'label'?"},
    {"compose A = B - C",
     "1:15: '-' in a composition, which only adds; write 'compute' for such a "
     "formula"},
    {"measure A = B + C",
     "1:15: '+' after 'measure', which takes one counter; write 'compute' for "
     "a formula"},
    {"measure = B", "1:9: '=' is out of place; expected a name"},
    {"measure measure = B",
     "1:9: 'measure' is out of place; expected a name\n"
     "test.hpm:1:17: '=' is out of place; expected a name"},
    {"compute A = ", "1:13: the file ends; expected a number, a name or '('"},
    {"compute A = B +",
     "1:16: the file ends; expected a number, a name or '('"},
    {"compute A = (B + C", "1:19: the file ends; expected an operator or ')'"},
    {"compute A = avg(B, C)",
     "1:13: 'avg' is out of place; expected min, max, less or total before a "
     "bracket"},
    {"compute A = min(B)",
     "1:18: ')' is out of place; expected ',' and a second operand"},
    {"compute A = B ? C",
     "1:15: '?' is not a sign of this language; expected an operator, an "
     "attribute or a statement"},
    {"compute A = \xc3\xa9 + C",
     "1:13: '\\xC3\\xA9' is not a sign of this language; expected a number, a "
     "name or '('"},
    {"compute A = 2B",
     "1:13: '2B' is neither a number nor a name; expected a number, a name or "
     "'('"},
    {"compute A = 1e999",
     "1:13: '1e999' is too large a number; expected a number, a name or '('"},
    {"measure A = FOO:",
     "1:13: 'FOO:' lacks a word after its colon; expected a name"},
    {"measure FOO:BAR = X",
     "1:17: 'FOO:BAR' is the name of an event; expected one without a colon "
     "before"},
    {"measure A = B label", "1:20: the file ends; expected a text after label"},
    {"measure A = B label \"never ends\nmeasure C = D",
     "1:21: 'never ends' begins a text that does not end in this line; "
     "expected a text after label"},
    {"measure A = B | C if L4",
     "1:22: 'L4' is no fact; expected L2, L3, SMT, FMA, VM, NUMA or the name "
     "of a PMU"},
    {"ratio A = B / C label \"x\" if L3",
     "1:27: 'if' comes too late; expected it before the attributes"},
    {"ratio A = B / C bad 5", "1:21: '5' is out of place; expected '<' or '>'"},
    {"ratio A = B / C why \"it costs. It does\"",
     "1:21: the text after why has a full stop; expected one sentence without "
     "it"},
    {"ratio A = B / C try \"do this.\"",
     "1:21: the text after try has a full stop; expected one sentence without "
     "it"},
    {"ratio A = B / C next \"CACHE\"",
     "1:22: the text \"CACHE\" is out of place; expected a set, a metric or an "
     "event"},
    {"ratio A = B / C evidence bad > 1",
     "1:26: 'bad' is out of place; expected a metric"},
    {"ratio A = B / C range , 5",
     "1:23: ',' is out of place; expected a number, a name or '('"},
    {"include other.hpm",
     "1:9: 'other' is out of place; expected a file's name in quotes"},
    {"arch = x",
     "1:6: '=' is out of place; expected 'any' or the name of a PMU"},
    {"42", "1:1: '42' is out of place; expected compose, measure, compute, "
           "ratio, const, set, event, arch, processor, include, tune or "
           "remove"},
    {"event A:B = cpu/event=0xa4, umask=2/",
     "1:13: 'cpu/event=0xa4,' is no code of an event; expected "
     "PMU/field=value,.../ "
     "without blanks, or r and a hexadecimal number"},
    {"event A:B = cpu/event=0xa4 label \"x\"",
     "1:13: 'cpu/event=0xa4' is no code of an event; expected "
     "PMU/field=value,.../ "
     "without blanks, or r and a hexadecimal number"},
    {"event A:B = cpu/event=0xa4/ range 1",
     "1:1: expected only label, unit, info and source of 'A:B', which is no "
     "metric"},
    {"event A:B = cpu/event==2/",
     "1:13: 'cpu/event==2/' is no code of an event; expected "
     "PMU/field=value,.../ "
     "without blanks, or r and a hexadecimal number"},
    {"event A:B = cpu/event=1,,inv/",
     "1:13: 'cpu/event=1,,inv/' is no code of an event; expected "
     "PMU/field=value,.../ "
     "without blanks, or r and a hexadecimal number"},
    {"event A:B = cpu//",
     "1:13: 'cpu//' is no code of an event; expected PMU/field=value,.../ "
     "without blanks, or r and a hexadecimal number"},
    {"event A:B = r",
     "1:13: 'r' is no code of an event; expected PMU/field=value,.../ "
     "without blanks, or r and a hexadecimal number"},
    {"event A:B = r1g8",
     "1:13: 'r1g8' is no code of an event; expected PMU/field=value,.../ "
     "without blanks, or r and a hexadecimal number"},
    {"event A:B =",
     "1:12: the file ends; expected the code of an event, such as "
     "cpu/event=0xa4,umask=0x2/"},
    {"event A:B = r1 bad > 5",
     "1:1: expected only label, unit, info and source of 'A:B', which is no "
     "metric"},
    {"event A:B = r1 bad < 5",
     "1:1: expected only label, unit, info and source of 'A:B', which is no "
     "metric"},
    {"event A:B = r1 good > 5",
     "1:1: expected only label, unit, info and source of 'A:B', which is no "
     "metric"},
    {"event A:B = r1 good < 5",
     "1:1: expected only label, unit, info and source of 'A:B', which is no "
     "metric"},
    {"processor spr = mine",
     "1:17: 'mine' is out of place; expected the identity of a processor, such "
     "as \"GenuineIntel-6-CF\""},
    {"processor a:b = \"x\"",
     "1:15: 'a:b' is the name of an event; expected one without a colon "
     "before"},
};

static void
test_faults(void)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct hpm_spec *spec = read_text(faults[i].text, 1);
        char expected[512];

        snprintf(expected, sizeof expected, "test.hpm:%s\n",
                 faults[i].complaint);
        is_text(hpm_string_text(&spec->complaints), expected,
                "a complaint names place, word and what was expected");
        hpm_spec_free(spec);
    }
}

/* Faults of meaning, found when metrics are chosen. */
static const struct {
    const char *text;
    const char *complaint;
} senseless[] = {
    {"compute A = B + 1 compute B = A + 1",
     "1:19: 'A' needs itself: A -> B -> A"},
    {"compose A = A + B", "1:13: 'A' is composed of itself"},
    {"const A = B const B = A",
     "1:23: the constant 'A' needs itself, or more than 64 others in turn"},
    {"const A = 1 / 0", "1:13: division by zero among constants"},
    {"const A = B / 2",
     "1:11: 'B' is no constant; only numbers and constants can stand here"},
    {"ratio A = B / C bad > LIMIT",
     "1:23: 'LIMIT' is no constant; only numbers and constants can stand "
     "here"},
    {"const W = 4 ratio A = B / C good > W/2",
     "1:36: 'W/2' is no constant; only numbers and constants can stand here, "
     "and division needs blanks around '/'"},
    {"ratio A = B / C bad > 0",
     "1:17: a limit of 'A' must be above 0, for its sign in files says on "
     "which side values are meant"},
    {"measure B = X ratio A = B/C",
     "1:25: 'B/C' is not defined; to divide, write blanks around '/'"},
    {"ratio A = B / C compose D = A + E",
     "1:29: 'A' is a ratio; a composition adds counts"},
    {"const A = 1 measure A = X",
     "1:13: 'A' is a constant elsewhere; give one of them another name"},
    {"measure A = X as \"B\" measure B = Y",
     "1:1: 'A' cannot be shown as 'B', which is the name of something else; "
     "expected a name of its own after as"},
    {"measure A = X as \"C\" measure B = Y as \"C\"",
     "1:22: 'B' cannot be shown as 'C', which is the name of something else; "
     "expected a name of its own after as"},
    {"measure A = X as \"Y\" ratio B = A / Y",
     "1:1: 'A' cannot be shown as 'Y', which is the name of something else; "
     "expected a name of its own after as"},
    {"measure A = X as \"IncSec\"",
     "1:1: 'A' cannot be shown as 'IncSec', which is the name of something "
     "else; expected a name of its own after as"},
    {"measure A = X as \"\"",
     "1:1: 'A' cannot be shown as '', which is empty; expected a name of its "
     "own after as"},
    {"measure A = X as \"~A\"",
     "1:1: 'A' cannot be shown as '~A', which begins with the mark of partial "
     "values; expected a name of its own after as"},
    {"ratio Count = A / B",
     "1:1: 'Count' is what each section has without a definition; give the "
     "metric another name"},
    {"const A = 1 compose B = A + C",
     "1:25: 'A' is a constant; expected a counter or a metric"},
    {"measure A = X ratio A = X / Y",
     "1:15: 'A' is a ratio and a count (test.hpm:1); expected one or the "
     "other"},
    {"measure CYCLES = X tune CYCELS label \"x\"",
     "1:20: there is no metric 'CYCELS' to tune; did you mean 'CYCLES'?"},
    {"tune NOTHING label \"x\"", "1:1: there is no metric 'NOTHING' to tune"},
    {"remove NOTHING", "1:1: there is nothing named 'NOTHING' to remove"},
    {"ratio A = B / C under D",
     "1:1: there is no metric 'D' for 'A' to be under"},
    {"ratio A = B / C under D ratio D = B / C under A",
     "1:1: 'A' is under 'D', which leads back to it or is too deep"},
    {"ratio Z = B / C\nratio A = B / C under D ratio D = B / C under A",
     "2:1: 'A' is under 'D', which leads back to it or is too deep"},
    {"measure A = X scale 0 - 1", "1:1: the scale of 'A' must be above 0"},
    {"measure A = X range 5, 2 + 3",
     "1:1: the range of 'A' ends where it begins, or before"},
    {"measure A = X bad > 1 why \"it costs\"",
     "1:1: the hint of 'A' lacks 'next'\n"
     "test.hpm:1:1: the hint of 'A' lacks 'try'"},
    {"measure A = X bad > 1 why \"\" next A try \"less\"",
     "1:1: the hint of 'A' lacks 'why'"},
    {"measure A = X why \"it costs\" next A try \"less\"",
     "1:1: 'A' has a hint, but no limit 'bad' where it would be given"},
    {"measure A = X bad > 1 why \"it costs\" next A try \"less\" evidence A AB "
     "measure ABC = X",
     "1:67: there is no metric 'AB' to show as evidence; did you mean 'ABC'?"},
    {"measure A = X bad > 1 why \"it costs\" next A try \"less\" unless AB",
     "1:63: there is no metric 'AB' to give a hint instead"},
    {"measure A = X bad > 1 like NOTHING",
     "1:1: there is no metric 'NOTHING' to be like"},
    {"measure A = X bad > 1 measure B = Y bad > 1 tune A like B",
     "1:45: 'B', which 'A' is like, has no hint"},
    {"measure A = X bad > 1 why \"it costs\" next A try \"less\" "
     "measure B = X bad > 1 like A measure C = X bad > 1 like B",
     "1:85: 'C' is like 'B', which is like 'A'; expected a metric with a hint "
     "of its own"},
};

static void
test_senseless(void)
{
    for (size_t i = 0; i < sizeof senseless / sizeof senseless[0]; i++) {
        struct hpm_spec *spec = read_text(senseless[i].text, 1);
        const char *complaints;
        char expected[512];

        hpm_metrics_free(choose(spec, NULL, 0));
        snprintf(expected, sizeof expected, "test.hpm:%s\n",
                 senseless[i].complaint);
        complaints = hpm_string_text(&spec->complaints);
        ok(strncmp(complaints, expected, strlen(expected)) == 0,
           "definitions without sense are complained about");
        if (strncmp(complaints, expected, strlen(expected)) != 0)
            printf("# got      %s# expected %s", complaints, expected);
        hpm_spec_free(spec);
    }
}

static void
test_recovery(void)
{
    struct hpm_spec *spec = read_text("measure A = = X\n"
                                      "measure B = X\n"
                                      "compose C = D E\n"
                                      "ratio F = B / X bad\n"
                                      "measure G = Y",
                                      1);

    is_count(spec->n_complaints, 3, "several faults are named in one run");
    is_count(spec->n_statements, 2, "statements without fault are kept");
    hpm_spec_free(spec);
}

/* ---- sizes ----------------------------------------------------------- */

static char *
repeat(const char *before, const char *text, size_t n, const char *after)
{
    size_t length = strlen(text);
    char *whole = malloc(strlen(before) + n * length + strlen(after) + 1);
    char *at = whole;

    at += sprintf(at, "%s", before);
    for (size_t i = 0; i < n; i++, at += length)
        memcpy(at, text, length);
    strcpy(at, after);
    return whole;
}

static void
test_nesting(const char *bracket, const char *word)
{
    char *text = repeat("compute A = ", bracket, 1000000, " measure B = X");
    struct hpm_spec *spec = read_text(text, 1);
    char expected[128];

    snprintf(expected, sizeof expected,
             "test.hpm:1:%d: brackets and signs nest more than 64 deep\n",
             13 + 64);
    is_text(hpm_string_text(&spec->complaints), expected, word);
    is_count(spec->n_statements, 1, "the statement after them is read");
    free(text);
    hpm_spec_free(spec);
}

/* X + (X + (X + ... */
static void
test_many_operands(void)
{
    char *deep = repeat("compute A = ", "X + (", 31, "X");
    char *text = repeat(deep, ")", 31, "");
    char *deeper = repeat("compute A = ", "X + (", 32, "X");
    char *longer = repeat(deeper, ")", 32, "");
    struct hpm_spec *spec = read_text(text, 1);

    is_count(spec->n_complaints, 0, "32 operands may wait at once");
    hpm_spec_free(spec);
    spec = read_text(longer, 1);
    ok(strstr(hpm_string_text(&spec->complaints),
              "needs more than 32 operands at once") != NULL,
       "but no more");
    hpm_spec_free(spec);
    free(deep);
    free(text);
    free(deeper);
    free(longer);
}

static void
test_long_sum(void)
{
    char *text = repeat("compute A = X", " + X", 1000000, "");
    struct hpm_spec *spec = read_text(text, 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_metric_value *values = evaluate(metrics, "X 2");

    is_text(shown(metrics, values, "A"), "2e+06",
            "a sum of a million and one operands is evaluated");
    free(values);
    free(text);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* Count how many events are asked for the metrics at both ends of a chain. */
static enum hpm_countable
ask_once(const char *event, void *context)
{
    size_t *n = context;

    (*n)++;
    return strcmp(event, "TICKS") == 0 ? HPM_COUNTABLE_YES : HPM_COUNTABLE_NO;
}

/* Events whose names begin with Y can be counted. */
static enum hpm_countable
ask_letter(const char *event, void *context)
{
    (void)context;
    return event[0] == 'Y' ? HPM_COUNTABLE_YES : HPM_COUNTABLE_NO;
}

/* Report a problem of one event. */
static void
tell_neither(struct hpm_string *string, const char *event, void *context)
{
    (void)context;
    if (strcmp(event, "NEITHER") == 0)
        hpm_string_add_format(string, "; '%s' is told", event);
}

/* The events needed for a metric, and the reason if it cannot be measured. */
static void
test_request(void)
{
    struct hpm_spec *spec = read_text("measure M = NONE | Y1 | Y2\n"
                                      "measure N = NONE | NEITHER\n"
                                      "compute K = Y3 + N\n",
                                      1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_string text = {0};
    struct hpm_request request;

    ok(hpm_request_init(&request, metrics, ask_letter, NULL, NULL),
       "events are asked about");
    hpm_request_add_metric(&request, hpm_metrics_find(metrics, "M"));
    ok(request.is_wanted[hpm_metrics_find_leaf(metrics, "Y1")] &&
           !request.is_wanted[hpm_metrics_find_leaf(metrics, "Y2")] &&
           !request.is_wanted[hpm_metrics_find_leaf(metrics, "NONE")],
       "of events of which one is enough the first that counts is wanted");
    hpm_request_explain(&request, hpm_metrics_find(metrics, "M"), &text);
    is_text(hpm_string_text(&text), "", "nothing stands in its way");
    hpm_request_explain(&request, hpm_metrics_find(metrics, "K"), &text);
    is_text(hpm_string_text(&text), "'NONE', which cannot be counted here",
            "in that of another one the first event that does not count");
    hpm_string_clear(&text);
    request.tell = tell_neither;
    request.place = "on node7";
    hpm_request_explain(&request, hpm_metrics_find(metrics, "K"), &text);
    is_text(hpm_string_text(&text),
            "'NONE', which cannot be counted on node7; 'NEITHER' is told",
            "and what there is to tell of one below it, wherever that is");
    hpm_string_free(&text);
    hpm_request_clear(&request);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* Names that are nearly those of a metric or a set. */
static void
test_nearest(void)
{
    struct hpm_spec *spec = read_text("measure CYCLES = Y1\n"
                                      "measure CYCLE_RATE = Y2\n",
                                      1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);

    is_text(hpm_metrics_nearest(metrics, "CYCLSE"), "CYCLES",
            "letters that have changed places are no other name");
    is_text(hpm_metrics_nearest(metrics, "cycle_rate"), "CYCLE_RATE",
            "nor are small ones");
    ok(hpm_metrics_nearest(metrics, "BYTES_READ") == NULL,
       "what is too far from each is near none");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

/* Each metric needs the one defined after it, or before it. */
static void
test_long_chain(bool is_backward)
{
    enum { N = 20000 };
    struct hpm_string text = {0};
    struct hpm_request request;
    struct hpm_metrics *metrics;
    struct hpm_tally *counts;
    struct hpm_metric_value *values;
    struct hpm_spec *spec;
    size_t n_asked = 0, last;

    for (int i = 0; i < N; i++) {
        int here = is_backward ? N - i : i + 1;

        hpm_string_add_format(&text, "compute M%d = ", here);
        hpm_string_add_format(&text, here > 1 ? "M%d + 1\n" : "TICKS + %d\n",
                              here > 1 ? here - 1 : 1);
    }
    spec = read_text(hpm_string_text(&text), 1);
    metrics = choose(spec, NULL, 0);
    is_text(hpm_string_text(&spec->complaints), "",
            "a chain of 20,000 definitions has no fault");
    last = hpm_metrics_find(metrics, "M20000");
    ok(hpm_request_init(&request, metrics, ask_once, &n_asked, NULL) &&
           hpm_request_ask_metric(&request, last) == HPM_FEASIBLE_ALL,
       "its end can be measured where its beginning can");
    hpm_request_add_metric(&request, last);
    ok(request.is_wanted[hpm_metrics_find_leaf(metrics, "TICKS")],
       "the event at its beginning is wanted for its end");
    is_count(n_asked, 1, "nothing else is asked about");
    counts = calloc(metrics->n_leaves, sizeof *counts);
    values = calloc(metrics->n_metrics, sizeof *values);
    counts[hpm_metrics_find_leaf(metrics, "TICKS")] =
        (struct hpm_tally){.is_present = true, .value = 5.0};
    hpm_metrics_evaluate(metrics, counts, NULL, values);
    ok(values[last].is_present && values[last].value == N + 5.0,
       "its end has its value");
    free(counts);
    free(values);
    hpm_request_clear(&request);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    hpm_string_free(&text);
}

/* The stack does not grow with them: a megabyte would not do for a call of each. */
static void
test_long_chains(void)
{
    struct rlimit usual, low;

    getrlimit(RLIMIT_STACK, &usual);
    low = usual;
    low.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_STACK, &low);
    test_long_chain(false);
    test_long_chain(true);
    setrlimit(RLIMIT_STACK, &usual);
}

/* total() may lead back, however far. */
static void
test_long_circle(void)
{
    enum { N = 2000 };
    struct hpm_string text = {0};
    struct hpm_request request;
    struct hpm_metrics *metrics;
    struct hpm_spec *spec;
    size_t n_asked = 0;

    for (int i = 0; i < N; i++)
        hpm_string_add_format(&text, "ratio R%d = total(R%d) + 1\n", i,
                              (i + 1) % N);
    spec = read_text(hpm_string_text(&text), 1);
    metrics = choose(spec, NULL, 0);
    ok(hpm_request_init(&request, metrics, ask_once, &n_asked, NULL) &&
           hpm_request_ask_metric(&request, 0) == HPM_FEASIBLE_NO,
       "what leads back to itself by total() cannot be measured");
    hpm_request_clear(&request);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    hpm_string_free(&text);
}

static void
test_many_complaints(void)
{
    char *text = repeat("", "measure = X\n", 1000, "");
    struct hpm_spec *spec = read_text(text, 1);
    size_t n_lines = 0;

    for (const char *c = hpm_string_text(&spec->complaints); *c != '\0'; c++)
        n_lines += *c == '\n';
    is_count(n_lines, HPM_MAX_COMPLAINTS, "so many complaints are kept");
    is_count(spec->n_complaints, 1000, "the others are counted");
    free(text);
    hpm_spec_free(spec);
}

/* ---- codes of events --------------------------------------------------- */

static const char codes[] =
    "event A:B = cpu/event=1/ label \"any\"\n"
    "event X = r1a8 # and no more\n"
    "processor new = \"GenuineIntel-6-CF, MIDR-41?fd4*\"\n"
    "processor old = \"GenuineIntel-6-55-[5-9A-F]\"\n"
    "arch new old\n"
    "event A:B = cpu/event=2,umask=0x3/\n"
    "event A:B:c=1 = cpu/event=2,cmask=1/\n"
    "arch old\n"
    "event A:B = cpu/event=4/\n";

static void
has_code(const struct hpm_spec *spec, const char *pmu, const char *name,
         const char *code)
{
    const struct hpm_statement *event = hpm_spec_find_event(spec, pmu, name);

    is_text(event != NULL
                ? hpm_spec_text(spec, event->attributes.texts[HPM_TEXT_CODE])
                : "none",
            code, "an event has the code of its definition");
}

static void
test_codes(void)
{
    struct hpm_spec *spec = read_text(codes, 1);

    is_text(hpm_string_text(&spec->complaints), "", "codes are read");
    has_code(spec, NULL, "A:B", "cpu/event=1/");
    has_code(spec, "other", "a.b", "cpu/event=1/");
    has_code(spec, "new", "A:B", "cpu/event=2,umask=0x3/");
    has_code(spec, "old", "A:B", "cpu/event=4/");
    has_code(spec, "new", "A:b:C=1", "cpu/event=2,cmask=1/");
    has_code(spec, NULL, "A:B:c=1", "none");
    has_code(spec, "new", "A:BC", "none");
    has_code(spec, "new", "A", "none");
    has_code(spec, NULL, "x", "r1a8");
    hpm_spec_read(spec, "later.hpm", "event A:B = r5", 14, 2, NULL, NULL, NULL);
    has_code(spec, "old", "A:B", "r5");
    hpm_spec_free(spec);
}

static void
is_called(const struct hpm_spec *spec, const char *identity, const char *pmu)
{
    const char *found = hpm_spec_find_processor(spec, identity);

    is_text(found != NULL ? found : "none", pmu,
            "a processor is known by its identity");
}

static void
test_processors(void)
{
    struct hpm_spec *spec = read_text(codes, 1);

    is_called(spec, "GenuineIntel-6-CF-2", "new");
    is_called(spec, "GenuineIntel-6-CF", "new");
    is_called(spec, "GenuineIntel-6-C-2", "none");
    is_called(spec, "GenuineIntel-6-55-7", "old");
    is_called(spec, "GenuineIntel-6-55-B", "old");
    is_called(spec, "GenuineIntel-6-55-4", "none");
    is_called(spec, "MIDR-413fd4f1", "new");
    is_called(spec, "MIDR-413fd0c1", "none");
    is_called(spec, "", "none");
    hpm_spec_free(spec);
}

int
main(void)
{
    test_listings();
    test_raw_listing("generic", 11);
    test_raw_listing("papi", 36);
    test_raw_listing("power4", 11);
    test_raw_listing("opteron", 16);
    test_raw_listing("ultra3", 14);
    test_faults();
    test_codes();
    test_processors();
    test_senseless();
    test_recovery();
    test_nesting("(", "a million brackets are complained about");
    test_nesting("-", "a million signs are complained about");
    test_many_operands();
    test_long_sum();
    test_long_chains();
    test_request();
    test_nearest();
    test_long_circle();
    test_many_complaints();
    return done();
}
