/* SPDX-License-Identifier: BSD-3-Clause
 * Which statements of Fortran belong together. */
#include "hpmviz/instrument/fblocks.h"

#include <stdlib.h>
#include <string.h>

static struct hpmviz_fnode *
edit_nth(struct hpmviz_fblocks *blocks, guint i)
{
    return &g_array_index(blocks->nodes, struct hpmviz_fnode, i);
}

static const char module_procedure[] = "moduleprocedure";

/* ---- what is open ---------------------------------------------------- */

static guint
last_of(const GArray *open)
{
    return open->len > 0 ? g_array_index(open, guint, open->len - 1)
                         : HPMVIZ_NO_STATEMENT;
}

static gboolean
is_unit(const struct hpmviz_fblocks *blocks, guint i)
{
    return i != HPMVIZ_NO_STATEMENT &&
           hpmviz_fblocks_nth(blocks, i)->kind == HPMVIZ_F_UNIT;
}

static void
close_last(struct hpmviz_fblocks *blocks, GArray *open, guint end)
{
    edit_nth(blocks, last_of(open))->end = end;
    g_array_set_size(open, open->len - 1);
}

/* The label a "do" ends at; 0 for one that ends at "end do". */
static guint
label_of_do(const char *words)
{
    const char *name = strchr(words, ':');
    const char *digits = (name != NULL ? name + 1 : words) + strlen("do");

    return (guint)strtoul(digits, NULL, 10);
}

/* A statement with a label ends all loops that name it. */
static void
close_labelled(struct hpmviz_fblocks *blocks, GArray *open, guint i)
{
    guint label = hpmviz_fcode_nth(blocks->code, i)->label;

    while (label != 0 && open->len > 0 &&
           hpmviz_fblocks_nth(blocks, last_of(open))->kind == HPMVIZ_F_DO &&
           label_of_do(hpmviz_fblocks_words(blocks, last_of(open))) == label)
        close_last(blocks, open, i);
}

/* An end of a unit ends what was left open in that. */
static void
close_unit(struct hpmviz_fblocks *blocks, GArray *open, guint i)
{
    while (open->len > 0 && !is_unit(blocks, last_of(open)))
        close_last(blocks, open, i);
    edit_nth(blocks, i)->around = last_of(open);
    if (open->len > 0)
        close_last(blocks, open, i);
}

static gboolean
is_labelled_loop(const struct hpmviz_fblocks *blocks, guint i)
{
    return i != HPMVIZ_NO_STATEMENT &&
           hpmviz_fblocks_nth(blocks, i)->kind == HPMVIZ_F_DO &&
           label_of_do(hpmviz_fblocks_words(blocks, i)) != 0;
}

/* "module procedure f" is a procedure where procedures stand, in a module or a
 * submodule; in an interface it names one. */
static enum hpmviz_fkind
kind_of(const struct hpmviz_fblocks *blocks, const GArray *open, guint i)
{
    const char *words = hpmviz_fblocks_words(blocks, i);
    enum hpmviz_fkind kind = hpmviz_fkinds_of(words);

    return kind == HPMVIZ_F_DECLARATION &&
                   g_str_has_prefix(words, module_procedure) &&
                   strpbrk(words, ",:") == NULL &&
                   is_unit(blocks, last_of(open))
               ? HPMVIZ_F_UNIT
               : kind;
}

static void
add_node(struct hpmviz_fblocks *blocks, GArray *open, guint i)
{
    struct hpmviz_fnode node = {
        .kind = kind_of(blocks, open, i),
        .around = last_of(open),
        .end = HPMVIZ_NO_STATEMENT,
    };

    g_array_append_val(blocks->nodes, node);
    switch (node.kind) {
    case HPMVIZ_F_DO:
    case HPMVIZ_F_BLOCK:
    case HPMVIZ_F_UNIT:
    case HPMVIZ_F_DECLARATIONS:
        g_array_append_val(open, i);
        break;
    case HPMVIZ_F_END_UNIT:
        close_unit(blocks, open, i);
        break;
    case HPMVIZ_F_END_BLOCK:
        if (open->len > 0 && !is_unit(blocks, last_of(open)) &&
            !is_labelled_loop(blocks, last_of(open)))
            close_last(blocks, open, i);
        break;
    default:
        break;
    }
    close_labelled(blocks, open, i);
}

void
hpmviz_fblocks_init(struct hpmviz_fblocks *blocks,
                    const struct hpmviz_fcode *code)
{
    GArray *open = g_array_new(FALSE, FALSE, sizeof(guint));

    blocks->code = code;
    blocks->nodes = g_array_new(FALSE, FALSE, sizeof(struct hpmviz_fnode));
    for (guint i = 0; i < code->statements->len; i++)
        add_node(blocks, open, i);
    g_array_unref(open);
}

void
hpmviz_fblocks_clear(struct hpmviz_fblocks *blocks)
{
    g_clear_pointer(&blocks->nodes, g_array_unref);
}

/* ---- asking ---------------------------------------------------------- */

const struct hpmviz_fnode *
hpmviz_fblocks_nth(const struct hpmviz_fblocks *blocks, guint i)
{
    return &g_array_index(blocks->nodes, struct hpmviz_fnode, i);
}

const char *
hpmviz_fblocks_words(const struct hpmviz_fblocks *blocks, guint i)
{
    return hpmviz_fcode_nth(blocks->code, i)->words->str;
}

guint
hpmviz_fblocks_unit(const struct hpmviz_fblocks *blocks, guint i)
{
    while (i != HPMVIZ_NO_STATEMENT &&
           hpmviz_fblocks_nth(blocks, i)->kind != HPMVIZ_F_UNIT)
        i = hpmviz_fblocks_nth(blocks, i)->around;
    return i;
}

char *
hpmviz_fblocks_name(const struct hpmviz_fblocks *blocks, guint unit)
{
    static const char *const words[] = {module_procedure, "subroutine",
                                        "function",       "program",
                                        "submodule",      "module"};
    const char *text =
        unit != HPMVIZ_NO_STATEMENT ? hpmviz_fblocks_words(blocks, unit) : "";

    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        const char *found = strstr(text, words[i]);

        if (found != NULL) {
            const char *name = found + strlen(words[i]);

            return g_strndup(name, strspn(name, "abcdefghijklmnopqrstuvwxyz"
                                                "0123456789_"));
        }
    }
    return g_strdup("main");
}
