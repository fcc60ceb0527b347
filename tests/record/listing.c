/* SPDX-License-Identifier: BSD-3-Clause
 * A sequence as a program in C, or C++. */
#include "listing.h"

#include <stdio.h>
#include <string.h>

#include "model.h"

/* The threads of the program do the steps that main gives them. */
static const char *const preamble[] = {
    "#include <pthread.h>",
    "#include <semaphore.h>",
    "#include <stdlib.h>",
    "#include <sys/wait.h>",
    "#include <unistd.h>",
    "#include <sde_lib.h> /* -lsde */",
    "",
    "static long long ticks;",
    "static pthread_t threads[4];",
    "static sem_t go[4], done;",
    "static void (*jobs[4])(void);",
    "static void *work(void *n)",
    "{",
    "    while (sem_wait(&go[(long)n]) == 0 && jobs[(long)n] != NULL) {",
    "        jobs[(long)n]();",
    "        sem_post(&done);",
    "    }",
    "    return NULL;",
    "}",
    "static void by(long n, void (*job)(void)) /* NULL: it ends */",
    "{",
    "    if (threads[n] == 0 && job != NULL)",
    "        pthread_create(&threads[n], NULL, work, (void *)n);",
    "    jobs[n] = job;",
    "    sem_post(&go[n]);",
    "    if (job != NULL)",
    "        sem_wait(&done);",
    "    else",
    "        threads[n] = (pthread_join(threads[n], NULL), 0);",
    "}",
    NULL};

static void
print_labels(const char *name, unsigned labels)
{
    if (labels == 0)
        return;
    printf(" %s=", name);
    for (int i = 1; i < SEQUENCE_N_LABELS; i++) {
        if ((labels & 1u << i) != 0)
            printf("%s,", sequence_labels[i]);
    }
}

static void
print_parent(int parent)
{
    if (parent == MODEL_NO_PARENT)
        printf("HPM_NO_PARENT, ");
    else if (parent == MODEL_EXCLUSIVE)
        printf("HPM_ONLY_EXCLUSIVE, ");
    else
        printf("%d, ", parent);
}

static void
print_start(const struct sequence_step *step)
{
    bool has_parent = step->parent != MODEL_AUTO_PARENT;

    printf("hpm%start%sAt(%d, ", step->is_process ? "S" : "Ts",
           has_parent ? "x" : "", step->id);
    if (has_parent)
        print_parent(step->parent);
    printf("\"%s\", \"a.c\", %d);", sequence_labels[step->label],
           1 + step->line);
}

static void
print_scope(const struct sequence_step *step)
{
    printf("try { hpm::%s_section s(%d, \"%s\", \"a.c\", %d);",
           step->is_process ? "process" : "thread", step->id,
           sequence_labels[step->label], 1 + step->line);
}

static void
print_throw(int n)
{
    printf("throw 1;");
    for (int i = 1; i < n; i++)
        printf(" } catch (int) { throw; }");
    printf(" } catch (int) { }");
}

/* A scope of an object is in main, whichever thread the step belongs to. */
static void
print_call(const struct sequence_step *step, bool has_scopes)
{
    if (step->kind == '(' && has_scopes)
        print_scope(step);
    else if (step->kind == '+' || step->kind == '(')
        print_start(step);
    else if (step->kind == '-')
        printf("hpm%stopAt(%d, \"a.c\", 9);", step->is_process ? "S" : "Ts",
               step->id);
    else if (step->kind == ')')
        printf("%s", has_scopes ? "} catch (int) { }"
                                : "/* the stop of the last ( */");
    else if (step->kind == '!' && has_scopes)
        print_throw(step->id);
    else if (step->kind == '!')
        printf("/* a jump out of %d ( */", step->id);
    else if (step->kind == '*')
        printf("hpmWork(%d, %u, \"cells\");", step->id, step->amount);
}

static void
print_statement(const struct sequence_step *step, int number, bool has_scopes)
{
    printf("#     ");
    if (step->kind == 'p')
        printf("ticks += %u;", step->amount);
    else if (step->kind == 'f')
        printf("if (fork() == 0) { /* by thread %d */", step->thread);
    else if (step->kind == 'e')
        printf("exit(0); } wait(NULL);");
    else if (step->kind == 'g')
        printf("by(%d, NULL);", step->thread);
    else if (step->thread > 0)
        printf("by(%d, step%d);", step->thread, number);
    else
        print_call(step, has_scopes);
    printf("\n");
}

static void
print_functions(const struct sequence *sequence, bool has_scopes)
{
    for (int i = 0; i < sequence->n_steps; i++) {
        const struct sequence_step *step = &sequence->steps[i];

        if (step->thread == 0 || strchr("pfeg", step->kind) != NULL)
            continue;
        printf("# static void step%d(void) { ", i);
        print_call(step, has_scopes);
        printf(" }\n");
    }
}

void
listing_print(const struct sequence *sequence, const char *event,
              bool has_scopes)
{
    printf("# /* HPM_EVENTS=%s HPM_SKIP=%u HPM_NESTING=%s", event,
           sequence->n_skipped,
           sequence->nesting == MODEL_STRICT ? "strict"
           : sequence->nesting == MODEL_FREE ? "free"
                                             : "scopes");
    print_labels("HPM_ONLY", sequence->only);
    print_labels("HPM_EXCEPT", sequence->except);
    printf(" */\n# #include <libhpm.%s>\n", has_scopes ? "hpp" : "h");
    for (int i = 0; preamble[i] != NULL; i++)
        printf("# %s\n", preamble[i]);
    print_functions(sequence, has_scopes);
    printf("# int main(void)\n# {\n"
           "#     papi_sde_register_counter(papi_sde_init(\"Oracle\"), "
           "\"ticks\", PAPI_SDE_DELTA, PAPI_SDE_long_long, &ticks);\n"
           "#     hpmInit(-1, \"program\");\n");
    for (int i = 0; i < sequence->n_steps; i++)
        print_statement(&sequence->steps[i], i, has_scopes);
    printf("# }\n");
}
