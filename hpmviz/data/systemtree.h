/* SPDX-License-Identifier: BSD-3-Clause
 * Where the program ran, as a tree: kinds of machines, nodes, tasks, threads. */
#ifndef HPMVIZ_DATA_SYSTEMTREE_H
#define HPMVIZ_DATA_SYSTEMTREE_H

#include <glib.h>

#include "study/survey/survey.h"

enum hpmviz_systemkind {
    HPMVIZ_SYSTEM_MACHINE,
    HPMVIZ_SYSTEM_NODE,
    HPMVIZ_SYSTEM_TASK,
    HPMVIZ_SYSTEM_THREAD, /* or the whole process */
    HPMVIZ_SYSTEM_N_KINDS
};

struct hpmviz_systemnode {
    enum hpmviz_systemkind kind;
    guint parent;     /* before its children in nodes[]; G_MAXUINT for none */
    const char *name; /* of a machine its processor, of a node its host; NULL
                       * where no file says it; the study's */
    int task, tid;    /* numbers; -1: several; tid also of a whole process */
};

struct hpmviz_systemtree {
    struct hpmviz_systemnode *nodes; /* by kind */
    guint n;
    guint *of_place; /* by place of the study: its thread, or G_MAXUINT */
    guint *of_task;  /* by index of the study */
};

/* The threads and processes that have any record of the scope. */
struct hpmviz_systemtree *hpmviz_systemtree_new(const struct hpm_study *study,
                                                int scope);
void hpmviz_systemtree_free(struct hpmviz_systemtree *tree);

/* The thread, or with tid -1 the task; G_MAXUINT for none. */
guint hpmviz_systemtree_find(const struct hpmviz_systemtree *tree, int task,
                             int tid);

/* Append "task 3", "thread 0", "node7"; names are those of files. */
void hpmviz_systemtree_add_label(const struct hpmviz_systemtree *tree,
                                 guint node, struct hpm_string *text);

#endif
