/* SPDX-License-Identifier: BSD-3-Clause
 * Dendrograms, drawn. */
#include "study/analysis/drawing.h"

#include <string.h>

#include "host/memory.h"

/* ---- the top of the tree
 * ------------------------------------------------------ */

/* Its leaves are clusters (as struct hpm_tree_merge names them) in order; each
 * cluster drawn is at a place across the tree. */
struct top {
    const struct hpm_drawing *drawing;
    const struct hpm_tree *tree;
    size_t n_leaves, first; /* merges from `first` on are drawn */
    long *leaves;
    double *places; /* per merge drawn, less `first` */
    double most;    /* height */
};

static bool
is_leaf(const struct top *top, long cluster)
{
    return cluster < 0 || (size_t)(cluster - 1) < top->first;
}

/* From left to right. */
static bool
list_leaves(struct top *top)
{
    long *stack = hpm_memory_new(top->n_leaves + 2, sizeof *stack);
    size_t n_stack = 0, n = 0;

    if (stack == NULL)
        return false;
    stack[n_stack++] =
        top->tree->n_points > 1 ? (long)top->tree->n_points - 1 : -1;
    while (n_stack > 0) {
        long cluster = stack[--n_stack];

        if (is_leaf(top, cluster)) {
            top->leaves[n++] = cluster;
            continue;
        }
        stack[n_stack++] = top->tree->merges[cluster - 1].b;
        stack[n_stack++] = top->tree->merges[cluster - 1].a;
    }
    hpm_memory_free(stack);
    return true;
}

static double
place_of(const struct top *top, long cluster)
{
    if (!is_leaf(top, cluster))
        return top->places[(size_t)(cluster - 1) - top->first];
    for (size_t i = 0; i < top->n_leaves; i++) {
        if (top->leaves[i] == cluster)
            return (double)i;
    }
    return 0.0;
}

static double
height_of(const struct top *top, long cluster)
{
    return cluster < 0 ? 0.0 : top->tree->merges[cluster - 1].height;
}

static void
clear_top(struct top *top)
{
    hpm_memory_free(top->leaves);
    hpm_memory_free(top->places);
}

static bool
init_top(struct top *top, const struct hpm_drawing *drawing)
{
    size_t n = drawing->tree->n_points;

    *top =
        (struct top){.drawing = drawing,
                     .tree = drawing->tree,
                     .n_leaves = drawing->n_leaves < n ? drawing->n_leaves : n};
    top->first = n - top->n_leaves;
    top->leaves = hpm_memory_new(top->n_leaves + 1, sizeof *top->leaves);
    top->places = hpm_memory_new(top->n_leaves + 1, sizeof *top->places);
    if (top->leaves == NULL || top->places == NULL || !list_leaves(top)) {
        clear_top(top);
        return false;
    }
    for (size_t i = top->first; i + 1 < n; i++)
        top->places[i - top->first] = (place_of(top, top->tree->merges[i].a) +
                                       place_of(top, top->tree->merges[i].b)) /
                                      2.0;
    top->most = n > 1 ? top->tree->merges[n - 2].height : 0.0;
    top->most = top->most > 0.0 ? top->most : 1.0;
    return true;
}

/* Of several points the number of them and the first. */
static void
add_leaf_name(const struct hpm_drawing *drawing, long leaf,
              struct hpm_string *string)
{
    const struct hpm_tree_merge *merges = drawing->tree->merges;
    size_t n = 1;

    if (leaf > 0)
        n = merges[leaf - 1].size;
    else if (drawing->weights != NULL)
        n = drawing->weights[-1 - leaf];
    if (n > 1)
        hpm_string_add_format(string, "%zu with ", n);
    while (leaf > 0)
        leaf = merges[leaf - 1].a;
    drawing->name(drawing->owner, (size_t)(-1 - leaf), string);
}

/* ---- lines of text
 * -------------------------------------------------------------- */

struct grid {
    char *cells;
    size_t n_columns, n_rows;
    double most;
};

static size_t
column_of(const struct grid *grid, double height)
{
    return (size_t)(height / grid->most * (double)(grid->n_columns - 1) + 0.5);
}

static void
draw_branch(struct grid *grid, const struct top *top, long cluster, size_t to)
{
    size_t row = (size_t)place_of(top, cluster);

    for (size_t i = column_of(grid, height_of(top, cluster)); i <= to; i++) {
        char *cell = &grid->cells[row * grid->n_columns + i];

        *cell = *cell == ' ' ? '-' : '+';
    }
}

static void
draw_merges(struct grid *grid, const struct top *top)
{
    for (size_t i = top->first; i + 1 < top->tree->n_points; i++) {
        const struct hpm_tree_merge *merge = &top->tree->merges[i];
        size_t column = column_of(grid, merge->height);
        size_t from = (size_t)place_of(top, merge->a);
        size_t to = (size_t)place_of(top, merge->b);

        draw_branch(grid, top, merge->a, column);
        draw_branch(grid, top, merge->b, column);
        for (size_t row = from + 1; row < to; row++)
            grid->cells[row * grid->n_columns + column] = '|';
        grid->cells[from * grid->n_columns + column] = '+';
        grid->cells[to * grid->n_columns + column] = '+';
    }
}

static void
add_grid(struct hpm_string *string, const struct grid *grid,
         const struct hpm_string *names, size_t width)
{
    for (size_t i = 0; i < grid->n_rows; i++) {
        hpm_string_add(string, hpm_string_text(&names[i]));
        hpm_string_add_blanks(string, names[i].length, width);
        hpm_string_add_bytes(string, grid->cells + i * grid->n_columns,
                             grid->n_columns);
        hpm_string_trim(string);
        hpm_string_add_char(string, '\n');
    }
    hpm_string_add_blanks(string, 0, width);
    hpm_string_add_char(string, '0');
    hpm_string_add_blanks(string, 1, grid->n_columns - 8);
    hpm_string_add_fixed(string, grid->most, 2);
    hpm_string_add_char(string, '\n');
}

static void
draw_text(struct hpm_string *string, const struct top *top, size_t width)
{
    enum { LEAST = 24 };
    struct hpm_string *names = hpm_memory_new(top->n_leaves, sizeof *names);
    struct grid grid = {.n_rows = top->n_leaves, .most = top->most};
    size_t longest = 0;

    for (size_t i = 0; i < top->n_leaves && names != NULL; i++) {
        hpm_string_add(&names[i], "  ");
        add_leaf_name(top->drawing, top->leaves[i], &names[i]);
        hpm_string_add_char(&names[i], ' ');
        longest = names[i].length > longest ? names[i].length : longest;
    }
    grid.n_columns = width > longest + LEAST ? width - longest : LEAST;
    grid.cells = hpm_memory_take(grid.n_rows * grid.n_columns);
    if (names != NULL && grid.cells != NULL) {
        memset(grid.cells, ' ', grid.n_rows * grid.n_columns);
        draw_merges(&grid, top);
        add_grid(string, &grid, names, longest);
    } else {
        string->failed = true;
    }
    for (size_t i = 0; i < top->n_leaves && names != NULL; i++)
        hpm_string_free(&names[i]);
    hpm_memory_free(names);
    hpm_memory_free(grid.cells);
}

void
hpm_drawing_add_text(struct hpm_string *string,
                     const struct hpm_drawing *drawing, size_t width)
{
    struct top top;

    if (!init_top(&top, drawing)) {
        string->failed = true;
        return;
    }
    hpm_string_add_format(string, "%s\n", drawing->title);
    draw_text(string, &top, width > 0 ? width : 80);
    clear_top(&top);
}

/* ---- a picture
 * --------------------------------------------------------------------- */

enum { STEP = 14, LEFT = 60, UPPER = 10, TREE = 400, NAMES = 180 };

static double
x_of(double place)
{
    return LEFT + STEP * (place + 1.0);
}

static double
y_of(const struct top *top, double height)
{
    return UPPER + TREE * (1.0 - height / top->most);
}

static void
draw_joins(struct hpm_picture *picture, const struct top *top)
{
    for (size_t i = top->first; i + 1 < top->tree->n_points; i++) {
        const struct hpm_tree_merge *merge = &top->tree->merges[i];
        double a = x_of(place_of(top, merge->a));
        double b = x_of(place_of(top, merge->b));
        double y = y_of(top, merge->height);
        const struct hpm_picture_shape shape = {
            .kind = HPM_SHAPE_LINE,
            .ink = HPM_INK_MARK,
            .at = {{a, y_of(top, height_of(top, merge->a))},
                   {a, y},
                   {b, y},
                   {b, y_of(top, height_of(top, merge->b))}},
            .n_at = 4};

        hpm_picture_add(picture, &shape, NULL);
    }
}

static void
draw_names(struct hpm_picture *picture, const struct top *top)
{
    for (size_t i = 0; i < top->n_leaves; i++) {
        const struct hpm_picture_shape shape = {
            .kind = HPM_SHAPE_WORDS,
            .ink = HPM_INK_MARK,
            .at = {{x_of((double)i) + 4.0, UPPER + TREE + 8.0}},
            .n_at = 1,
            .anchor = HPM_ANCHOR_END,
            .is_upright = true};
        struct hpm_string name = {0};

        add_leaf_name(top->drawing, top->leaves[i], &name);
        hpm_picture_add(picture, &shape, hpm_string_text(&name));
        hpm_string_finish(&name, &picture->failed);
    }
}

/* Five heights with their lines. */
static void
draw_scale(struct hpm_picture *picture, const struct top *top, double right)
{
    for (int i = 0; i <= 4; i++) {
        double height = top->most * i / 4.0, y = y_of(top, height);
        struct hpm_string words = {0};

        hpm_picture_add_line(picture, HPM_INK_SCALE, LEFT, y, right, y);
        hpm_string_add_fixed(&words, height, 2);
        hpm_picture_add_words(picture, LEFT - 6, y + 4.0, HPM_ANCHOR_END,
                              hpm_string_text(&words));
        hpm_string_finish(&words, &picture->failed);
    }
}

void
hpm_drawing_draw(struct hpm_picture *picture, const struct hpm_drawing *drawing)
{
    struct top top;
    size_t width;

    if (!init_top(&top, drawing)) {
        picture->failed = true;
        return;
    }
    width = LEFT + STEP * (top.n_leaves + 2);
    picture->width = width > 480 ? (double)width : 480.0;
    picture->height = UPPER + TREE + NAMES;
    hpm_string_add(&picture->title, drawing->title);
    draw_scale(picture, &top, (double)width - STEP);
    draw_joins(picture, &top);
    draw_names(picture, &top);
    clear_top(&top);
}

/* ---- Newick
 * -------------------------------------------------------------------------- */

/* What is left to be written: a cluster below a height, or what follows it. */
struct pending {
    long cluster;
    double above; /* the height at which it is joined; below 0: of the root */
    enum { WHOLE, COMMA, END } what;
};

static void
add_newick_name(struct hpm_string *string, const struct hpm_drawing *drawing,
                long point)
{
    struct hpm_string name = {0};

    add_leaf_name(drawing, point, &name);
    hpm_string_add_char(string, '\'');
    for (const char *c = hpm_string_text(&name); *c != '\0'; c++) {
        hpm_string_add_char(string, *c);
        if (*c == '\'')
            hpm_string_add_char(string, '\'');
    }
    hpm_string_add_char(string, '\'');
    hpm_string_finish(&name, &string->failed);
}

static void
add_length(struct hpm_string *string, double above, double height)
{
    if (above < 0.0)
        return;
    hpm_string_add_char(string, ':');
    hpm_string_add_real(string, above - height);
}

/* Write one thing; puts what comes after it on the stack, the last first. */
static void
add_pending(struct hpm_string *string, const struct hpm_drawing *drawing,
            struct pending here, struct pending *stack, size_t *n)
{
    const struct hpm_tree_merge *merge;

    if (here.what == COMMA) {
        hpm_string_add_char(string, ',');
        return;
    }
    if (here.what == WHOLE && here.cluster < 0) {
        add_newick_name(string, drawing, here.cluster);
        add_length(string, here.above, 0.0);
        return;
    }
    merge = &drawing->tree->merges[here.cluster - 1];
    if (here.what == END) {
        hpm_string_add_char(string, ')');
        add_length(string, here.above, merge->height);
        return;
    }
    hpm_string_add_char(string, '(');
    stack[(*n)++] = (struct pending){here.cluster, here.above, END};
    stack[(*n)++] = (struct pending){merge->b, merge->height, WHOLE};
    stack[(*n)++] = (struct pending){0, 0.0, COMMA};
    stack[(*n)++] = (struct pending){merge->a, merge->height, WHOLE};
}

void
hpm_drawing_add_newick(struct hpm_string *string,
                       const struct hpm_drawing *drawing)
{
    size_t n_points = drawing->tree->n_points, n = 0;
    struct pending *stack = hpm_memory_new(4 * n_points + 4, sizeof *stack);

    if (stack == NULL) {
        string->failed = true;
        return;
    }
    stack[n++] =
        (struct pending){n_points > 1 ? (long)n_points - 1 : -1, -1.0, WHOLE};
    while (n > 0) {
        n--;
        add_pending(string, drawing, stack[n], stack, &n);
    }
    hpm_string_add(string, ";\n");
    hpm_memory_free(stack);
}
