/* SPDX-License-Identifier: BSD-3-Clause
 * The tree along which the tasks of a job hand over what they have: task 0
 * ends with all of it after as many steps as n has binary digits.
 *
 *     0 ------------------- 4         A task takes from its children, the
 *     |---------- 2         |-- 5     nearest one first: so it always has a
 *     |-- 1       |-- 3               row of tasks without a hole, in order.
 *
 * The parent of a task has its number without the lowest binary digit 1. */
#ifndef HPM_BASE_JOBTREE_H
#define HPM_BASE_JOBTREE_H

/* The parent of a task other than 0. */
static inline int
hpm_jobtree_parent(int task)
{
    return task & (task - 1);
}

/* How many children a task has among n tasks. */
static inline int
hpm_jobtree_n_children(int task, int n)
{
    int i = 0;

    while (i < 31 && (task & 1 << i) == 0 && 1 << i < n - task)
        i++;
    return i;
}

/* Child i, from 0 on. */
static inline int
hpm_jobtree_child(int task, int i)
{
    return task + (1 << i);
}

#endif
