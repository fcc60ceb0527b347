/* SPDX-License-Identifier: BSD-3-Clause
 * What a picture of two compared runs, or of more, says: a drawing of this test's own keeps
 * the texts instead of drawing them. */
#include "hpmviz/shell/picture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "hpmviz/shell/drawing.h"
#include "hpmviz/shell/trendoutput.h"
#include "settling.h"
#include "tap.h"

/* ---- a drawing that keeps texts --------------------------------------- */

/* Paragraphs and rows, a line each; cells end with "|". */
struct hpmviz_drawing {
    GString *text;
};

struct hpmviz_drawing *
hpmviz_drawing_new(gboolean is_dark)
{
    struct hpmviz_drawing *drawing = g_new0(struct hpmviz_drawing, 1);

    (void)is_dark;
    drawing->text = g_string_new("\n");
    return drawing;
}

void
hpmviz_drawing_free(struct hpmviz_drawing *drawing)
{
    g_string_free(drawing->text, TRUE);
    g_free(drawing);
}

void
hpmviz_drawing_add_text(struct hpmviz_drawing *drawing,
                        enum hpmviz_script script, const char *text)
{
    (void)script;
    g_string_append_printf(drawing->text, "%s\n", text);
}

static void
clear_cell(gpointer data)
{
    g_free(((struct hpmviz_drawn_cell *)data)->text);
}

struct hpmviz_drawn_table *
hpmviz_drawn_table_new(guint n_columns, guint n_texts)
{
    struct hpmviz_drawn_table *table = g_new0(struct hpmviz_drawn_table, 1);

    table->n_columns = n_columns;
    table->n_texts = n_texts;
    table->cells = g_array_new(FALSE, TRUE, sizeof(struct hpmviz_drawn_cell));
    g_array_set_clear_func(table->cells, clear_cell);
    return table;
}

void
hpmviz_drawn_table_free(struct hpmviz_drawn_table *table)
{
    g_array_unref(table->cells);
    g_free(table);
}

struct hpmviz_drawn_cell *
hpmviz_drawn_table_add(struct hpmviz_drawn_table *table, char *text)
{
    struct hpmviz_drawn_cell cell = {.text = text};

    g_array_append_val(table->cells, cell);
    return &g_array_index(table->cells, struct hpmviz_drawn_cell,
                          table->cells->len - 1);
}

void
hpmviz_drawing_add_table(struct hpmviz_drawing *drawing,
                         const struct hpmviz_drawn_table *table)
{
    for (guint i = 0; i < table->cells->len; i++)
        g_string_append_printf(
            drawing->text, "%s%s",
            g_array_index(table->cells, struct hpmviz_drawn_cell, i).text,
            (i + 1) % table->n_columns == 0 ? "\n" : "|");
}

void
hpmviz_drawing_add_picture(struct hpmviz_drawing *drawing, double width,
                           double height, hpmviz_drawing_paint *paint,
                           gpointer data)
{
    (void)paint;
    (void)data;
    g_string_append_printf(drawing->text, "picture %.0f x %.0f\n", width,
                           height);
}

GBytes *
hpmviz_drawing_finish(struct hpmviz_drawing *drawing, const char *name,
                      GError **error)
{
    GBytes *bytes = g_bytes_new(drawing->text->str, drawing->text->len + 1);

    (void)name;
    (void)error;
    hpmviz_drawing_free(drawing);
    return bytes;
}

/* ---- files ------------------------------------------------------------ */

static char *folder;

static void
add_section(GString *text, int number, const char *label, double seconds)
{
    g_string_append_printf(
        text,
        "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"0\" label=\"%s\" "
        "file=\"a.f\" linestart=\"%d\" lineend=\"%d\" scope=\"thread\" "
        "inst=\"%d\" id=\"%d\">"
        "<data name=\"ExcSec\" value=\"%.9f\" kind=\"time\" unit=\"s\" "
        "runs=\"8\" dev=\"0.01\" min=\"%.9f\" max=\"%.9f\"/>"
        "<data name=\"PM_CYC\" value=\"%.0f\" exclusive=\"%.0f\" "
        "kind=\"counter\"/>"
        "<data name=\"PM_INST_CMPL\" value=\"2000000000\" "
        "exclusive=\"2000000000\" kind=\"counter\"/></InstrumentationPt>",
        label, 10 * number, 10 * number + 5, number, number, seconds,
        seconds - 0.1, seconds + 0.1, 1e9 * seconds, 1e9 * seconds);
}

/* The path, for g_free.  A mean of 8 runs, "hot" and another section. */
static char *
put(const char *name, double seconds, const char *other)
{
    g_autoptr(GString) text = g_string_new(
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"mean\">"
        "<Run task=\"0\" program=\"p\" job=\"j\" seconds=\"9.0\"></Run>"
        "<Machine task=\"0\" host=\"a\" pmu=\"power4\"/>");
    char *path = g_build_filename(folder, name, NULL);

    add_section(text, 1, "hot", seconds);
    add_section(text, 2, other, 1.0);
    g_string_append(text, "</HPMPerformanceFile>");
    g_file_set_contents(path, text->str, -1, NULL);
    return path;
}

/* ---- what it says ------------------------------------------------------ */

static GBytes *
draw(char *const *paths)
{
    HpmvizSession *session = hpmviz_session_new();
    GBytes *bytes;

    hpmviz_session_open_runs(session, paths);
    settle(session);
    bytes = hpmviz_drawing_finish(g_strv_length((char **)paths) > 2
                                      ? hpmviz_trendoutput_draw(session, FALSE)
                                      : hpmviz_picture_draw(session, FALSE),
                                  "x.svg", NULL);
    g_object_unref(session);
    return bytes;
}

static void
test_two(const char *text)
{
    ok(strstr(text, "\nSections of threads: ExcSec, s\n") != NULL,
       "the heading names what is compared, and its unit");
    ok(strstr(text, "|A|B|B − A|B / A|") != NULL &&
           strstr(text, "|1.000000|3.000000|✗ +2.000000|✗ 3.000|") != NULL,
       "sections have both values, and what is found has its glyph");
    ok(strstr(text, "\nMetric||A|B|B − A|B / A|Unit\n") != NULL,
       "so has the table of metrics");
    ok(strstr(text, "\nIPC|") != NULL &&
           strstr(text, "|2.000|0.667|-1.333|0.333|") != NULL,
       "with the metrics of both");
    ok(strstr(text, "\nExcSec|") != NULL, "and times");
    ok(strstr(text, "✗ worse") != NULL && strstr(text, "not judged") != NULL &&
           strstr(text, "limit") == NULL,
       "signs are said to be of runs, not of limits");
}

static void
test_three(const char *text)
{
    ok(strstr(text, "\nA  a.xml") != NULL &&
           strstr(text, "A  a.xml, threads: 1, reference\n") != NULL &&
           strstr(text, "\nC  c.xml, threads: 1\n") != NULL,
       "more than two runs are named, with the reference");
    ok(strstr(text, "\nhot: ExcSec\npicture 760 x ") != NULL,
       "the costliest section is drawn over them");
    ok(strstr(text, "\nExcSec, value\nSection|A|B|C\nhot|1.000000|3.000000|"
                    "2.000000\n") != NULL,
       "each has a column of times, the costliest section first");
    ok(strstr(text, "\nold|1.000000|-|-\n") != NULL,
       "what a run does not have is no number");
    ok(strstr(text, "\nExcSec, speed-up\nSection|A|B|C\nhot|1.000|0.333|"
                    "0.500\n") != NULL,
       "and one of speed-up");
}

static void
test_one(const char *text)
{
    ok(strstr(text, "\nSections of threads\n") != NULL &&
           strstr(text, "\nMetric||Value||Min|Mean|Max\n") != NULL &&
           strstr(text, "beyond the limit") != NULL,
       "a run by itself is drawn as before");
}

int
main(void)
{
    char *paths[4] = {NULL};
    GBytes *two, *one, *three;

    folder = g_dir_make_tmp("hpm-picture-XXXXXX", NULL);
    g_setenv("HPM_DEFS", "", TRUE);
    paths[0] = put("a.xml", 1.0, "old");
    paths[1] = put("b.xml", 3.0, "new");
    two = draw(paths);
    test_two(g_bytes_get_data(two, NULL));
    g_bytes_unref(two);
    paths[2] = put("c.xml", 2.0, "new");
    three = draw(paths);
    test_three(g_bytes_get_data(three, NULL));
    g_bytes_unref(three);
    g_unlink(paths[2]);
    g_clear_pointer(&paths[2], g_free);
    g_unlink(paths[1]);
    g_clear_pointer(&paths[1], g_free);
    one = draw(paths);
    test_one(g_bytes_get_data(one, NULL));
    g_bytes_unref(one);
    g_unlink(paths[0]);
    g_free(paths[0]);
    g_rmdir(folder);
    g_free(folder);
    return done();
}
