/* SPDX-License-Identifier: BSD-3-Clause
 * In which order a task's records have their columns.
 *
 * The list agrees with all records read so far.  Where the next record does not
 * agree, because it has b directly after a and the list has b before a, the
 * columns from b to a are divided: b moves behind a, and with b all columns
 * that some record has behind b.
 */
#include "study/columns/columnorder.h"

/* A limit on the links of a column: few different columns stand directly before
 * one, except in a file made to break this. */
enum { MOST_LINKS = 64 };

struct hpm_columnorder_link {
    uint32_t before, next;
};

static void
forget(struct hpm_columnorder *order, uint32_t task)
{
    order->task = task;
    order->generation++;
    order->n_links = 0;
}

static struct hpm_columnorder_column *
known(struct hpm_columnorder *order, uint32_t column)
{
    struct hpm_columnorder_column *here = &order->columns[column];

    if (here->generation != order->generation)
        *here = (struct hpm_columnorder_column){.generation = order->generation,
                                                .last = HPM_NO_INDEX,
                                                .first = HPM_NO_INDEX};
    return here;
}

static bool
has_link(const struct hpm_columnorder *order,
         const struct hpm_columnorder_column *here, uint32_t before)
{
    uint32_t i = here->first;

    while (i != HPM_NO_INDEX && order->links[i].before != before)
        i = order->links[i].next;
    return i != HPM_NO_INDEX;
}

static bool
add_link(struct hpm_columnorder *order, struct hpm_study *study,
         struct hpm_columnorder_column *here, uint32_t before)
{
    if (!hpm_arena_grow(&study->arena, &order->links, &order->links_capacity,
                        order->n_links + 1, sizeof *order->links))
        return false;
    order->links[order->n_links] =
        (struct hpm_columnorder_link){before, here->first};
    here->first = (uint32_t)order->n_links++;
    here->n_links++;
    return true;
}

/* Does some record have the column directly behind one that moves? */
static bool
is_drawn_along(struct hpm_columnorder *order, uint32_t column)
{
    const struct hpm_columnorder_column *here = known(order, column);

    for (uint32_t i = here->first; i != HPM_NO_INDEX;
         i = order->links[i].next) {
        if (known(order, order->links[i].before)->moves)
            return true;
    }
    return false;
}

/* Move columns[0] behind the last of n columns, together with the columns that
 * must stay behind it.  If the last column is one of these, the records
 * disagree and nothing moves. */
static void
divide(struct hpm_columnorder *order, uint32_t *columns, size_t n)
{
    uint32_t *room = order->room;
    size_t n_staying = 0, n_moving = 0;

    known(order, columns[0])->moves = true;
    for (size_t i = 1; i < n; i++)
        known(order, columns[i])->moves = is_drawn_along(order, columns[i]);
    if (!known(order, columns[n - 1])->moves) {
        for (size_t i = 0; i < n; i++) {
            if (known(order, columns[i])->moves)
                room[n_moving++] = columns[i];
            else
                columns[n_staying++] = columns[i];
        }
        memcpy(columns + n_staying, room, n_moving * sizeof *room);
    }
    for (size_t i = 0; i < n; i++)
        known(order, columns[i])->moves = false;
}

/* Put `column` behind `before` in the list, if it is not behind it. */
static bool
agree(struct hpm_columnorder *order, struct hpm_study *study, uint32_t before,
      uint32_t column)
{
    struct hpm_task *task = &study->tasks[order->task];
    size_t from = 0, to;

    while (from < task->n_columns && task->columns[from] != column &&
           task->columns[from] != before)
        from++;
    if (from == task->n_columns || task->columns[from] == before)
        return true;
    for (to = from; to < task->n_columns && task->columns[to] != before; to++)
        ;
    if (to == task->n_columns)
        return true;
    if (!hpm_arena_grow(&study->arena, &order->room, &order->room_capacity,
                        to - from + 1, sizeof *order->room))
        return false;
    divide(order, task->columns + from, to - from + 1);
    return true;
}

bool
hpm_columnorder_learn(struct hpm_columnorder *order, struct hpm_study *study,
                      uint32_t task, uint32_t before, uint32_t column)
{
    struct hpm_columnorder_column *here;

    if (order->generation == 0 || order->task != task)
        forget(order, task);
    if (!hpm_arena_grow(&study->arena, &order->columns,
                        &order->columns_capacity, study->n_columns,
                        sizeof *order->columns))
        return false;
    here = known(order, column);
    if (before == HPM_NO_INDEX || here->last == before)
        return true;
    here->last = before;
    if (has_link(order, here, before) || here->n_links == MOST_LINKS)
        return true;
    return add_link(order, study, here, before) &&
           agree(order, study, before, column);
}
