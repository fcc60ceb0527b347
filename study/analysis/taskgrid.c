/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks as a grid. */
#include "study/analysis/taskgrid.h"

#include "base/mark.h"

enum { N_SIDES = 3, LEAST_SIDE = 3, LEAST_MEMBERS = 4 };

/* Sides of a grid; the last one counts fastest.  A plane has one plate. */
struct grid {
    size_t sides[N_SIDES]; /* plates, rows, columns */
};

/* ---- where a task is -------------------------------------------------- */

/* A bit for each direction in which nothing comes behind it. */
static unsigned
borders_of(const struct grid *grid, size_t task)
{
    unsigned borders = 0;

    for (size_t i = N_SIDES; i-- > 0;) {
        size_t place = task % grid->sides[i];

        if (grid->sides[i] > 1 && (place == 0 || place + 1 == grid->sides[i]))
            borders |= 1U << i;
        task /= grid->sides[i];
    }
    return borders;
}

static unsigned
count_bits(unsigned bits)
{
    unsigned n = 0;

    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

/* ---- what members may be ----------------------------------------------- */

/* Those with so many borders, a bit for each number; in a plane, of so many. */
struct part {
    unsigned n_borders;
    const char *of_plane, *of_space;
};

static const struct part parts[] = {
    {1U << 0, N_("interior of %zu x %zu tasks"),
     N_("interior of %zu x %zu x %zu tasks")},
    {1U << 1, N_("edges without corners of %zu x %zu tasks"),
     N_("faces without edges of %zu x %zu x %zu tasks")},
    {1U << 2, N_("corners of %zu x %zu tasks"),
     N_("edges without corners of %zu x %zu x %zu tasks")},
    {1U << 3, NULL, N_("corners of %zu x %zu x %zu tasks")},
    {1U << 1 | 1U << 2, N_("border of %zu x %zu tasks"), NULL},
    {1U << 1 | 1U << 2 | 1U << 3, NULL, N_("border of %zu x %zu x %zu tasks")},
};

static bool
is_that(const bool *are_members, size_t n, const struct grid *grid,
        unsigned n_borders)
{
    for (size_t i = 0; i < n; i++) {
        bool is_in = (n_borders >> count_bits(borders_of(grid, i))) & 1U;

        if (is_in != are_members[i])
            return false;
    }
    return true;
}

static bool
add_part(const bool *are_members, size_t n, const struct grid *grid,
         struct hpm_string *string)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *format =
            grid->sides[0] > 1 ? parts[i].of_space : parts[i].of_plane;
        const size_t *sides = grid->sides;

        if (format == NULL ||
            !is_that(are_members, n, grid, parts[i].n_borders))
            continue;
        if (sides[0] > 1)
            hpm_string_add_format(string, format, sides[0], sides[1], sides[2]);
        else
            hpm_string_add_format(string, format, sides[1], sides[2]);
        return true;
    }
    return false;
}

/* ---- all grids ---------------------------------------------------------- */

static bool
may_be_side(size_t n, size_t side)
{
    return side >= LEAST_SIDE && n % side == 0 && n / side >= LEAST_SIDE;
}

static bool
add_of_rest(const bool *are_members, size_t n, size_t n_plates,
            struct hpm_string *string)
{
    size_t n_rest = n / n_plates;

    for (size_t n_rows = LEAST_SIDE; n_rows < n_rest; n_rows++) {
        const struct grid grid = {{n_plates, n_rows, n_rest / n_rows}};

        if (may_be_side(n_rest, n_rows) &&
            add_part(are_members, n, &grid, string))
            return true;
    }
    return false;
}

bool
hpm_taskgrid_add(const bool *are_members, size_t n, struct hpm_string *string)
{
    size_t n_members = 0;

    for (size_t i = 0; i < n; i++)
        n_members += are_members[i];
    if (n_members < LEAST_MEMBERS || n_members == n)
        return false;
    if (add_of_rest(are_members, n, 1, string))
        return true;
    for (size_t n_plates = LEAST_SIDE; n_plates < n; n_plates++) {
        if (may_be_side(n, n_plates) &&
            add_of_rest(are_members, n, n_plates, string))
            return true;
    }
    return false;
}
