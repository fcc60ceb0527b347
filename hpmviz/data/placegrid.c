/* SPDX-License-Identifier: BSD-3-Clause
 * Places in the cells of a plane. */
#include "hpmviz/data/placegrid.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Of tasks with threads of quite different numbers a plane would be empty, and
 * large: it has at most so many cells for each place. */
enum { MOST_CELLS = 64 };

static struct hpmviz_placegrid *
new_grid(const struct hpmviz_distribution *distribution, guint n_columns,
         guint n_rows)
{
    struct hpmviz_placegrid *grid = g_new0(struct hpmviz_placegrid, 1);
    gsize n = (gsize)n_columns * n_rows;

    grid->n_columns = n_columns;
    grid->n_rows = n_rows;
    grid->cells = g_new(guint, n + 1);
    grid->at = g_new(guint, distribution->sheet->n_rows + 1);
    grid->column_names = g_new(int, n_columns + 1);
    grid->row_names = g_new(int, n_rows + 1);
    for (gsize i = 0; i < n; i++)
        grid->cells[i] = HPMVIZ_NONE;
    for (guint i = 0; i < distribution->sheet->n_rows; i++)
        grid->at[i] = HPMVIZ_NONE;
    for (guint i = 0; i < n_columns; i++)
        grid->column_names[i] = -1;
    for (guint i = 0; i < n_rows; i++)
        grid->row_names[i] = -1;
    return grid;
}

void
hpmviz_placegrid_free(struct hpmviz_placegrid *grid)
{
    if (grid == NULL)
        return;
    g_free(grid->cells);
    g_free(grid->at);
    g_free(grid->column_names);
    g_free(grid->row_names);
    g_free(grid->column_title);
    g_free(grid->row_title);
    g_free(grid->words);
    g_free(grid);
}

/* A cell has one place; the second one that claims it stands outside. */
static void
put(struct hpmviz_placegrid *grid, guint row, guint column, guint line)
{
    guint cell = line * grid->n_columns + column;

    if (grid->cells[cell] != HPMVIZ_NONE) {
        grid->n_outside++;
        return;
    }
    grid->cells[cell] = row;
    grid->at[row] = cell;
}

/* ---- tasks and threads ------------------------------------------------ */

/* Which threads and tasks there are: each place has a number of its own. */
struct extent {
    GArray *threads, *tasks; /* int, rising, each once */
};

static int
compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

static void
drop_doubles(GArray *numbers)
{
    guint n = 0;

    g_array_sort(numbers, compare);
    for (guint i = 0; i < numbers->len; i++) {
        if (i == 0 || g_array_index(numbers, int, i) !=
                          g_array_index(numbers, int, n - 1))
            g_array_index(numbers, int, n++) = g_array_index(numbers, int, i);
    }
    g_array_set_size(numbers, n);
}

static struct extent
extent_of(const struct hpmviz_distribution *distribution)
{
    struct extent extent = {g_array_new(FALSE, FALSE, sizeof(int)),
                            g_array_new(FALSE, FALSE, sizeof(int))};

    for (guint i = 0; i < distribution->sheet->n_rows; i++) {
        const struct hpmviz_place *place = &distribution->sheet->places[i];

        if (!hpmviz_distribution_has_row(distribution, i))
            continue;
        g_array_append_val(extent.tasks, place->task);
        g_array_append_val(extent.threads, place->tid);
    }
    drop_doubles(extent.tasks);
    drop_doubles(extent.threads);
    return extent;
}

static void
clear_extent(struct extent *extent)
{
    g_array_unref(extent->threads);
    g_array_unref(extent->tasks);
}

static guint
index_of(const GArray *numbers, int number)
{
    const int *found =
        bsearch(&number, numbers->data, numbers->len, sizeof number, compare);

    return (guint)(found - (const int *)(const void *)numbers->data);
}

/* Side by side in rows of a power of two, nearly a square, in the order of the
 * sheet, which is by task and thread. */
static struct hpmviz_placegrid *
fold_places(const struct hpmviz_distribution *distribution)
{
    struct hpmviz_placegrid *grid;
    guint width = 1, n = distribution->n_places, i_place = 0;

    while ((gsize)width * width < n)
        width *= 2;
    grid = new_grid(distribution, MIN(width, n), (n + width - 1) / width);
    for (guint i = 0; i < grid->n_columns; i++)
        grid->column_names[i] = (int)i;
    for (guint i = 0; i < distribution->sheet->n_rows; i++) {
        if (!hpmviz_distribution_has_row(distribution, i))
            continue;
        if (i_place % width == 0)
            grid->row_names[i_place / width] =
                distribution->sheet->places[i].task;
        put(grid, i, i_place % width, i_place / width);
        i_place++;
    }
    grid->column_title = g_strdup(_("places beyond the first one of the row"));
    grid->row_title = g_strdup(_("first task of the row"));
    grid->is_square = TRUE;
    return grid;
}

static struct hpmviz_placegrid *
spread_threads(const struct hpmviz_distribution *distribution,
               const struct extent *extent)
{
    struct hpmviz_placegrid *grid =
        new_grid(distribution, extent->threads->len, extent->tasks->len);

    for (guint i = 0; i < grid->n_columns; i++)
        grid->column_names[i] = g_array_index(extent->threads, int, i);
    for (guint i = 0; i < grid->n_rows; i++)
        grid->row_names[i] = g_array_index(extent->tasks, int, i);
    for (guint i = 0; i < distribution->sheet->n_rows; i++) {
        const struct hpmviz_place *place = &distribution->sheet->places[i];

        if (hpmviz_distribution_has_row(distribution, i))
            put(grid, i, index_of(extent->threads, place->tid),
                index_of(extent->tasks, place->task));
    }
    grid->column_title = g_strdup(_("thread"));
    grid->row_title = g_strdup(_("task"));
    return grid;
}

struct hpmviz_placegrid *
hpmviz_placegrid_of_threads(const struct hpmviz_distribution *distribution)
{
    struct extent extent = extent_of(distribution);
    gsize n_cells = (gsize)extent.threads->len * extent.tasks->len;
    gboolean is_folded = extent.threads->len <= 1 ||
                         n_cells / MOST_CELLS > distribution->n_places;
    struct hpmviz_placegrid *grid = is_folded
                                        ? fold_places(distribution)
                                        : spread_threads(distribution, &extent);

    clear_extent(&extent);
    return grid;
}

/* ---- the program's grid ------------------------------------------------ */

/* Cells of a task, tasks of a plane, planes. */
struct arrangement {
    guint block_columns, block_rows;
    guint columns, rows; /* tasks of a plane */
    guint plane_columns, plane_rows;
};

/* A file may say any dimensions: products beyond what is drawn are cut off, so that
 * none of them wraps around to a small number. */
enum { TOO_MANY = 2 * HPMVIZ_TOPOLOGY_MOST };

static guint
multiply(guint a, guint b)
{
    return (guint)MIN((guint64)a * b, TOO_MANY);
}

static struct arrangement
arrange(const struct hpmviz_topology *topology, guint n_threads)
{
    struct arrangement all = {1, 1, 1, 1, 1, 1};
    size_t n = topology->n;

    while ((guint64)all.block_columns * all.block_columns < n_threads)
        all.block_columns++;
    all.block_rows = (n_threads + all.block_columns - 1) / all.block_columns;
    all.columns = (guint)topology->dims[n - 1];
    if (n > 1)
        all.rows = (guint)topology->dims[n - 2];
    if (n > 2)
        all.plane_columns = (guint)topology->dims[n - 3];
    for (size_t i = 0; i + 3 < n; i++)
        all.plane_rows = multiply(all.plane_rows, (guint)topology->dims[i]);
    return all;
}

/* Of so many planes with a gap between two of them. */
static guint
count_cells(guint n_planes, guint n_tasks, guint n_block)
{
    return multiply(n_planes, multiply(n_tasks, n_block) + 1) - 1;
}

/* NULL where the arrangement has too many cells. */
static struct hpmviz_placegrid *
new_arranged(const struct hpmviz_distribution *distribution,
             const struct arrangement *all)
{
    guint n_columns =
        count_cells(all->plane_columns, all->columns, all->block_columns);
    guint n_rows = count_cells(all->plane_rows, all->rows, all->block_rows);

    return multiply(n_columns, n_rows) <= HPMVIZ_TOPOLOGY_MOST
               ? new_grid(distribution, n_columns, n_rows)
               : NULL;
}

/* Where a task's block begins. */
static void
find_block(const struct hpmviz_topology *topology,
           const struct arrangement *all, const int *coords, guint *ret_column,
           guint *ret_row)
{
    size_t n = topology->n;
    guint plane_row = 0;

    for (size_t i = 0; i + 3 < n; i++)
        plane_row = plane_row * (guint)topology->dims[i] + (guint)coords[i];
    *ret_column = (guint)coords[n - 1] * all->block_columns;
    *ret_row = n > 1 ? (guint)coords[n - 2] * all->block_rows : 0;
    if (n > 2)
        *ret_column +=
            (guint)coords[n - 3] * (all->columns * all->block_columns + 1);
    *ret_row += plane_row * (all->rows * all->block_rows + 1);
}

static void
mark_gaps(struct hpmviz_placegrid *grid, const struct arrangement *all)
{
    guint width = all->columns * all->block_columns + 1;
    guint height = all->rows * all->block_rows + 1;

    for (guint row = 0; row < grid->n_rows; row++) {
        for (guint column = 0; column < grid->n_columns; column++) {
            if (column % width == width - 1 || row % height == height - 1)
                grid->cells[row * grid->n_columns + column] = HPMVIZ_GAP;
        }
    }
    for (guint i = 0; i < grid->n_columns; i++) {
        if (i % width < width - 1 && i % width % all->block_columns == 0)
            grid->column_names[i] = (int)(i % width / all->block_columns);
    }
    for (guint i = 0; i < grid->n_rows; i++) {
        if (i % height < height - 1 && i % height % all->block_rows == 0)
            grid->row_names[i] = (int)(i % height / all->block_rows);
    }
}

static void
name_dimensions(struct hpmviz_placegrid *grid,
                const struct hpmviz_topology *topology)
{
    size_t n = topology->n;

    if (n > 2)
        grid->column_title = g_strdup_printf(
            _("dimension %zu, planes by dimension %zu"), n - 1, n - 3);
    else
        grid->column_title = g_strdup_printf(_("dimension %zu"), n - 1);
    grid->row_title =
        n > 1 ? g_strdup_printf(_("dimension %zu"), n - 2) : g_strdup("");
    grid->is_square = TRUE;
}

static void
put_tasks(struct hpmviz_placegrid *grid,
          const struct hpmviz_distribution *distribution,
          const struct hpmviz_topology *topology, const struct extent *extent,
          const struct arrangement *all)
{
    const struct hpm_study *study = distribution->sheet->survey->study;

    for (guint i = 0; i < distribution->sheet->n_rows; i++) {
        const struct hpmviz_place *place = &distribution->sheet->places[i];
        int coords[HPM_CARTESIAN_MOST];
        guint column, row, thread;

        if (!hpmviz_distribution_has_row(distribution, i))
            continue;
        if (!hpmviz_topology_place(topology, study,
                                   hpm_study_find_task(study, place->task),
                                   coords)) {
            grid->n_outside++;
            continue;
        }
        find_block(topology, all, coords, &column, &row);
        thread = index_of(extent->threads, place->tid);
        put(grid, i, column + thread % all->block_columns,
            row + thread / all->block_columns);
    }
}

struct hpmviz_placegrid *
hpmviz_placegrid_of_topology(const struct hpmviz_distribution *distribution,
                             const struct hpmviz_topology *topology)
{
    struct extent extent = extent_of(distribution);
    struct arrangement all = arrange(topology, MAX(extent.threads->len, 1));
    struct hpmviz_placegrid *grid = new_arranged(distribution, &all);

    if (grid != NULL) {
        mark_gaps(grid, &all);
        name_dimensions(grid, topology);
        put_tasks(grid, distribution, topology, &extent, &all);
    }
    clear_extent(&extent);
    return grid;
}

/* ---- what is wanted ------------------------------------------------------ */

static char *
describe_topology(const struct hpmviz_topology *topology,
                  const struct hpmviz_placegrid *grid)
{
    g_autofree char *name = hpmviz_topology_name(topology);
    g_autofree char *outside =
        grid->n_outside > 0
            ? g_strdup_printf(_("; %u threads have no place in it"),
                              grid->n_outside)
            : g_strdup("");

    return g_strdup_printf(topology->is_recorded
                               ? _("%s, as the program recorded it%s")
                               : _("%s, tasks by their numbers%s"),
                           name, outside);
}

static char *
refuse_topology(const struct hpmviz_topology *topology)
{
    g_autofree char *name = hpmviz_topology_name(topology);

    return g_strdup_printf(
        _("tasks by threads: the grid %s has more than %d cells, with one for "
          "each thread of a task and the gaps between planes; give a smaller "
          "grid"),
        name, HPMVIZ_TOPOLOGY_MOST);
}

/* Words NULL: nothing else was wanted. */
static struct hpmviz_placegrid *
new_of_threads(const struct hpmviz_distribution *distribution, char *words)
{
    struct hpmviz_placegrid *grid = hpmviz_placegrid_of_threads(distribution);

    grid->words = words != NULL ? words : g_strdup(_("tasks by threads"));
    return grid;
}

struct hpmviz_placegrid *
hpmviz_placegrid_new(const struct hpmviz_distribution *distribution,
                     const char *topology)
{
    const struct hpm_study *study = distribution->sheet->survey->study;
    struct hpmviz_topology told, wanted;
    gboolean is_told = hpmviz_topology_find(study, &told);
    g_autofree char *name = is_told ? hpmviz_topology_name(&told) : NULL;
    char *problem = NULL;
    struct hpmviz_placegrid *grid;

    if (is_told && (topology == NULL || g_strcmp0(topology, name) == 0))
        wanted = told;
    else if (topology == NULL || *topology == '\0' ||
             !hpmviz_topology_read(topology, &wanted, &problem))
        return new_of_threads(distribution, problem);
    grid = hpmviz_placegrid_of_topology(distribution, &wanted);
    if (grid == NULL)
        return new_of_threads(distribution, refuse_topology(&wanted));
    grid->words = describe_topology(&wanted, grid);
    return grid;
}

/* ---- steps -------------------------------------------------------------- */

guint
hpmviz_placegrid_step(const struct hpmviz_placegrid *grid,
                      const struct hpmviz_distribution *distribution, guint row,
                      int right, int down)
{
    guint at = grid->at[row];
    int column, line;

    if (at == HPMVIZ_NONE)
        return HPMVIZ_NONE;
    column = (int)(at % grid->n_columns) + right;
    line = (int)(at / grid->n_columns) + down;
    while (column >= 0 && column < (int)grid->n_columns && line >= 0 &&
           line < (int)grid->n_rows) {
        guint there =
            grid->cells[(guint)line * grid->n_columns + (guint)column];

        if (there < HPMVIZ_GAP && distribution->ranks[there] != HPMVIZ_NONE)
            return there;
        column += right;
        line += down;
    }
    return HPMVIZ_NONE;
}
