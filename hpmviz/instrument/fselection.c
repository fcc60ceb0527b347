/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of Fortran that are to be measured. */
#include "hpmviz/instrument/fselection.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/edits.h"
#include "hpmviz/instrument/fdirectives.h"
#include "hpmviz/instrument/fjumps.h"
#include "hpmviz/instrument/fregions.h"

static const struct hpmviz_fstatement *
statement(const struct hpmviz_fblocks *blocks, guint i)
{
    return hpmviz_fcode_nth(blocks->code, i);
}

/* ---- which statements ------------------------------------------------ */

/* Statements are in the lines as a whole, or outside. */
static gboolean
find_statements(const struct hpmviz_fblocks *blocks,
                struct hpmviz_fselection *selection, GError **error)
{
    guint n = blocks->nodes->len;

    selection->first_statement = n;
    for (guint i = 0; i < n; i++) {
        const struct hpmviz_fstatement *at = statement(blocks, i);

        if (at->last < selection->first || at->first > selection->last)
            continue;
        if (at->first < selection->first || at->last > selection->last)
            return hpmviz_edits_refuse(
                error,
                _("lines %u to %u are one statement: select all of it or "
                  "nothing"),
                at->first, at->last);
        selection->first_statement = MIN(selection->first_statement, i);
        selection->end = i + 1;
    }
    if (selection->first_statement == n)
        return hpmviz_edits_refuse(
            error, _("there is no statement in the lines selected"));
    return TRUE;
}

static gboolean
is_inside(const struct hpmviz_fselection *selection, guint i)
{
    return i >= selection->first_statement && i < selection->end;
}

static gboolean
refuse_declaration(const struct hpmviz_fblocks *blocks, guint i, GError **error)
{
    return hpmviz_edits_refuse(
        error,
        _("line %u declares something or begins or ends a procedure: select "
          "statements behind all declarations"),
        statement(blocks, i)->first);
}

/* The other end of a block must be inside, too. */
static gboolean
check_partner(const struct hpmviz_fblocks *blocks,
              const struct hpmviz_fselection *selection, guint i, guint partner,
              GError **error)
{
    if (is_inside(selection, partner))
        return TRUE;
    if (partner == HPMVIZ_NO_STATEMENT)
        return hpmviz_edits_refuse(
            error, _("what line %u begins or ends has no other end"),
            statement(blocks, i)->first);
    return hpmviz_edits_refuse(error,
                               _("line %u belongs to line %u: select both or "
                                 "none"),
                               statement(blocks, i)->first,
                               statement(blocks, partner)->first);
}

static gboolean
check_statement(const struct hpmviz_fblocks *blocks,
                const struct hpmviz_fselection *selection, guint i,
                GError **error)
{
    const struct hpmviz_fnode *node = hpmviz_fblocks_nth(blocks, i);

    switch (node->kind) {
    case HPMVIZ_F_EXECUTABLE:
    case HPMVIZ_F_ANYWHERE:
        return TRUE;
    case HPMVIZ_F_DO:
    case HPMVIZ_F_BLOCK:
        return check_partner(blocks, selection, i, node->end, error);
    case HPMVIZ_F_MIDDLE:
    case HPMVIZ_F_END_BLOCK:
        return check_partner(blocks, selection, i, node->around, error);
    default:
        return refuse_declaration(blocks, i, error);
    }
}

/* Labelled loops end at any statement. */
static gboolean
check_labelled_ends(const struct hpmviz_fblocks *blocks,
                    const struct hpmviz_fselection *selection, GError **error)
{
    for (guint i = 0; i < selection->first_statement; i++) {
        const struct hpmviz_fnode *node = hpmviz_fblocks_nth(blocks, i);

        if (node->kind == HPMVIZ_F_DO && is_inside(selection, node->end))
            return check_partner(blocks, selection, node->end, i, error);
    }
    return TRUE;
}

/* ---- conditionals ---------------------------------------------------- */

static gboolean
refuse_part(const struct hpmviz_fdirective *directive, GError **error)
{
    return hpmviz_edits_refuse(
        error,
        _("'#%s' in line %u has a part outside of the lines selected: select "
          "all of it, or lines of one part"),
        directive->words, directive->line);
}

/* Each conditional of the preprocessor is in the lines with all its parts, or
 * outside: start and stop are compiled both or not at all. */
static gboolean
check_conditionals(const struct hpmviz_fcode *code,
                   const struct hpmviz_fselection *selection, GError **error)
{
    const struct hpmviz_fdirective *open = NULL;
    int depth = 0;

    for (guint i = 0; i < code->directives->len; i++) {
        const struct hpmviz_fdirective *at =
            &g_array_index(code->directives, struct hpmviz_fdirective, i);
        gboolean is_end = g_str_has_prefix(at->words, "endif");

        if (at->of != HPMVIZ_F_PREPROCESSOR || at->line < selection->first ||
            at->line > selection->last)
            continue;
        if (g_str_has_prefix(at->words, "if") && depth++ == 0)
            open = at;
        if (depth == 0 && (is_end || g_str_has_prefix(at->words, "el")))
            return refuse_part(at, error);
        depth -= is_end;
    }
    return depth == 0 || refuse_part(open, error);
}

/* ---- where the statements are ---------------------------------------- */

static gboolean
is_pure(const char *words)
{
    const char *name = strstr(words, "function");

    if (name == NULL)
        name = strstr(words, "subroutine");
    for (const char *at = words; name != NULL && at < name; at++) {
        if (g_str_has_prefix(at, "impure"))
            return FALSE;
        if (g_str_has_prefix(at, "pure") || g_str_has_prefix(at, "elemental"))
            return strstr(words, "impure") == NULL;
    }
    return FALSE;
}

static gboolean
check_around(const struct hpmviz_fblocks *blocks,
             const struct hpmviz_fselection *selection, GError **error)
{
    guint at = hpmviz_fblocks_nth(blocks, selection->first_statement)->around;

    for (; at != HPMVIZ_NO_STATEMENT;
         at = hpmviz_fblocks_nth(blocks, at)->around) {
        const char *words = hpmviz_fblocks_words(blocks, at);
        enum hpmviz_fkind kind = hpmviz_fblocks_nth(blocks, at)->kind;

        if (kind == HPMVIZ_F_UNIT && is_pure(words))
            return hpmviz_edits_refuse(
                error,
                _("the procedure of line %u is pure: no call of libhpm can "
                  "stand in it"),
                statement(blocks, at)->first);
        if (kind == HPMVIZ_F_UNIT)
            break;
        if (kind == HPMVIZ_F_DECLARATIONS)
            return refuse_declaration(blocks, selection->first_statement,
                                      error);
        if (strstr(words, "doconcurrent") != NULL ||
            (kind == HPMVIZ_F_BLOCK && (strstr(words, "where(") == words ||
                                        strstr(words, "forall(") == words)))
            return hpmviz_edits_refuse(
                error,
                _("no call can stand inside of line %u: select all of that"),
                statement(blocks, at)->first);
    }
    return TRUE;
}

/* A start before a declaration of its unit would be among them. */
static gboolean
check_declarations(const struct hpmviz_fblocks *blocks,
                   const struct hpmviz_fselection *selection, GError **error)
{
    for (guint i = selection->end; i < blocks->nodes->len; i++) {
        const struct hpmviz_fnode *node = hpmviz_fblocks_nth(blocks, i);

        if (node->kind == HPMVIZ_F_CONTAINS || node->kind == HPMVIZ_F_END_UNIT)
            break;
        if ((node->kind == HPMVIZ_F_DECLARATION ||
             node->kind == HPMVIZ_F_DECLARATIONS) &&
            node->around == selection->unit)
            return hpmviz_edits_refuse(
                error,
                _("line %u declares something, and a start cannot stand before "
                  "that: select lines below"),
                statement(blocks, i)->first);
    }
    return TRUE;
}

gboolean
hpmviz_fselection_find(const struct hpmviz_fblocks *blocks, guint first,
                       guint last, struct hpmviz_fselection *ret_selection,
                       GError **error)
{
    struct hpmviz_fselection selection = {.first = first, .last = last};

    if (!hpmviz_textlines_trim(&blocks->code->lines, &selection.first,
                               &selection.last))
        return hpmviz_edits_refuse(
            error, _("there is no statement in the lines selected"));
    if (!find_statements(blocks, &selection, error) ||
        !check_conditionals(blocks->code, &selection, error))
        return FALSE;
    for (guint i = selection.first_statement; i < selection.end; i++) {
        if (!check_statement(blocks, &selection, i, error))
            return FALSE;
    }
    selection.unit = hpmviz_fblocks_unit(blocks, selection.first_statement);
    selection.is_loop =
        hpmviz_fblocks_nth(blocks, selection.first_statement)->kind ==
        HPMVIZ_F_DO;
    if (!check_labelled_ends(blocks, &selection, error) ||
        !check_around(blocks, &selection, error) ||
        !check_declarations(blocks, &selection, error) ||
        !hpmviz_fjumps_check(blocks, selection.first_statement, selection.end,
                             error) ||
        !hpmviz_fregions_check(blocks, selection.first,
                               selection.first_statement, error) ||
        !hpmviz_fdirectives_include(
            blocks->code, statement(blocks, selection.first_statement)->first,
            statement(blocks, selection.end - 1)->last, &selection.first,
            &selection.last, &selection.has_parallel, error) ||
        !check_conditionals(blocks->code, &selection, error))
        return FALSE;
    *ret_selection = selection;
    return TRUE;
}
