/* SPDX-License-Identifier: BSD-3-Clause
 * Places below the roofs of the machine. */
#include "hpmviz/data/rooflinepoints.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/distributiontext.h"

enum metric { INTENSITY, ATTAINABLE, PART, FLOPS, BYTES, N_METRICS };

static const char *const names[N_METRICS] = {
    "ARITHMETIC_INTENSITY", "ATTAINABLE", "ROOF_PCT", "FLOP_ROOF", "MEM_ROOF"};

/* The columns of these metrics; FALSE where the sheet lacks one. */
static gboolean
find_columns(const struct hpmviz_sheet *sheet, guint columns[N_METRICS])
{
    gboolean are_there = TRUE;

    for (int i = 0; i < N_METRICS; i++) {
        columns[i] = hpmviz_sheet_find_name(sheet, names[i]);
        are_there &= columns[i] != HPMVIZ_NONE;
    }
    return are_there;
}

/* As the HTML page has them (study/html/roofline.js): what was reached is a part of
 * what is attainable. */
static void
add_point(struct hpmviz_roofline *roofline, const struct hpmviz_sheet *sheet,
          const guint columns[N_METRICS], guint row)
{
    double values[N_METRICS];
    struct hpmviz_rooflinepoint point = {.row = row};

    for (int i = 0; i < N_METRICS; i++)
        values[i] = hpmviz_sheet_value(sheet, row, columns[i])->value;
    point.intensity = values[INTENSITY];
    point.reached = values[ATTAINABLE] * values[PART] / 100;
    point.part = values[PART];
    /* 0 has no place on a logarithmic axis */
    if (!(point.intensity > 0) || !(point.reached > 0) ||
        !(values[FLOPS] > 0) || !(values[BYTES] > 0) ||
        !isfinite(point.intensity * point.reached))
        return;
    roofline->points[roofline->n++] = point;
    roofline->flops = fmax(roofline->flops, values[FLOPS]);
    roofline->bytes = fmax(roofline->bytes, values[BYTES]);
}

struct hpmviz_roofline *
hpmviz_roofline_new(const struct hpmviz_distribution *distribution)
{
    const struct hpmviz_sheet *sheet = distribution->sheet;
    struct hpmviz_roofline *roofline = g_new0(struct hpmviz_roofline, 1);
    guint columns[N_METRICS];

    roofline->points =
        g_new(struct hpmviz_rooflinepoint, distribution->n_places + 1);
    if (!find_columns(sheet, columns))
        return roofline;
    for (guint i = 0; i < sheet->n_rows; i++) {
        if (hpmviz_distribution_has_row(distribution, i))
            add_point(roofline, sheet, columns, i);
    }
    return roofline;
}

void
hpmviz_roofline_free(struct hpmviz_roofline *roofline)
{
    if (roofline == NULL)
        return;
    g_free(roofline->points);
    g_free(roofline);
}

const struct hpmviz_rooflinepoint *
hpmviz_roofline_find(const struct hpmviz_roofline *roofline, guint row)
{
    for (guint i = 0; i < roofline->n; i++) {
        if (roofline->points[i].row == row)
            return &roofline->points[i];
    }
    return NULL;
}

/* ---- words ------------------------------------------------------------ */

static void
add_end(const struct hpmviz_rooflinepoint *point,
        const struct hpmviz_distribution *distribution, const char *format,
        struct hpm_string *text)
{
    struct hpm_string where = {0}, part = {0};

    hpm_string_add_fixed(&part, point->part, 1);
    hpmviz_distribution_add_where(distribution, point->row, &where);
    hpm_string_add_format(text, format, hpm_string_text(&part),
                          hpm_string_text(&where));
    hpm_string_finish(&part, &text->failed);
    hpm_string_finish(&where, &text->failed);
}

static void
add_ends(const struct hpmviz_roofline *roofline,
         const struct hpmviz_distribution *distribution,
         struct hpm_string *text)
{
    const struct hpmviz_rooflinepoint *least = &roofline->points[0];
    const struct hpmviz_rooflinepoint *most = least;
    guint n_memory = 0;

    for (guint i = 0; i < roofline->n; i++) {
        const struct hpmviz_rooflinepoint *point = &roofline->points[i];

        least = point->part < least->part ? point : least;
        most = point->part > most->part ? point : most;
        n_memory +=
            point->intensity * roofline->bytes < roofline->flops ? 1 : 0;
    }
    hpm_string_add_format(
        text,
        _(" Below the slope of memory: %u, below the level of "
          "calculation: %u."),
        n_memory, roofline->n - n_memory);
    add_end(least, distribution,
            _(" The farthest reaches %s %% of its roof (%s)"), text);
    add_end(most, distribution, _(", the nearest %s %% (%s)."), text);
}

void
hpmviz_roofline_add_summary(const struct hpmviz_roofline *roofline,
                            const struct hpmviz_distribution *distribution,
                            struct hpm_string *text)
{
    if (roofline->n == 0) {
        hpm_string_add(
            text, _("No roofline: it takes operations and bytes of memory, "
                    "counted or told by hpmWork, and the roofs of the machine, "
                    "which hpm doctor --roofs measures before the run."));
        return;
    }
    hpm_string_add_format(
        text, _("%u of %u places have operations, bytes and roofs."),
        roofline->n, distribution->n_places);
    add_ends(roofline, distribution, text);
}
