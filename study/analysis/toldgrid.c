/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks as the grid that they say they stand in. */
#include "study/analysis/toldgrid.h"

#include <string.h>

#include "base/mark.h"
#include "host/memory.h"
#include "study/columns/cartesian.h"

/* ---- what the tasks say ------------------------------------------------ */

struct grid {
    struct hpm_cartesian_place *places; /* by task of the study */
    size_t n;
};

bool
hpm_toldgrid_is_told(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (study->tasks[i].dims != NULL)
            return true;
    }
    return false;
}

static bool
are_of_one_grid(const struct hpm_cartesian_place *a,
                const struct hpm_cartesian_place *b)
{
    return a->n == b->n &&
           memcmp(a->dims, b->dims, a->n * sizeof *a->dims) == 0 &&
           memcmp(a->are_periodic, b->are_periodic,
                  a->n * sizeof *a->are_periodic) == 0;
}

/* The last dimension counts fastest; SIZE_MAX where the grid has not n places. */
static size_t
number_of(const struct hpm_cartesian_place *place, size_t n)
{
    size_t number = 0, n_places = 1;

    for (size_t i = 0; i < place->n; i++) {
        if (n_places > n / (size_t)place->dims[i])
            return SIZE_MAX;
        n_places *= (size_t)place->dims[i];
        number = number * (size_t)place->dims[i] + (size_t)place->coords[i];
    }
    return n_places == n ? number : SIZE_MAX;
}

/* Is each place taken by one task? */
static bool
are_all_there(const struct grid *grid, unsigned char *are_taken)
{
    for (size_t i = 0; i < grid->n; i++) {
        size_t number = number_of(&grid->places[i], grid->n);

        if (number == SIZE_MAX || are_taken[number] ||
            !are_of_one_grid(&grid->places[i], &grid->places[0]))
            return false;
        are_taken[number] = 1;
    }
    return true;
}

static bool
read_places(struct grid *grid, const struct hpm_study *study)
{
    for (size_t i = 0; i < grid->n; i++) {
        const struct hpm_task *task = &study->tasks[i];

        if (!hpm_cartesian_read(task->dims, task->periods, task->coords,
                                &grid->places[i], NULL))
            return false;
    }
    return true;
}

static void
clear_grid(struct grid *grid)
{
    hpm_memory_free(grid->places);
}

static bool
init_grid(struct grid *grid, const struct hpm_study *study, bool *failed)
{
    unsigned char *are_taken;
    bool is_good;

    *grid = (struct grid){.n = study->n_tasks};
    if (!hpm_toldgrid_is_told(study))
        return false;
    grid->places = hpm_memory_new(grid->n, sizeof *grid->places);
    are_taken = hpm_memory_new(grid->n, sizeof *are_taken);
    *failed |= grid->places == NULL || are_taken == NULL;
    is_good = grid->places != NULL && are_taken != NULL &&
              read_places(grid, study) && are_all_there(grid, are_taken);
    hpm_memory_free(are_taken);
    if (!is_good)
        clear_grid(grid);
    return is_good;
}

/* ---- borders ----------------------------------------------------------- */

static bool
has_ends(const struct hpm_cartesian_place *place, size_t dimension)
{
    return !place->are_periodic[dimension] && place->dims[dimension] > 2;
}

/* In how many dimensions it is at an end. */
static unsigned
count_ends(const struct hpm_cartesian_place *place)
{
    unsigned n = 0;

    for (size_t i = 0; i < place->n; i++)
        n += has_ends(place, i) &&
             (place->coords[i] == 0 || place->coords[i] + 1 == place->dims[i]);
    return n;
}

static unsigned
count_dimensions(const struct hpm_cartesian_place *place)
{
    unsigned n = 0;

    for (size_t i = 0; i < place->n; i++)
        n += has_ends(place, i);
    return n;
}

/* Those at so many ends, a bit for each number, where `n` dimensions have ends; 0: any
 * number of them that no line before has. */
static const struct part {
    unsigned n, n_ends;
    const char *words;
} parts[] = {
    {1, 1U << 1, N_("ends of the Cartesian grid of %s tasks")},
    {2, 1U << 2, N_("corners of the Cartesian grid of %s tasks")},
    {2, 1U << 1, N_("edges without corners of the Cartesian grid of %s tasks")},
    {3, 1U << 3, N_("corners of the Cartesian grid of %s tasks")},
    {3, 1U << 2, N_("edges without corners of the Cartesian grid of %s tasks")},
    {3, 1U << 1, N_("faces without edges of the Cartesian grid of %s tasks")},
    {0, 1U << 0, N_("interior of the Cartesian grid of %s tasks")},
    {0, ~1U, N_("border of the Cartesian grid of %s tasks")},
};

static bool
are_members(const struct grid *grid, const unsigned char *marks,
            unsigned n_ends)
{
    for (size_t i = 0; i < grid->n; i++) {
        bool is_in = (n_ends >> count_ends(&grid->places[i])) & 1U;

        if (marks[i] != (is_in ? HPM_TOLDGRID_MEMBER : HPM_TOLDGRID_OTHER))
            return false;
    }
    return true;
}

/* "8 x 8" */
static void
add_dims(struct hpm_string *string, const struct grid *grid)
{
    for (size_t i = 0; i < grid->places[0].n; i++)
        hpm_string_add_format(string, i > 0 ? " x %d" : "%d",
                              grid->places[0].dims[i]);
}

bool
hpm_toldgrid_add_border(const struct hpm_study *study,
                        const unsigned char *marks, struct hpm_string *string)
{
    struct grid grid;
    struct hpm_string dims = {0};
    unsigned n_dimensions;
    bool is_name = false;

    if (!init_grid(&grid, study, &string->failed))
        return false;
    n_dimensions = count_dimensions(&grid.places[0]);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && n_dimensions > 0;
         i++) {
        is_name = (parts[i].n == 0 || parts[i].n == n_dimensions) &&
                  are_members(&grid, marks, parts[i].n_ends);
        if (is_name) {
            add_dims(&dims, &grid);
            hpm_string_add_format(string, parts[i].words,
                                  hpm_string_text(&dims));
            break;
        }
    }
    hpm_string_finish(&dims, &string->failed);
    clear_grid(&grid);
    return is_name;
}

/* ---- one coordinate ---------------------------------------------------- */

static bool
are_at(const struct grid *grid, const unsigned char *marks, size_t dimension,
       int coordinate)
{
    for (size_t i = 0; i < grid->n; i++) {
        bool is_in = grid->places[i].coords[dimension] == coordinate;

        if (marks[i] != (is_in ? HPM_TOLDGRID_MEMBER : HPM_TOLDGRID_OTHER))
            return false;
    }
    return true;
}

bool
hpm_toldgrid_add_coordinate(const struct hpm_study *study,
                            const unsigned char *marks,
                            struct hpm_string *string)
{
    const unsigned char *first =
        memchr(marks, HPM_TOLDGRID_MEMBER, study->n_tasks);
    struct hpm_string dims = {0};
    struct grid grid;
    bool is_name = false;

    if (first == NULL || !init_grid(&grid, study, &string->failed))
        return false;
    for (size_t i = 0; i < grid.places[0].n && !is_name; i++) {
        int coordinate = grid.places[first - marks].coords[i];

        is_name = are_at(&grid, marks, i, coordinate);
        if (is_name) {
            add_dims(&dims, &grid);
            hpm_string_add_format(string,
                                  "coordinate %d in dimension %zu of the "
                                  "Cartesian grid of %s tasks",
                                  coordinate, i + 1, hpm_string_text(&dims));
        }
    }
    hpm_string_finish(&dims, &string->failed);
    clear_grid(&grid);
    return is_name;
}
