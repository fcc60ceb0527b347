/* SPDX-License-Identifier: BSD-3-Clause
 * In which order a task's records have their columns.
 *
 * A study keeps one order per task, a file one per record.  Not all records
 * have all columns, so it takes all of them to know the order: of (calls,
 * loads), (calls, misses) and (misses, loads) it is calls, misses, loads.
 */
#ifndef HPM_STUDY_COLUMNS_COLUMNORDER_H
#define HPM_STUDY_COLUMNS_COLUMNORDER_H

#include "study/columns/study.h"

struct hpm_columnorder_column {
    unsigned generation; /* as order->generation, else nothing is known */
    uint32_t last;       /* the column before it in the last record */
    uint32_t first;      /* first link to a column that stood before it */
    int n_links;
    bool moves;
};

/* What is known about the task whose records are being added.  Start from {0};
 * its memory belongs to the study. */
struct hpm_columnorder {
    uint32_t task;
    unsigned generation; /* number of the task's knowledge; 0: none yet */
    struct hpm_columnorder_column *columns; /* of the study */
    size_t columns_capacity;
    struct hpm_columnorder_link *links;
    size_t n_links, links_capacity;
    uint32_t *room; /* for columns that move */
    size_t room_capacity;
};

/* The slow part of hpm_columnorder_note: the column stands behind another
 * column than in the record before. */
bool hpm_columnorder_learn(struct hpm_columnorder *order,
                           struct hpm_study *study, uint32_t task,
                           uint32_t before, uint32_t column);

/* Note that `column` stands directly behind `before` (HPM_NO_INDEX: is the
 * first) in a record of the task.  Both are in the task's list of columns,
 * which is put into an order that agrees with all its records, if such an order
 * exists.  False when there is no memory. */
static inline bool
hpm_columnorder_note(struct hpm_columnorder *order, struct hpm_study *study,
                     uint32_t task, uint32_t before, uint32_t column)
{
    if (column < order->columns_capacity && order->task == task &&
        order->columns[column].generation == order->generation &&
        order->columns[column].last == before)
        return true;
    return hpm_columnorder_learn(order, study, task, before, column);
}

#endif
