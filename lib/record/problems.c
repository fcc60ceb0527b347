/* SPDX-License-Identifier: BSD-3-Clause
 * Actions of the measured program that could not be measured correctly. */
#include "record/problems.h"

#include <string.h>
#include <time.h>

#include "base/string.h"
#include "host/cancel.h"
#include "host/memory.h"
#include "host/ownusage.h"
#include "host/path.h"

static const char *const sentences[] = {
    [HPM_PROBLEM_STOP_WITHOUT_START] =
        "stopped but not open here; the stop is ignored",
    [HPM_PROBLEM_NEVER_STOPPED] =
        "started but never stopped; measured up to the end",
    [HPM_PROBLEM_OUTER_STOPPED] =
        ("still open when the section around it stopped; measured up to that "
         "stop"),
    [HPM_PROBLEM_OTHER_SECTION] =
        "its id is open already as another section; both are measured",
    [HPM_PROBLEM_OPEN_ELSEWHERE] =
        "another thread has this process section open; the start is ignored",
    [HPM_PROBLEM_PARENT_NOT_OPEN] =
        "the parent it names is not open; the innermost section is taken",
    [HPM_PROBLEM_WORK_NOT_OPEN] =
        "work for a section that is not open; ignored",
    [HPM_PROBLEM_NEGATIVE_WORK] = "work below 0; ignored",
    [HPM_PROBLEM_TOO_DEEP] =
        "more than 256 sections are open at a time; not measured",
    [HPM_PROBLEM_TOO_MANY_SECTIONS] =
        "more than 65,536 sections; measured together as \"(other)\"",
    [HPM_PROBLEM_NO_MEMORY] = "out of memory; not measured",
    [HPM_PROBLEM_FEW_CALLS] =
        "no more room for its single calls (HPM_CALLS); fewer are kept",
    [HPM_PROBLEM_CALL_INSIDE_CALL] =
        "a signal handler called libhpm inside another call; ignored",
    [HPM_PROBLEM_THREAD_RUNNING] =
        "a thread was inside a call while the file was written; left out",
    [HPM_PROBLEM_THREAD_ENDS_INSIDE] =
        ("a signal handler ended the program, or left by longjmp, inside a "
         "call; its thread is left out"),
    [HPM_PROBLEM_THREAD_CANCELLED] =
        "a thread was cancelled inside a call; left out",
    [HPM_PROBLEM_THREADS_UNKNOWN] =
        ("/proc cannot be read to list the threads: process sections may miss "
         "some of those alive by now (HPM_PROCESS=1 opens their counters at "
         "init)"),
    [HPM_PROBLEM_THREADS_MISSED] =
        ("threads were started while the process's counters were opened; they "
         "are counted in part (HPM_PROCESS=1 opens them at init)"),
    [HPM_PROBLEM_NOT_SAMPLED] = "a thread is not sampled",
    [HPM_PROBLEM_NOT_CALIBRATED] = ("out of memory; values have in them what "
                                    "measuring costs"),
};

/* How the other call relates to this one; NULL: there is no other call. */
static const char *const relations[] = {
    [HPM_PROBLEM_STOP_WITHOUT_START] = "one with this id starts at",
    [HPM_PROBLEM_OTHER_SECTION] = "open since",
    [HPM_PROBLEM_OPEN_ELSEWHERE] = "open since",
    [HPM_PROBLEM_NOT_CALIBRATED] = NULL,
};

/* The list has no more entries than this; further problems are counted
 * together. */
enum { MAX_PROBLEMS = 256 };

struct problem {
    enum hpm_problem_kind kind;
    int instance;
    int line;
    char *file;
    char *text;
    unsigned long count;
};

struct hpm_problems {
    pthread_mutex_t lock;
    void (*say)(const char *line);
    int *counter;
    struct problem *list;
    size_t n;
    size_t capacity;
    unsigned long n_unnamed;
};

/* Cancellation is held: a thread cancelled in here, while it prints the line,
 * would keep the lock. */
static struct hpm_cancel
lock(struct hpm_problems *problems)
{
    struct hpm_cancel program = hpm_cancel_hold();

    pthread_mutex_lock(&problems->lock);
    return program;
}

static void
unlock(struct hpm_problems *problems, struct hpm_cancel program)
{
    pthread_mutex_unlock(&problems->lock);
    hpm_cancel_release(program);
}

struct hpm_problems *
hpm_problems_new(void (*say)(const char *line), int *counter)
{
    struct hpm_problems *problems = hpm_memory_new(1, sizeof *problems);

    if (problems == NULL)
        return NULL;
    pthread_mutex_init(&problems->lock, NULL);
    problems->say = say;
    problems->counter = counter;
    return problems;
}

bool
hpm_problems_are_usable(struct hpm_problems *problems)
{
    const struct timespec step = {0, 1000000};

    for (int patience = 1000; patience > 0; patience--) {
        if (pthread_mutex_trylock(&problems->lock) == 0) {
            pthread_mutex_unlock(&problems->lock);
            return true;
        }
        nanosleep(&step, NULL);
    }
    return false;
}

void
hpm_problems_free(struct hpm_problems *problems)
{
    if (problems == NULL)
        return;
    for (size_t i = 0; i < problems->n; i++) {
        hpm_memory_free(problems->list[i].file);
        hpm_memory_free(problems->list[i].text);
    }
    hpm_memory_free(problems->list);
    pthread_mutex_destroy(&problems->lock);
    hpm_memory_free(problems);
}

static bool
has_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

static void
add_thread(struct hpm_string *text, const struct hpm_place *place)
{
    if (place->has_tid)
        hpm_string_add_format(text, " in thread %d", place->tid);
}

/* (open since swim.f:770 as "Loop 300" in thread 2) */
static void
add_other(struct hpm_string *text, const char *relation,
          const struct hpm_place *other)
{
    if (relation == NULL || other == NULL || !has_text(other->file))
        return;
    hpm_string_add_format(text, " (%s %s:%d", relation,
                          hpm_path_base_name(other->file), other->line);
    if (has_text(other->label))
        hpm_string_add_format(text, " as \"%.80s\"", other->label);
    add_thread(text, other);
    hpm_string_add_char(text, ')');
}

/* swim.f:775: section 3 "Loop 300" in thread 1: stopped but ... */
static char *
make_text(enum hpm_problem_kind kind, const struct hpm_place *place)
{
    struct hpm_string text = {0};

    if (has_text(place->file))
        hpm_string_add_format(&text, "%s:%d: ", hpm_path_base_name(place->file),
                              place->line);
    if (has_text(place->label))
        hpm_string_add_format(&text, "section %d \"%.80s\"", place->instance,
                              place->label);
    else if (kind <= HPM_PROBLEM_TOO_MANY_SECTIONS)
        hpm_string_add_format(&text, "section %d", place->instance);
    if (has_text(place->label) || kind <= HPM_PROBLEM_TOO_MANY_SECTIONS) {
        add_thread(&text, place);
        hpm_string_add(&text, ": ");
    }
    hpm_string_add(&text, sentences[kind]);
    if (place->reason != NULL)
        hpm_string_add_format(&text, ": %s", place->reason);
    add_other(&text, relations[kind], place->other);
    if (text.failed) {
        hpm_string_free(&text);
        return NULL;
    }
    return text.text;
}

static struct problem *
find(struct hpm_problems *problems, enum hpm_problem_kind kind,
     const struct hpm_place *place)
{
    const char *file = hpm_path_base_name(place->file);

    for (size_t i = 0; i < problems->n; i++) {
        struct problem *problem = &problems->list[i];

        if (problem->kind == kind && problem->instance == place->instance &&
            problem->line == place->line && strcmp(problem->file, file) == 0)
            return problem;
    }
    return NULL;
}

/* The new entry, or NULL if there is no room and the problem can only be
 * counted. */
static struct problem *
append(struct hpm_problems *problems, enum hpm_problem_kind kind,
       const struct hpm_place *place)
{
    struct problem *problem;

    if (problems->n == MAX_PROBLEMS ||
        !hpm_memory_grow(&problems->list, &problems->capacity, problems->n + 1,
                         sizeof *problems->list))
        return NULL;
    problem = &problems->list[problems->n];
    *problem = (struct problem){
        .kind = kind, .instance = place->instance, .line = place->line};
    problem->file = hpm_memory_copy_text(hpm_path_base_name(place->file));
    problem->text = make_text(kind, place);
    if (problem->file == NULL || problem->text == NULL) {
        hpm_memory_free(problem->file);
        hpm_memory_free(problem->text);
        return NULL;
    }
    problems->n++;
    return problem;
}

static void
raise_counter(const struct hpm_problems *problems, unsigned long count)
{
    if (problems->counter != NULL)
        __atomic_fetch_add(problems->counter, (int)count, __ATOMIC_RELAXED);
}

bool
hpm_problems_repeat(struct hpm_problems *problems, enum hpm_problem_kind kind,
                    const struct hpm_place *place)
{
    struct hpm_cancel program = lock(problems);
    struct problem *problem = find(problems, kind, place);

    if (problem != NULL)
        problem->count++;
    unlock(problems, program);
    if (problem != NULL)
        raise_counter(problems, 1);
    return problem != NULL;
}

void
hpm_problems_add(struct hpm_problems *problems, enum hpm_problem_kind kind,
                 const struct hpm_place *place, unsigned long count)
{
    struct problem *problem;
    struct hpm_cancel program;

    raise_counter(problems, count);
    program = lock(problems);
    problem = find(problems, kind, place);
    if (problem == NULL) {
        hpm_ownusage_begin();
        problem = append(problems, kind, place);
        if (problem != NULL)
            problems->say(problem->text);
        hpm_ownusage_end();
    }
    if (problem != NULL)
        problem->count += count;
    else
        problems->n_unnamed += count;
    unlock(problems, program);
}

bool
hpm_problems_are_there(struct hpm_problems *problems)
{
    struct hpm_cancel program = lock(problems);
    bool are_there = problems->n > 0 || problems->n_unnamed > 0;

    unlock(problems, program);
    return are_there;
}

static bool
harvest_one(struct hpm_experiment *experiment, const char *text,
            unsigned long count)
{
    struct hpm_problem *problem = hpm_experiment_add_problem(experiment);

    if (problem == NULL)
        return false;
    problem->count = count;
    return hpm_experiment_set_text(&problem->text, text);
}

bool
hpm_problems_harvest(struct hpm_problems *problems,
                     struct hpm_experiment *experiment)
{
    bool is_good = true;
    struct hpm_cancel program = lock(problems);

    for (size_t i = 0; i < problems->n && is_good; i++)
        is_good = harvest_one(experiment, problems->list[i].text,
                              problems->list[i].count);
    if (is_good && problems->n_unnamed > 0)
        is_good = harvest_one(experiment, "further problems, not named",
                              problems->n_unnamed);
    unlock(problems, program);
    return is_good;
}
