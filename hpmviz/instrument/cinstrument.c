/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm put around lines of C and C++. */
#include "hpmviz/instrument/cinstrument.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/instrument/calls.h"
#include "hpmviz/instrument/cblocks.h"
#include "hpmviz/instrument/cselection.h"
#include "hpmviz/instrument/edits.h"

struct work {
    GArray *edits;
    struct hpmviz_ccode code;
    struct hpmviz_ctokens tokens;
    struct hpmviz_cselection selection;
    const struct hpmviz_wanted *wanted;
    int id;
    char *label;
};

/* ---- the header ------------------------------------------------------ */

static const struct hpmviz_directiveline *
nth(const struct work *work, guint i)
{
    return &g_array_index(work->code.directives, struct hpmviz_directiveline,
                          i);
}

/* Is the line outside of all braces? */
static gboolean
is_outside(const struct work *work, guint line)
{
    return hpmviz_ctokens_around(
               &work->tokens, hpmviz_ctokens_from_line(&work->tokens, line)) ==
           HPMVIZ_NO_TOKEN;
}

/* Is the line between declarations?  An #include can stand in an initializer. */
static gboolean
is_behind_declaration(const struct work *work, guint line)
{
    guint i = hpmviz_ctokens_from_line(&work->tokens, line);
    char before = hpmviz_ctokens_kind(&work->tokens, i - 1);

    return before == '\0' || strchr(";})", before) != NULL;
}

/* Does the #include name the header, or that of C++, which includes it? */
static gboolean
names_header(const struct hpmviz_directiveline *line, const char *header)
{
    const char *open = strpbrk(line->words, "<\"");
    gsize n = open != NULL ? strcspn(open + 1, ">\"") : 0;
    g_autofree char *path = g_strndup(open != NULL ? open + 1 : "", n);
    const char *slash = strrchr(path, '/');

    return g_str_has_prefix(slash != NULL ? slash + 1 : path, header);
}

struct includes {
    gboolean has_header;
    guint last_line;   /* of the last #include for all branches; 0 for none */
    guint conditional; /* line of the first #if around the first code, or 0 */
};

static void
look_at_includes(const struct work *work, const char *header,
                 struct includes *ret_includes)
{
    guint code = hpmviz_ctokens_nth(&work->tokens, 0)->line, open = 0;
    int depth = 0;

    for (guint i = 0; i < work->code.directives->len; i++) {
        const struct hpmviz_directiveline *line = nth(work, i);

        if (line->first >= work->selection.first)
            break;
        if (line->kind == HPMVIZ_DIRECTIVE_IF && depth++ == 0)
            open = line->first;
        depth -= line->kind == HPMVIZ_DIRECTIVE_ENDIF;
        if (depth > 0 && line->last < code)
            ret_includes->conditional = open;
        else if (line->last < code)
            ret_includes->conditional = 0;
        if (line->kind != HPMVIZ_DIRECTIVE_INCLUDE || depth > 0 ||
            !is_outside(work, line->first) ||
            !is_behind_declaration(work, line->first))
            continue;
        ret_includes->last_line = line->last;
        if (names_header(line, header))
            ret_includes->has_header = TRUE;
    }
}

/* Behind the last #include that all branches have, or before all code. */
static void
add_include(struct work *work, const char *header)
{
    struct includes includes = {FALSE, 0, 0};
    const struct hpmviz_textlines *lines = &work->code.lines;
    guint line;

    look_at_includes(work, header, &includes);
    if (includes.has_header)
        return;
    line = includes.last_line != 0 ? includes.last_line + 1
           : includes.conditional != 0
               ? includes.conditional
               : hpmviz_ctokens_nth(&work->tokens, 0)->line;
    while (hpmviz_ccode_inside(&work->code, line) != HPMVIZ_INSIDE_NOTHING)
        line--;
    hpmviz_edits_add(work->edits, hpmviz_textlines_start(lines, line), 0,
                     g_strdup_printf("#include <%s>%s", header,
                                     hpmviz_textlines_ending(lines, line)));
}

/* ---- the calls ------------------------------------------------------- */

/* A line of its own before this one, indented as that of another. */
static void
add_line(struct work *work, guint before, guint like, const char *statement)
{
    const struct hpmviz_textlines *lines = &work->code.lines;
    char *indent = hpmviz_textlines_indent(lines, like);

    hpmviz_edits_add(work->edits, hpmviz_textlines_start(lines, before), 0,
                     g_strconcat(indent, statement,
                                 hpmviz_textlines_ending(lines, like), NULL));
    g_free(indent);
}

/* Labels are often indented less than statements. */
static guint
first_code_line(const struct work *work)
{
    guint i = work->selection.first_token;

    while (hpmviz_ctokens_kind(&work->tokens, i) == HPMVIZ_TOKEN_WORD &&
           hpmviz_ctokens_kind(&work->tokens, i + 1) == ':' &&
           i + 2 < work->selection.end)
        i += 2;
    return hpmviz_ctokens_nth(&work->tokens, i)->line;
}

static void
add_pair(struct work *work)
{
    gboolean is_process = work->selection.has_parallel;
    guint like = first_code_line(work);
    char *start = g_strdup_printf(is_process ? "hpmStart(%d, \"%s\");"
                                             : "hpmTstart(%d, \"%s\");",
                                  work->id, work->label);
    char *stop = g_strdup_printf(is_process ? "hpmStop(%d);" : "hpmTstop(%d);",
                                 work->id);

    add_include(work, "libhpm.h");
    add_line(work, work->selection.first, like, start);
    add_line(work, work->selection.last + 1, like, stop);
    g_free(stop);
    g_free(start);
}

/* Behind the block's "{": in a line of its own where that ends a line, and
 * neither a comment nor a backslash goes on in the next one. */
static void
add_behind_brace(struct work *work, const char *statement)
{
    const struct hpmviz_token *brace =
        hpmviz_ctokens_nth(&work->tokens, work->selection.first_token);
    const struct hpmviz_token *next =
        hpmviz_ctokens_nth(&work->tokens, work->selection.first_token + 1);

    if (next->line > brace->line && next->kind != '}' &&
        hpmviz_ccode_inside(&work->code, brace->line + 1) ==
            HPMVIZ_INSIDE_NOTHING)
        add_line(work, brace->line + 1, next->line, statement);
    else
        hpmviz_edits_add(work->edits, brace->at + 1, 0,
                         g_strconcat(" ", statement, NULL));
}

static void
add_scope(struct work *work)
{
    char *statement = g_strdup_printf(work->selection.has_parallel
                                          ? "HPM_PROCESS_SECTION(%d, \"%s\");"
                                          : "HPM_SECTION(%d, \"%s\");",
                                      work->id, work->label);

    add_include(work, "libhpm.hpp");
    if (work->selection.shape == HPMVIZ_SHAPE_BLOCK)
        add_behind_brace(work, statement);
    else
        add_line(work, work->selection.first, first_code_line(work), statement);
    g_free(statement);
}

/* ---- all of it ------------------------------------------------------- */

/* What is known at once: the function, and what part of it. */
static char *
label_of(const struct work *work, const GArray *calls)
{
    const struct hpmviz_cselection *selection = &work->selection;
    char *function = hpmviz_cselection_function(&work->tokens, selection);
    const struct hpmviz_token *body =
        hpmviz_ctokens_nth(&work->tokens, selection->body);
    gboolean is_whole = selection->shape == HPMVIZ_SHAPE_INSIDE &&
                        body->match == selection->end;
    char *part = g_strconcat(function,
                             is_whole             ? ""
                             : selection->is_loop ? " loop"
                                                  : " part",
                             NULL);
    char *label = hpmviz_calls_free_label(calls, work->code.lines.text, part);

    g_free(part);
    g_free(function);
    return label;
}

/* A constant expression has no section. */
static gboolean
check_function(const struct work *work, GError **error)
{
    static const char *const constants[] = {"constexpr", "consteval", NULL};
    guint body = work->selection.body;

    for (guint i = hpmviz_cblocks_head(&work->tokens, body); i < body; i++) {
        if (hpmviz_ctokens_is_one_of(&work->tokens, i, constants))
            return hpmviz_edits_refuse(
                error,
                _("the function of line %u may be worked out by the compiler "
                  "(constexpr), and cannot be measured"),
                hpmviz_ctokens_nth(&work->tokens, i)->line);
    }
    return TRUE;
}

gboolean
hpmviz_cinstrument_add(GArray *edits, const char *text,
                       const struct hpmviz_wanted *wanted, const GArray *calls,
                       int id, GError **error)
{
    struct work work = {.edits = edits, .wanted = wanted, .id = id};
    gboolean is_cpp = wanted->language == HPMVIZ_LANGUAGE_CPP;
    gboolean is_good;

    hpmviz_ccode_init(&work.code, text);
    hpmviz_ctokens_init(&work.tokens, &work.code);
    is_good =
        hpmviz_cselection_find(&work.code, &work.tokens, wanted->first,
                               wanted->last, is_cpp, &work.selection, error) &&
        (!is_cpp || check_function(&work, error));
    if (is_good) {
        work.label = label_of(&work, calls);
        if (is_cpp && work.selection.shape != HPMVIZ_SHAPE_STATEMENTS)
            add_scope(&work);
        else
            add_pair(&work);
        g_free(work.label);
    }
    hpmviz_ctokens_clear(&work.tokens);
    hpmviz_ccode_clear(&work.code);
    return is_good;
}
