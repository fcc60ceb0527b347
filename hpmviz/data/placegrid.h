/* SPDX-License-Identifier: BSD-3-Clause
 * Places of a distribution in the cells of a plane: tasks by threads, or tasks where
 * they stand in the grid of the program. */
#ifndef HPMVIZ_DATA_PLACEGRID_H
#define HPMVIZ_DATA_PLACEGRID_H

#include "hpmviz/data/distribution.h"
#include "hpmviz/data/topology.h"

/* In place of a row: the cell is between two planes of a grid. */
#define HPMVIZ_GAP (HPMVIZ_NONE - 1)

/* A task is a block of cells, one for each thread that any task has; several planes
 * of a grid are beside and below each other with a gap between them. */
struct hpmviz_placegrid {
    guint n_columns, n_rows;
    guint *
        cells; /* row by row: a row of the sheet, HPMVIZ_GAP, or HPMVIZ_NONE where
                   * the section has no such place */
    guint *at; /* per row of the sheet: its cell, or HPMVIZ_NONE */
    int *column_names, *row_names; /* numbers at the edges; -1 for none */
    char *column_title, *row_title;
    gboolean is_square; /* as wide as high: both directions are alike */
    guint n_outside;    /* places that have no cell */
    char *words;        /* what the plane shows, or why not what was wanted */
};

/* A row for each task, a column for each thread; where each task has one thread,
 * places are processes, or nearly all cells would be empty, places stand side by side
 * in several rows. */
struct hpmviz_placegrid *
hpmviz_placegrid_of_threads(const struct hpmviz_distribution *distribution);

/* The last dimension to the right, the one before down; planes of the others beside
 * and below each other.  NULL where there would be more than HPMVIZ_TOPOLOGY_MOST
 * cells. */
struct hpmviz_placegrid *
hpmviz_placegrid_of_topology(const struct hpmviz_distribution *distribution,
                             const struct hpmviz_topology *topology);

/* The one that is wanted: a topology as text, "" for tasks by threads, NULL for what
 * the files say.  Tasks by threads, too, where the topology cannot be drawn. */
struct hpmviz_placegrid *
hpmviz_placegrid_new(const struct hpmviz_distribution *distribution,
                     const char *topology);

void hpmviz_placegrid_free(struct hpmviz_placegrid *grid);

/* From the cell of a row of the sheet so many cells to the right and down to the next
 * cell with a row that has a value; HPMVIZ_NONE where there is none. */
guint hpmviz_placegrid_step(const struct hpmviz_placegrid *grid,
                            const struct hpmviz_distribution *distribution,
                            guint row, int right, int down);

#endif
