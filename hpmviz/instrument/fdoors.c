/* SPDX-License-Identifier: BSD-3-Clause
 * By which interface a source of Fortran calls libhpm. */
#include "hpmviz/instrument/fdoors.h"

#include <string.h>

#include "hpmviz/instrument/edits.h"

/* ---- which one ------------------------------------------------------- */

static gboolean
has_header(const struct hpmviz_fblocks *blocks)
{
    const GArray *directives = blocks->code->directives;

    for (guint i = 0; i < directives->len; i++) {
        const struct hpmviz_fdirective *at =
            &g_array_index(directives, struct hpmviz_fdirective, i);

        if (at->of == HPMVIZ_F_PREPROCESSOR &&
            g_str_has_prefix(at->words, "include") &&
            strstr(at->words, "f_hpm") != NULL)
            return TRUE;
    }
    return FALSE;
}

/* Has a statement of the source this in it? */
static gboolean
has_words(const struct hpmviz_fblocks *blocks, const char *words)
{
    for (guint i = 0; i < blocks->nodes->len; i++) {
        if (strstr(hpmviz_fblocks_words(blocks, i), words) != NULL)
            return TRUE;
    }
    return FALSE;
}

/* What "use hpm" is followed by; NULL for another statement. */
static const char *
behind_use(const char *words)
{
    const char *name = strstr(words, "::");
    const char *rest;

    if (!g_str_has_prefix(words, "use"))
        return NULL;
    name = name != NULL ? name + strlen("::") : words + strlen("use");
    rest = name + strlen("hpm");
    return g_str_has_prefix(name, "hpm") && (*rest == '\0' || *rest == ',')
               ? rest
               : NULL;
}

static gboolean
has_module(const struct hpmviz_fblocks *blocks)
{
    for (guint i = 0; i < blocks->nodes->len; i++) {
        if (behind_use(hpmviz_fblocks_words(blocks, i)) != NULL)
            return TRUE;
    }
    return FALSE;
}

enum hpmviz_fdoor
hpmviz_fdoors_of(const struct hpmviz_fblocks *blocks, gboolean is_preprocessed)
{
    if (has_header(blocks) || has_words(blocks, "callf_hpm"))
        return HPMVIZ_DOOR_HEADER;
    return blocks->code->is_fixed && is_preprocessed && !has_module(blocks)
               ? HPMVIZ_DOOR_HEADER
               : HPMVIZ_DOOR_MODULE;
}

/* ---- adding ---------------------------------------------------------- */

/* Is the name among those behind "only:", or are all of them used? */
static gboolean
is_used(const char *rest, const char *name)
{
    g_autofree char *small = g_ascii_strdown(name, -1);
    const char *found = strstr(rest, small);
    char after = found != NULL ? found[strlen(small)] : '\0';

    return strstr(rest, "only:") == NULL ||
           (found != NULL && (after == ',' || after == '\0'));
}

/* Is the line in a branch of the preprocessor, which may be off? */
static gboolean
is_conditional(const struct hpmviz_fcode *code, guint line)
{
    int depth = 0;

    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at =
            &g_array_index(code->directives, struct hpmviz_fdirective, i);

        if (at->of != HPMVIZ_F_PREPROCESSOR || at->line > line)
            continue;
        depth += g_str_has_prefix(at->words, "if");
        depth -= g_str_has_prefix(at->words, "endif");
    }
    return depth > 0;
}

/* Is the statement compiled whenever its unit is?  A unit that is in a branch
 * itself is taken to be in the same one. */
static gboolean
is_for_all(const struct hpmviz_fblocks *blocks, guint i, guint unit)
{
    const struct hpmviz_fcode *code = blocks->code;

    return !is_conditional(code, hpmviz_fcode_nth(code, i)->first) ||
           (unit != HPMVIZ_NO_STATEMENT &&
            is_conditional(code, hpmviz_fcode_nth(code, unit)->first));
}

static gboolean
has_names(const struct hpmviz_fblocks *blocks, guint unit, const char *start,
          const char *stop)
{
    for (guint i = 0; i < blocks->nodes->len; i++) {
        const char *rest = behind_use(hpmviz_fblocks_words(blocks, i));

        if (rest != NULL && hpmviz_fblocks_nth(blocks, i)->around == unit &&
            is_used(rest, start) && is_used(rest, stop) &&
            is_for_all(blocks, i, unit))
            return TRUE;
    }
    return FALSE;
}

/* A line of its own behind or before a statement, indented as another one. */
static void
add_line(GArray *edits, const struct hpmviz_fcode *code, guint before,
         guint like, const char *words)
{
    const struct hpmviz_textlines *lines = &code->lines;
    g_autofree char *indent = hpmviz_textlines_indent(lines, like);
    const char *six =
        code->is_fixed && strlen(indent) < 6 && strchr(indent, '\t') == NULL
            ? "      "
            : indent;

    hpmviz_edits_add(
        edits, hpmviz_textlines_start(lines, before), 0,
        g_strconcat(six, words, hpmviz_textlines_ending(lines, like), NULL));
}

/* The statement that `use hpm` stands behind: the last "use" of the unit, or
 * its first statement. */
static guint
find_use(const struct hpmviz_fblocks *blocks, guint unit)
{
    guint found = unit;

    for (guint i = 0; i < blocks->nodes->len; i++) {
        if (hpmviz_fblocks_nth(blocks, i)->around == unit &&
            hpmviz_fblocks_nth(blocks, i)->kind == HPMVIZ_F_DECLARATION &&
            g_str_has_prefix(hpmviz_fblocks_words(blocks, i), "use") &&
            is_for_all(blocks, i, unit))
            found = i;
    }
    return found;
}

/* A main program without a statement of its own begins with its first one. */
static guint
first_of_main(const struct hpmviz_fblocks *blocks)
{
    guint i = 0;

    while (i < blocks->nodes->len &&
           (hpmviz_fblocks_nth(blocks, i)->kind == HPMVIZ_F_UNIT ||
            hpmviz_fblocks_unit(blocks, i) != HPMVIZ_NO_STATEMENT))
        i++;
    return i;
}

void
hpmviz_fdoors_add_module(GArray *edits, const struct hpmviz_fblocks *blocks,
                         guint unit, const char *start, const char *stop)
{
    const struct hpmviz_fcode *code = blocks->code;
    guint at, like;

    for (guint up = unit;;
         up = hpmviz_fblocks_unit(blocks,
                                  hpmviz_fblocks_nth(blocks, up)->around)) {
        if (has_names(blocks, up, start, stop))
            return;
        if (up == HPMVIZ_NO_STATEMENT)
            break;
    }
    at = find_use(blocks, unit);
    if (at == HPMVIZ_NO_STATEMENT) {
        guint first = hpmviz_fcode_nth(code, first_of_main(blocks))->first;

        add_line(edits, code, first, first, "use hpm");
        return;
    }
    like = at == unit && at + 1 < blocks->nodes->len ? at + 1 : at;
    add_line(edits, code, hpmviz_fcode_nth(code, at)->last + 1,
             hpmviz_fcode_nth(code, like)->first, "use hpm");
}

void
hpmviz_fdoors_add_header(GArray *edits, const struct hpmviz_fblocks *blocks)
{
    const struct hpmviz_textlines *lines = &blocks->code->lines;
    const GArray *directives = blocks->code->directives;
    guint first = hpmviz_fcode_nth(blocks->code, 0)->first;

    if (has_header(blocks))
        return;
    if (directives->len > 0)
        first = MIN(
            first, g_array_index(directives, struct hpmviz_fdirective, 0).line);
    hpmviz_edits_add(edits, hpmviz_textlines_start(lines, first), 0,
                     g_strconcat("#include \"f_hpm.h\"",
                                 hpmviz_textlines_ending(lines, first), NULL));
}
