/* SPDX-License-Identifier: BSD-3-Clause
 * Where statements of Fortran jump to. */
#include "hpmviz/instrument/fjumps.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "hpmviz/instrument/edits.h"

struct range {
    const struct hpmviz_fblocks *blocks;
    guint first, end;
    GError **error;
};

static guint
line_of(const struct range *range, guint i)
{
    return hpmviz_fcode_nth(range->blocks->code, i)->first;
}

static gboolean
is_inside(const struct range *range, guint i)
{
    return i != HPMVIZ_NO_STATEMENT && i >= range->first && i < range->end;
}

static gboolean
refuse_leaving(const struct range *range, guint i, const char *word)
{
    return hpmviz_edits_refuse(
        range->error,
        _("'%s' in line %u leaves the lines selected, and the section would "
          "not stop: select lines without it"),
        word, line_of(range, i));
}

/* ---- labels ---------------------------------------------------------- */

static const char *const patterns[] = {
    "(?:^|\\))goto(\\d+)$",
    "(?:^|\\))goto\\(([\\d,]+)\\)",
    "^if\\(.*\\)(\\d+,\\d+(?:,\\d+)?)$",
    "[(,](?:err|end|eor)=(\\d+)",
    "[(,]\\*(\\d+)",
};

static GRegex *
pattern_of(gsize i)
{
    static GRegex *compiled[G_N_ELEMENTS(patterns)];

    if (compiled[i] == NULL)
        compiled[i] =
            g_regex_new(patterns[i], G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, NULL);
    return compiled[i];
}

static void
add_labels(GArray *targets, const char *text)
{
    g_auto(GStrv) labels = g_strsplit(text, ",", -1);

    for (guint i = 0; labels[i] != NULL; i++) {
        guint label = (guint)strtoul(labels[i], NULL, 10);

        g_array_append_val(targets, label);
    }
}

/* The labels a statement may jump to (guint). */
static GArray *
targets_of(const char *words)
{
    GArray *targets = g_array_new(FALSE, FALSE, sizeof(guint));

    for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++) {
        g_autoptr(GMatchInfo) match = NULL;

        g_regex_match(pattern_of(i), words, 0, &match);
        for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
            g_autofree char *text = g_match_info_fetch(match, 1);

            add_labels(targets, text);
        }
    }
    return targets;
}

/* The statement of the unit with this label. */
static guint
find_label(const struct range *range, guint unit, guint label)
{
    for (guint i = 0; i < range->blocks->nodes->len; i++) {
        if (hpmviz_fcode_nth(range->blocks->code, i)->label == label &&
            hpmviz_fblocks_unit(range->blocks, i) == unit)
            return i;
    }
    return HPMVIZ_NO_STATEMENT;
}

static gboolean
check_jump(const struct range *range, guint from, guint to)
{
    if (is_inside(range, from) && !is_inside(range, to))
        return refuse_leaving(range, from, "goto");
    if (!is_inside(range, from) && is_inside(range, to))
        return hpmviz_edits_refuse(
            range->error,
            _("line %u jumps to line %u, past the start: select lines without "
              "that label, or both"),
            line_of(range, from), line_of(range, to));
    return TRUE;
}

static gboolean
check_labels(const struct range *range, guint i, guint unit)
{
    GArray *targets = targets_of(hpmviz_fblocks_words(range->blocks, i));
    gboolean is_good = TRUE;

    for (guint k = 0; k < targets->len && is_good; k++) {
        guint label = g_array_index(targets, guint, k);
        guint to = find_label(range, unit, label);

        is_good = to == HPMVIZ_NO_STATEMENT || check_jump(range, i, to);
    }
    g_array_unref(targets);
    return is_good;
}

/* ---- exit and cycle -------------------------------------------------- */

/* Has a block this name, or is it a loop where none is asked for? */
static gboolean
is_meant(const struct hpmviz_fblocks *blocks, guint i, const char *name)
{
    const char *words = hpmviz_fblocks_words(blocks, i);
    gsize n = strlen(name);

    if (n == 0)
        return hpmviz_fblocks_nth(blocks, i)->kind == HPMVIZ_F_DO;
    return strncmp(words, name, n) == 0 && words[n] == ':';
}

static gboolean
is_within_block(const struct range *range, guint i, const char *name)
{
    guint at = hpmviz_fblocks_nth(range->blocks, i)->around;

    while (is_inside(range, at) && !is_meant(range->blocks, at, name))
        at = hpmviz_fblocks_nth(range->blocks, at)->around;
    return is_inside(range, at);
}

/* Behind the parentheses of "if (...)", else all of it. */
static const char *
action_of(const char *words)
{
    const char *close = g_str_has_prefix(words, "if(")
                            ? hpmviz_fkinds_close(words + strlen("if"))
                            : NULL;

    return close != NULL ? close + 1 : words;
}

static gboolean
check_way_out(const struct range *range, guint i)
{
    static const char *const words[] = {"exit", "cycle"};
    const char *action = action_of(hpmviz_fblocks_words(range->blocks, i));

    if (hpmviz_fkinds_of(action) != HPMVIZ_F_EXECUTABLE ||
        strchr(action, '=') != NULL)
        return TRUE;
    if (g_str_has_prefix(action, "return"))
        return refuse_leaving(range, i, "return");
    if (g_str_has_prefix(action, "goto") && g_ascii_isalpha(action[4]))
        return refuse_leaving(range, i, "goto");
    for (gsize k = 0; k < G_N_ELEMENTS(words); k++) {
        if (g_str_has_prefix(action, words[k]) &&
            !is_within_block(range, i, action + strlen(words[k])))
            return refuse_leaving(range, i, words[k]);
    }
    return TRUE;
}

gboolean
hpmviz_fjumps_check(const struct hpmviz_fblocks *blocks, guint first, guint end,
                    GError **error)
{
    const struct range range = {blocks, first, end, error};
    guint unit = hpmviz_fblocks_unit(blocks, first);

    for (guint i = 0; i < blocks->nodes->len; i++) {
        if (hpmviz_fblocks_unit(blocks, i) == unit &&
            !check_labels(&range, i, unit))
            return FALSE;
        if (is_inside(&range, i) && !check_way_out(&range, i))
            return FALSE;
    }
    return TRUE;
}
