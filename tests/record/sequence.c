/* SPDX-License-Identifier: BSD-3-Clause
 * A sequence of starts and stops, made at random or read from words. */
#include "sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sequence_labels[SEQUENCE_N_LABELS] = {"", "a", "b", "c", "d"};

/* ---- at random ------------------------------------------------------- */

static uint64_t state;

static unsigned
below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state * 0x2545f4914f6cdd1du) >> 33) % n;
}

static bool
is_one_in(unsigned n)
{
    return below(n) == 0;
}

/* The nature of one sequence. */
struct mood {
    unsigned n_ids, n_labels, n_lines, n_threads;
    unsigned starts;                         /* of 16 starts and stops */
    unsigned parents, counted, works, looks; /* of 64 steps */
};

static int
random_parent(const struct mood *mood)
{
    static const int constants[] = {MODEL_NO_PARENT, MODEL_AUTO_PARENT,
                                    MODEL_EXCLUSIVE};

    if (below(64) >= mood->parents)
        return MODEL_AUTO_PARENT;
    return is_one_in(3) ? constants[below(3)] : (int)below(mood->n_ids + 1);
}

static struct sequence_step
random_step(const struct mood *mood)
{
    struct sequence_step step = {
        .kind = below(16) < mood->starts ? '+' : '-',
        .thread = (unsigned char)below(mood->n_threads),
        .label = (unsigned char)(1 + below(mood->n_labels)) % SEQUENCE_N_LABELS,
        .line = (unsigned char)below(mood->n_lines),
        .id = (int)below(mood->n_ids),
        .parent = random_parent(mood),
        .amount = 1 + below(1000)};

    if (below(64) < mood->counted)
        step.kind = step.kind == '+' ? '~' : '/';
    if (below(64) < mood->works)
        step.kind = '*';
    if (below(64) < mood->looks)
        step.kind = '?';
    return step;
}

static void
add(struct sequence *sequence, const struct sequence_step *step)
{
    sequence->steps[sequence->n_steps++] = *step;
    sequence->steps[sequence->n_steps++] =
        (struct sequence_step){.kind = 'p', .amount = step->amount};
}

/* As many sections as can be open, or some more or fewer. */
static void
add_depth(struct sequence *sequence)
{
    int n = MODEL_MAX_OPEN - 6 + (int)below(12);

    for (int i = 0; i < n; i++) {
        struct sequence_step step = {.kind = '+',
                                     .label = (unsigned char)below(3),
                                     .id = i < 8 ? i : 100 + i,
                                     .parent = MODEL_AUTO_PARENT,
                                     .amount = 1 + below(9)};

        add(sequence, &step);
    }
}

static void
choose_filter(struct sequence *sequence)
{
    switch (below(5)) {
    case 0:
        sequence->except = 2 * below(1 << (SEQUENCE_N_LABELS - 1));
        break;
    case 1:
        sequence->only = 2 * below(1 << (SEQUENCE_N_LABELS - 1));
        break;
    case 2:
        sequence->n_skipped = 1 + below(4);
        break;
    default:
        break;
    }
}

static struct mood
choose_mood(const struct sequence *sequence)
{
    static const unsigned often[] = {0, 0, 4, 24};
    bool is_plain = is_one_in(2);

    return (struct mood){.n_ids = 1 + below(6),
                         .n_labels =
                             is_plain ? 1 : 1 + below(SEQUENCE_N_LABELS),
                         .n_lines = is_plain ? 1 : 1 + below(SEQUENCE_N_LINES),
                         .n_threads = sequence->is_process ? 1 + below(3) : 1,
                         .starts = is_one_in(8) ? 14 : 5 + below(6),
                         .parents = often[below(4)],
                         .counted = sequence->is_process ? 0 : often[below(4)],
                         .works = often[below(3)],
                         .looks = often[below(3)]};
}

/* Programs repeat their steps: add some of the last steps again, or a new
 * one. */
static void
add_steps(struct sequence *sequence, const struct mood *mood)
{
    unsigned n = 2 * (1 + below(10));

    if (sequence->n_steps >= (int)n && is_one_in(8)) {
        unsigned from = (unsigned)sequence->n_steps - n;

        for (unsigned i = 0; i < n; i++)
            sequence->steps[sequence->n_steps++] = sequence->steps[from + i];
    } else {
        struct sequence_step step = random_step(mood);

        add(sequence, &step);
    }
}

static void
begin(struct sequence *sequence, uint64_t number)
{
    state = (number + 1) * 0x9e3779b97f4a7c15u;
    state ^= state >> 32;
    state += state == 0;
    for (int i = 0; i < 8; i++)
        below(2);
    memset(sequence, 0, sizeof *sequence);
}

void
sequence_make(struct sequence *sequence, uint64_t number)
{
    struct mood mood;
    int n;

    begin(sequence, number);
    sequence->is_process = is_one_in(3);
    sequence->is_changing = is_one_in(4);
    sequence->nesting = (enum model_nesting)below(3);
    choose_filter(sequence);
    mood = choose_mood(sequence);
    if (is_one_in(100))
        add_depth(sequence);
    n = is_one_in(20) ? 800 : is_one_in(2) ? 30 : 120;
    n = sequence->n_steps + 2 + (int)below((unsigned)n);
    while (sequence->n_steps < n)
        add_steps(sequence, &mood);
}

/* ---- programs -------------------------------------------------------- */

/* Limits of a round: its steps, and the steps that may end it.  Limit of a
 * program: threads that end, and forks, with room for a round after them. */
enum { MAX_ROUND_STEPS = 400, MAX_ENDS = 200, MAX_FORKS = 10 };

/* How many of 64 steps are of each kind, in one program. */
struct habits {
    unsigned scopes, leaves, throws, processes, ends, forks;
    unsigned stays; /* by the thread of the step before */
};

static struct habits
choose_habits(bool has_forks)
{
    static const unsigned often[] = {0, 4, 12, 24};
    unsigned scopes = often[below(4)];

    return (struct habits){.scopes = scopes,
                           .leaves = scopes,
                           .throws = scopes > 0 ? often[below(3)] / 4 : 0,
                           .processes = often[below(4)],
                           .ends = is_one_in(3) ? 2 : 0,
                           .forks = has_forks && is_one_in(3) ? 1 : 0};
}

static struct sequence_step
random_program_step(const struct mood *mood, const struct habits *habits)
{
    struct sequence_step step = random_step(mood);
    unsigned kind = below(64);

    step.is_process = below(64) < habits->processes;
    if (kind < habits->scopes)
        step.kind = '(';
    else if ((kind -= habits->scopes) < habits->leaves)
        step.kind = ')';
    else if ((kind -= habits->leaves) < habits->throws)
        step = (struct sequence_step){
            .kind = '!', .thread = step.thread, .id = 1 + (int)below(4)};
    else if ((kind -= habits->throws) < habits->ends)
        step.kind = 'g';
    else if ((kind -= habits->ends) < habits->forks)
        step.kind = 'f';
    else if ((kind -= habits->forks) < 3 * habits->forks)
        step.kind = 'e';
    return step;
}

static void
add_program_steps(struct sequence *sequence, const struct mood *mood,
                  const struct habits *habits, int n)
{
    unsigned char thread = 0;

    for (n += sequence->n_steps; sequence->n_steps < n;) {
        struct sequence_step step = random_program_step(mood, habits);

        if (below(64) < habits->stays)
            step.thread = thread;
        thread = step.thread;
        step.amount = step.kind == '!' ? 1 + below(1000) : step.amount;
        add(sequence, &step);
    }
}

static int
count_kind(const struct sequence *sequence, char kind)
{
    int n = 0;

    for (int i = 0; i < sequence->n_steps; i++)
        n += sequence->steps[i].kind == kind;
    return n;
}

/* End all threads but the first, and children.  False when another round is not
 * possible, since the number of threads is limited in a process and in all. */
static bool
end_round(struct sequence *sequence, unsigned n_threads)
{
    int n_open = count_kind(sequence, 'f') - count_kind(sequence, 'e');

    for (unsigned i = 1; i < n_threads; i++)
        sequence->steps[sequence->n_steps++] =
            (struct sequence_step){.kind = 'g', .thread = (unsigned char)i};
    for (; n_open > 0; n_open--)
        sequence->steps[sequence->n_steps++] =
            (struct sequence_step){.kind = 'e'};
    return sequence->n_steps < SEQUENCE_MAX_STEPS - MAX_ROUND_STEPS &&
           count_kind(sequence, 'g') < MAX_ENDS &&
           count_kind(sequence, 'f') < MAX_FORKS;
}

void
sequence_make_program(struct sequence *sequence, uint64_t number,
                      bool has_forks, unsigned n_rounds)
{
    begin(sequence, number);
    sequence->is_program = true;
    sequence->is_changing = is_one_in(4);
    sequence->nesting = (enum model_nesting)below(3);
    choose_filter(sequence);
    for (unsigned i = below(n_rounds) + 1; i > 0; i--) {
        struct mood mood = choose_mood(sequence);
        struct habits habits;

        mood.n_threads = 1 + below(SEQUENCE_N_THREADS);
        mood.counted = mood.looks = 0;
        habits = choose_habits(has_forks);
        habits.stays = n_rounds > 1 && is_one_in(2) ? 56 : 0;
        add_program_steps(sequence, &mood, &habits,
                          2 + (int)below(is_one_in(10) ? 200 : 40));
        if (i > 1 && !end_round(sequence, mood.n_threads))
            break;
    }
}

int
sequence_find_end(const struct sequence *sequence, int fork)
{
    int depth = 1, i = fork + 1;

    for (; i < sequence->n_steps; i++) {
        depth += sequence->steps[i].kind == 'f';
        depth -= sequence->steps[i].kind == 'e';
        if (depth == 0)
            return i;
    }
    return i;
}

/* ---- words ----------------------------------------------------------- */

static void
print_labels(const char *name, unsigned labels)
{
    if (labels == 0)
        return;
    printf("%s=", name);
    for (int i = 1; i < SEQUENCE_N_LABELS; i++)
        printf("%s", (labels & 1u << i) != 0 ? sequence_labels[i] : "");
    printf(" ");
}

static void
print_parent(int parent)
{
    if (parent == MODEL_NO_PARENT)
        printf("@none");
    else if (parent == MODEL_EXCLUSIVE)
        printf("@exclusive");
    else if (parent != MODEL_AUTO_PARENT)
        printf("@%d", parent);
}

static void
print_step(const struct sequence_step *step)
{
    const char *label = sequence_labels[step->label];

    printf(" ");
    if (step->kind == 'p') {
        printf("%u", step->amount);
        return;
    }
    if (step->thread > 0)
        printf("t%d", step->thread);
    if (strchr("feg", step->kind) != NULL) {
        printf("%s", step->kind == 'f'   ? "fork"
                     : step->kind == 'e' ? "end"
                                         : "gone");
        return;
    }
    printf("%s%c", step->is_process ? "p" : "", step->kind);
    if (strchr("?)", step->kind) == NULL)
        printf("%d", step->id);
    if (strchr("+~(", step->kind) == NULL)
        return;
    printf("%s%s", label[0] != '\0' ? label : "_", step->line > 0 ? "'" : "");
    print_parent(step->parent);
}

void
sequence_print(const struct sequence *sequence)
{
    printf("%s ", sequence->is_program   ? "program"
                  : sequence->is_process ? "process"
                                         : "thread");
    if (sequence->n_skipped > 0)
        printf("skip=%u ", sequence->n_skipped);
    print_labels("except", sequence->except);
    print_labels("only", sequence->only);
    printf("%s", sequence->nesting == MODEL_STRICT ? "strict "
                 : sequence->nesting == MODEL_FREE ? "free "
                                                   : "");
    printf("%s:", sequence->is_changing ? "changing " : "");
    for (int i = 0; i < sequence->n_steps; i++)
        print_step(&sequence->steps[i]);
    printf("\n");
}

static unsigned
read_labels(const char *text)
{
    unsigned labels = 0;

    for (; *text >= 'a' && *text < 'a' + SEQUENCE_N_LABELS - 1; text++)
        labels |= 2u << (*text - 'a');
    return labels;
}

static bool
read_way(struct sequence *sequence, const char *word)
{
    if (strcmp(word, "process") == 0)
        sequence->is_process = true;
    else if (strcmp(word, "program") == 0)
        sequence->is_program = true;
    else if (strcmp(word, "changing") == 0)
        sequence->is_changing = true;
    else if (strcmp(word, "strict") == 0)
        sequence->nesting = MODEL_STRICT;
    else if (strcmp(word, "free") == 0)
        sequence->nesting = MODEL_FREE;
    else if (strncmp(word, "skip=", 5) == 0)
        sequence->n_skipped = (unsigned)atoi(word + 5);
    else if (strncmp(word, "except=", 7) == 0)
        sequence->except = read_labels(word + 7);
    else if (strncmp(word, "only=", 5) == 0)
        sequence->only = read_labels(word + 5);
    else
        return strcmp(word, "thread") == 0;
    return true;
}

static int
read_parent(const char *word)
{
    if (word[0] != '@')
        return MODEL_AUTO_PARENT;
    if (strcmp(word, "@none") == 0)
        return MODEL_NO_PARENT;
    return strcmp(word, "@exclusive") == 0 ? MODEL_EXCLUSIVE : atoi(word + 1);
}

static bool
read_step(struct sequence_step *step, const char *word)
{
    char *rest;

    memset(step, 0, sizeof *step);
    if (*word >= '0' && *word <= '9') {
        step->kind = 'p';
        step->amount = (unsigned)atoi(word);
        return true;
    }
    if (*word == 't') {
        step->thread = (unsigned char)strtol(word + 1, &rest, 10);
        word = rest;
    }
    if (*word == 'p') {
        step->is_process = true;
        word++;
    }
    step->kind = *word;
    if (strcmp(word, "fork") == 0 || strcmp(word, "end") == 0 ||
        strcmp(word, "gone") == 0)
        return true;
    step->id = (int)strtol(word + 1, &rest, 10);
    step->parent = MODEL_AUTO_PARENT;
    if (*word != '+' && *word != '~' && *word != '(')
        return strchr("-/*?)!", *word) != NULL;
    if (*rest >= 'a' && *rest < 'a' + SEQUENCE_N_LABELS - 1)
        step->label = (unsigned char)(1 + *rest - 'a');
    else if (*rest != '_')
        return false;
    rest++;
    step->line = *rest == '\'';
    step->parent = read_parent(rest + step->line);
    return true;
}

bool
sequence_read(struct sequence *sequence, const char *words)
{
    char *copy = strdup(words), *at = copy;
    bool are_steps = false, is_good = true;

    memset(sequence, 0, sizeof *sequence);
    for (char *word = strtok_r(at, " ", &at); word != NULL && is_good;
         word = strtok_r(NULL, " ", &at)) {
        if (strcmp(word, ":") == 0)
            are_steps = true;
        else if (!are_steps)
            is_good = read_way(sequence, word);
        else
            is_good = sequence->n_steps < SEQUENCE_MAX_STEPS &&
                      read_step(&sequence->steps[sequence->n_steps++], word);
    }
    free(copy);
    return is_good && are_steps;
}

/* ---- shrinking ------------------------------------------------------- */

static struct sequence tried;

static bool
keep_if(struct sequence *sequence,
        bool (*fails)(const struct sequence *sequence))
{
    if (!fails(&tried))
        return false;
    *sequence = tried;
    return true;
}

/* Try without n steps from there. */
static bool
cut(struct sequence *sequence, int from, int n,
    bool (*fails)(const struct sequence *sequence))
{
    tried = *sequence;
    memmove(&tried.steps[from], &tried.steps[from + n],
            (size_t)(tried.n_steps - from - n) * sizeof tried.steps[0]);
    tried.n_steps -= n;
    return keep_if(sequence, fails);
}

static bool
cut_all(struct sequence *sequence,
        bool (*fails)(const struct sequence *sequence))
{
    bool is_shorter = false;

    for (int n = sequence->n_steps / 2; n > 0; n /= 2) {
        for (int from = sequence->n_steps - n; from >= 0;) {
            if (cut(sequence, from, n, fails)) {
                is_shorter = true;
                from -= n;
            } else {
                from -= n > 8 ? n / 2 : 1;
            }
            if (from > sequence->n_steps - n)
                from = sequence->n_steps - n;
        }
    }
    return is_shorter;
}

static void
simplify(struct sequence *sequence, bool (*fails)(const struct sequence *))
{
    tried = *sequence;
    tried.is_changing = false;
    keep_if(sequence, fails);
    tried = *sequence;
    tried.nesting = MODEL_SCOPES;
    keep_if(sequence, fails);
    tried = *sequence;
    tried.except = tried.only = tried.n_skipped = 0;
    keep_if(sequence, fails);
    for (int i = 0; i < sequence->n_steps; i++) {
        const struct sequence_step *step = &sequence->steps[i];

        tried = *sequence;
        if (step->kind == 'p')
            tried.steps[i].amount = 1;
        if (step->kind == '~')
            tried.steps[i].kind = '+';
        if (step->kind == '/')
            tried.steps[i].kind = '-';
        tried.steps[i].line = tried.steps[i].thread = 0;
        tried.steps[i].parent = MODEL_AUTO_PARENT;
        keep_if(sequence, fails);
    }
}

void
sequence_shrink(struct sequence *sequence,
                bool (*fails)(const struct sequence *sequence))
{
    while (cut_all(sequence, fails))
        ;
    simplify(sequence, fails);
    cut_all(sequence, fails);
}
