/* SPDX-License-Identifier: BSD-3-Clause
 * Where in Fortran a directive leaves no room for a call. */
#include "hpmviz/instrument/fregions.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "hpmviz/instrument/edits.h"
#include "hpmviz/instrument/fdirectives.h"

struct work {
    const struct hpmviz_fblocks *blocks;
    guint first;     /* statement */
    guint line;      /* the first, which may be above that statement */
    guint unit_line; /* of its unit; 0 for a main program without one */
    GError **error;
};

static const struct hpmviz_fdirective *
nth(const struct work *work, guint i)
{
    return &g_array_index(work->blocks->code->directives,
                          struct hpmviz_fdirective, i);
}

static guint
line_of(const struct work *work, guint statement)
{
    return hpmviz_fcode_nth(work->blocks->code, statement)->first;
}

/* The statement below a directive; the number of statements for none. */
static guint
statement_below(const struct work *work,
                const struct hpmviz_fdirective *directive)
{
    guint i = 0;

    while (i < work->blocks->nodes->len && line_of(work, i) <= directive->last)
        i++;
    return i;
}

/* ---- which directives ------------------------------------------------ */

/* Is what belongs to it run by a device?  Data alone is not. */
static gboolean
is_for_device(const struct hpmviz_fdirective *directive)
{
    if (directive->of == HPMVIZ_F_OPENMP)
        return hpmviz_fdirective_has_word(directive, "target") &&
               !g_str_has_prefix(directive->words, "target data");
    return directive->of == HPMVIZ_F_OPENACC &&
           (hpmviz_fdirective_has_word(directive, "parallel") ||
            hpmviz_fdirective_has_word(directive, "kernels") ||
            hpmviz_fdirective_has_word(directive, "serial"));
}

/* Is it about all of the procedure it stands in? */
static gboolean
is_for_procedure(const struct hpmviz_fdirective *directive)
{
    const char *const name =
        directive->of == HPMVIZ_F_OPENACC ? "routine" : "declare target";

    return (directive->of == HPMVIZ_F_OPENACC ||
            directive->of == HPMVIZ_F_OPENMP) &&
           g_str_has_prefix(directive->words, name) &&
           strncmp(directive->words + strlen(name), "(", 1) != 0 &&
           strncmp(directive->words + strlen(name), " (", 2) != 0;
}

/* ---- reasons --------------------------------------------------------- */

static gboolean
refuse_device(const struct work *work,
              const struct hpmviz_fdirective *directive)
{
    g_autofree char *text = hpmviz_fdirective_text(directive);

    return hpmviz_edits_refuse(
        work->error,
        _("line %u is run by a device ('%s' in line %u), where nothing can be "
          "measured: select all of that, or what calls it"),
        work->line, text, directive->line);
}

static gboolean
refuse_workshare(const struct work *work,
                 const struct hpmviz_fdirective *directive)
{
    g_autofree char *text = hpmviz_fdirective_text(directive);

    return hpmviz_edits_refuse(work->error,
                               _("no call can stand inside of '%s' in line "
                                 "%u: select all of it"),
                               text, directive->line);
}

static gboolean
refuse_nest(const struct work *work, const struct hpmviz_fdirective *directive)
{
    g_autofree char *text = hpmviz_fdirective_text(directive);

    return hpmviz_edits_refuse(work->error,
                               _("'%s' in line %u makes several loops one: "
                                 "select all of them, or lines inside of the "
                                 "innermost"),
                               text, directive->line);
}

/* ---- regions --------------------------------------------------------- */

/* Of those that are open at the lines one that has no room for a call. */
static gboolean
check_regions(const struct work *work)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new();

    for (guint i = 0; i < work->blocks->code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(work, i);

        if (at->line < work->unit_line || at->line >= work->line ||
            !hpmviz_fdirective_is_of_region(at))
            continue;
        if (!hpmviz_fdirective_is_end(at))
            g_ptr_array_add(open, (gpointer)at);
        else if (open->len > 0)
            g_ptr_array_set_size(open, (int)open->len - 1);
    }
    for (guint i = 0; i < open->len; i++) {
        const struct hpmviz_fdirective *at = open->pdata[i];

        if (is_for_device(at))
            return refuse_device(work, at);
        if (hpmviz_fdirective_has_word(at, "workshare"))
            return refuse_workshare(work, at);
    }
    return TRUE;
}

/* ---- loops ----------------------------------------------------------- */

/* How many loops it is about. */
static guint
count_loops(const struct hpmviz_fdirective *directive)
{
    static const char *const clauses[] = {"collapse", "ordered", "sizes"};
    guint n = 1;

    for (gsize i = 0; i < G_N_ELEMENTS(clauses); i++) {
        const char *clause = strstr(directive->words, clauses[i]);
        const char *open = clause != NULL ? clause + strlen(clauses[i]) : "";

        open += strspn(open, " ");
        if (*open != '(')
            continue;
        if (strcmp(clauses[i], "sizes") != 0)
            n = MAX(n, (guint)strtoul(open + 1, NULL, 10));
        else
            for (n = 1; *open != '\0' && *open != ')'; open++)
                n += *open == ',';
    }
    return n;
}

static gboolean
is_inside(const struct work *work, guint loop)
{
    const struct hpmviz_fnode *node = hpmviz_fblocks_nth(work->blocks, loop);

    return node->kind == HPMVIZ_F_DO && work->first > loop &&
           work->first <= node->end;
}

/* The loop right inside of another one, or that itself. */
static guint
inner_loop(const struct work *work, guint loop)
{
    for (guint i = loop + 1; i < work->blocks->nodes->len; i++) {
        const struct hpmviz_fnode *node = hpmviz_fblocks_nth(work->blocks, i);

        if (node->kind == HPMVIZ_F_DO && node->around == loop)
            return i;
    }
    return loop;
}

static gboolean
check_loops(const struct work *work, const struct hpmviz_fdirective *directive)
{
    guint loop = statement_below(work, directive);
    guint n = count_loops(directive);

    if (loop == work->blocks->nodes->len || !is_inside(work, loop))
        return TRUE;
    if (is_for_device(directive))
        return refuse_device(work, directive);
    for (guint i = 1; i < n; i++) {
        loop = inner_loop(work, loop);
        if (!is_inside(work, loop))
            return refuse_nest(work, directive);
    }
    return TRUE;
}

/* ---- all of it ------------------------------------------------------- */

static gboolean
check_procedure(const struct work *work,
                const struct hpmviz_fdirective *directive, guint unit)
{
    guint below = statement_below(work, directive);

    return !is_for_procedure(directive) || below == work->blocks->nodes->len ||
           hpmviz_fblocks_unit(work->blocks, below) != unit ||
           refuse_device(work, directive);
}

gboolean
hpmviz_fregions_check(const struct hpmviz_fblocks *blocks, guint line,
                      guint first, GError **error)
{
    guint unit = hpmviz_fblocks_unit(blocks, first);
    struct work work = {
        .blocks = blocks, .line = line, .first = first, .error = error};

    work.unit_line = unit != HPMVIZ_NO_STATEMENT ? line_of(&work, unit) : 0;
    for (guint i = 0; i < blocks->code->directives->len; i++) {
        const struct hpmviz_fdirective *at = nth(&work, i);

        if (at->line < work.unit_line || at->line >= work.line)
            continue;
        if (!check_procedure(&work, at, unit) ||
            (hpmviz_fdirective_is_of_statement(at) &&
             !hpmviz_fdirective_is_end(at) && !check_loops(&work, at)))
            return FALSE;
    }
    return check_regions(&work);
}
