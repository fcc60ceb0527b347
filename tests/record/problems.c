/* SPDX-License-Identifier: BSD-3-Clause
 * Problems: their sentences, which of them are the same, and how many are
 * kept. */
#include "record/problems.h"

#include "host/memory.h"
#include "tap.h"

enum { MOST = 256 };

static char said[512];
static size_t n_said;
static int counter;

static void
say(const char *line)
{
    snprintf(said, sizeof said, "%s", line);
    n_said++;
}

/* The sentence reported for a problem. */
static const char *
sentence(enum hpm_problem_kind kind, const struct hpm_place *place)
{
    struct hpm_problems *problems = hpm_problems_new(say, NULL);

    said[0] = '\0';
    hpm_problems_add(problems, kind, place, 1);
    hpm_problems_free(problems);
    return said;
}

static void
test_sentences(void)
{
    struct hpm_place other = {
        .label = "Loop 300", .file = "/src/swim.f", .line = 770};
    struct hpm_place place = {.instance = 3,
                              .label = "Loop 300",
                              .file = "/src/swim.f",
                              .line = 775,
                              .other = &other};

    is_text(sentence(HPM_PROBLEM_NEVER_STOPPED, &place),
            "swim.f:775: section 3 \"Loop 300\": started but never stopped; "
            "measured up to the end",
            "where, which section, and what happened");
    is_text(sentence(HPM_PROBLEM_STOP_WITHOUT_START, &place),
            "swim.f:775: section 3 \"Loop 300\": stopped but not open here; "
            "the stop is ignored (one with this id starts at swim.f:770 as "
            "\"Loop 300\")",
            "and the other call, where there is one");
    other.has_tid = place.has_tid = true;
    other.tid = 2;
    place.tid = 1;
    other.label = "";
    place.label = NULL;
    is_text(sentence(HPM_PROBLEM_OTHER_SECTION, &place),
            "swim.f:775: section 3 in thread 1: its id is open already as "
            "another section; both are measured (open since swim.f:770 in "
            "thread 2)",
            "with the threads where they are known");
    other.file = "";
    place.file = "";
    is_text(sentence(HPM_PROBLEM_OPEN_ELSEWHERE, &place),
            "section 3 in thread 1: another thread has this process section "
            "open; the start is ignored",
            "a place that is not known is left out");
    is_text(sentence(HPM_PROBLEM_TOO_MANY_SECTIONS, &place),
            "section 3 in thread 1: more than 65,536 sections; measured "
            "together as \"(other)\"",
            "the last kind that is of a section by its number alone");
    place.reason = "not permitted";
    is_text(sentence(HPM_PROBLEM_NOT_SAMPLED, &place),
            "a thread is not sampled: not permitted",
            "what is of no section names none, but the reason");
    place.label = "Loop 300";
    place.reason = NULL;
    is_text(sentence(HPM_PROBLEM_NO_MEMORY, &place),
            "section 3 \"Loop 300\" in thread 1: out of memory; not measured",
            "unless it is known");
}

static const struct hpm_problem *
harvested(const struct hpm_experiment *experiment, size_t i)
{
    static const struct hpm_problem none = {.text = (char *)"(none)"};

    return i < experiment->n_problems ? &experiment->problems[i] : &none;
}

static void
test_same(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_problems *problems = hpm_problems_new(say, &counter);
    const struct hpm_place place = {.instance = 3, .file = "/a/x.c", .line = 7},
                           elsewhere = {.instance = 3,
                                        .file = "/b/x.c",
                                        .line = 7},
                           section = {.instance = 4, .file = "x.c", .line = 7},
                           line = {.instance = 3, .file = "x.c", .line = 8},
                           file = {.instance = 3, .file = "y.c", .line = 7};

    n_said = 0;
    ok(!hpm_problems_are_there(problems), "there is no problem yet");
    ok(!hpm_problems_repeat(problems, HPM_PROBLEM_TOO_DEEP, &place) &&
           counter == 0 && !hpm_problems_are_there(problems),
       "what was not noted is not once more");
    hpm_problems_add(problems, HPM_PROBLEM_TOO_DEEP, &place, 5);
    ok(hpm_problems_are_there(problems), "then there is one");
    hpm_problems_add(problems, HPM_PROBLEM_TOO_DEEP, &elsewhere, 2);
    ok(hpm_problems_repeat(problems, HPM_PROBLEM_TOO_DEEP, &place),
       "what was noted may be once more");
    is_count((uint64_t)counter, 8, "each is counted");
    is_count(n_said, 1, "the same one is said once");
    hpm_problems_add(problems, HPM_PROBLEM_NO_MEMORY, &place, 1);
    hpm_problems_add(problems, HPM_PROBLEM_TOO_DEEP, &section, 1);
    hpm_problems_add(problems, HPM_PROBLEM_TOO_DEEP, &line, 1);
    hpm_problems_add(problems, HPM_PROBLEM_TOO_DEEP, &file, 1);
    is_count(n_said, 5,
             "another kind, section, line or file is another problem");
    ok(hpm_problems_harvest(problems, experiment) &&
           experiment->n_problems == 5,
       "all are harvested");
    is_count(harvested(experiment, 0)->count, 8, "with their numbers");
    is_text(harvested(experiment, 4)->text,
            "y.c:7: section 3: more than 256 sections are open at a time; not "
            "measured",
            "and sentences");
    hpm_problems_free(problems);
    hpm_experiment_free(experiment);
}

static void
test_too_many(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_problems *problems = hpm_problems_new(say, NULL);
    struct hpm_place place = {.instance = 1, .file = "x.c"};

    n_said = 0;
    for (place.line = 0; place.line < MOST + 3; place.line++)
        hpm_problems_add(problems, HPM_PROBLEM_TOO_DEEP, &place, 2);
    is_count(n_said, MOST, "so many different ones are told apart");
    ok(hpm_problems_harvest(problems, experiment), "they are harvested");
    is_count(experiment->n_problems, MOST + 1, "the others as one");
    is_text(harvested(experiment, MOST)->text, "further problems, not named",
            "which has no name,");
    is_count(harvested(experiment, MOST)->count, 6, "but their number");
    hpm_problems_free(problems);
    hpm_experiment_free(experiment);
}

/* A problem without memory for its name is counted without it. */
static void
test_no_memory(void)
{
    const struct hpm_place place = {.instance = 1, .file = "x.c"};
    size_t n_lacks = 0;
    bool is_named = false, are_right = true;

    hpm_memory_fail_at(1, false);
    ok(hpm_problems_new(say, NULL) == NULL, "without memory there is no list");
    while (!is_named && n_lacks < 100) {
        struct hpm_experiment *experiment = hpm_experiment_new();
        struct hpm_problems *problems = hpm_problems_new(say, NULL);

        hpm_memory_fail_at(++n_lacks, false);
        hpm_problems_add(problems, HPM_PROBLEM_TOO_DEEP, &place, 3);
        hpm_memory_fail_at(0, false);
        are_right = are_right && hpm_problems_are_there(problems) &&
                    hpm_problems_harvest(problems, experiment) &&
                    harvested(experiment, 0)->count == 3;
        is_named = strcmp(harvested(experiment, 0)->text,
                          "further problems, not named") != 0;
        hpm_problems_free(problems);
        hpm_experiment_free(experiment);
    }
    ok(is_named && n_lacks > 3 && are_right,
       "without memory for a problem it is counted without a name");
    hpm_problems_free(NULL);
}

int
main(void)
{
    test_sentences();
    test_same();
    test_too_many();
    test_no_memory();
    return done();
}
