/* SPDX-License-Identifier: BSD-3-Clause
 * How many samples the lines of a source file have. */
#include "hpmviz/source/lineheat.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "hpmviz/data/sources.h"
#include "hpmviz/source/heat.h"
#include "study/statistics/proportion.h"

/* ---- the file -------------------------------------------------------- */

static size_t
length_of_file(const char *line)
{
    const char *colon = strrchr(line, ':');

    return colon != NULL ? (size_t)(colon - line) : 0;
}

/* 0: another file. */
static size_t
common_end(const char *line, const char *recorded)
{
    char *file = g_strndup(line, length_of_file(line));
    size_t n = hpmviz_sources_common_end(file, recorded);

    g_free(file);
    return n;
}

static const struct hpm_hotspots_part *
find_all(const struct hpm_hotspots *hotspots, guint sampled)
{
    for (size_t i = 0; i < hotspots->n_parts; i++) {
        if (hotspots->parts[i].sampled == sampled &&
            hotspots->parts[i].section == HPM_NO_INDEX)
            return &hotspots->parts[i];
    }
    return NULL;
}

/* A line of the file. */
static const char *
find_file(const struct hpm_hotspots_part *part, const char *recorded)
{
    const char *best = NULL;
    size_t most = 0;

    for (size_t i = 0; i < part->n_spots; i++) {
        size_t n = common_end(part->spots[i].line, recorded);

        if (n > most) {
            most = n;
            best = part->spots[i].line;
        }
    }
    return best;
}

/* ---- lines ----------------------------------------------------------- */

static int
compare_lines(const void *first, const void *second)
{
    const struct hpmviz_lineheat_line *a = first, *b = second;

    return (a->recorded > b->recorded) - (a->recorded < b->recorded);
}

static void
find_most(struct hpmviz_lineheat *heat)
{
    heat->most = 0;
    for (guint i = 0; i < heat->n_lines; i++)
        heat->most = MAX(heat->most, heat->lines[i].n);
}

/* Functions share lines. */
static void
add_up(struct hpmviz_lineheat *heat)
{
    guint n = 0;

    qsort(heat->lines, heat->n_lines, sizeof *heat->lines, compare_lines);
    for (guint i = 0; i < heat->n_lines; i++) {
        if (n > 0 && heat->lines[n - 1].recorded == heat->lines[i].recorded)
            heat->lines[n - 1].n += heat->lines[i].n;
        else
            heat->lines[n++] = heat->lines[i];
    }
    heat->n_lines = n;
    find_most(heat);
}

void
hpmviz_lineheat_init(struct hpmviz_lineheat *heat,
                     const struct hpm_hotspots *hotspots, guint sampled,
                     const char *recorded)
{
    const struct hpm_hotspots_part *part = find_all(hotspots, sampled);
    const char *file = part != NULL ? find_file(part, recorded) : NULL;
    size_t length = file != NULL ? length_of_file(file) : 0;

    *heat = (struct hpmviz_lineheat){.lines = NULL};
    if (file == NULL)
        return;
    heat->event = hotspots->study->sampled[sampled].name;
    heat->n_all = part->n_taken;
    heat->lines = g_new(struct hpmviz_lineheat_line, part->n_spots + 1);
    for (size_t i = 0; i < part->n_spots; i++) {
        const struct hpm_hotspot *spot = &part->spots[i];
        int line;

        if (length_of_file(spot->line) != length ||
            strncmp(spot->line, file, length) != 0)
            continue;
        line = atoi(spot->line + length + 1);
        heat->lines[heat->n_lines++] =
            (struct hpmviz_lineheat_line){line, line, spot->n};
    }
    add_up(heat);
}

void
hpmviz_lineheat_clear(struct hpmviz_lineheat *heat)
{
    g_free(heat->lines);
    *heat = (struct hpmviz_lineheat){.lines = NULL};
}

void
hpmviz_lineheat_cut(struct hpmviz_lineheat *heat, int n_lines)
{
    guint n = 0;

    for (guint i = 0; i < heat->n_lines; i++) {
        if (heat->lines[i].recorded >= 1 && heat->lines[i].recorded <= n_lines)
            heat->lines[n++] = heat->lines[i];
    }
    heat->n_lines = n;
    find_most(heat);
}

void
hpmviz_lineheat_move(struct hpmviz_lineheat *heat,
                     int (*now)(int line, gpointer data), gpointer data)
{
    for (guint i = 0; i < heat->n_lines; i++)
        heat->lines[i].now = now(heat->lines[i].recorded, data);
}

guint64
hpmviz_lineheat_at(const struct hpmviz_lineheat *heat, int line)
{
    guint64 n = 0;

    for (guint i = 0; i < heat->n_lines; i++)
        n += heat->lines[i].now == line ? heat->lines[i].n : 0;
    return n;
}

int
hpmviz_lineheat_step(const struct hpmviz_lineheat *heat, int line, int by)
{
    g_autofree double *values = g_new(double, heat->n_lines + 1);
    size_t from = SIZE_MAX, next;

    for (guint i = 0; i < heat->n_lines; i++) {
        values[i] = (double)heat->lines[i].n;
        if (heat->lines[i].now == line && from == SIZE_MAX)
            from = i;
    }
    next = hpmviz_heat_step(values, heat->n_lines, from, by);
    return next != SIZE_MAX ? heat->lines[next].now : 0;
}

char *
hpmviz_lineheat_describe(const struct hpmviz_lineheat *heat, int line)
{
    unsigned long long n = hpmviz_lineheat_at(heat, line);
    char *amount = g_strdup_printf(
        ngettext("%s: %llu sample", "%s: %llu samples", (unsigned long)n),
        n > 0 ? heat->event : "", n);
    double low, high;
    char *text;

    if (n == 0) {
        g_free(amount);
        return NULL;
    }
    if (heat->n_all < HPM_HOTSPOTS_LEAST)
        return amount;
    hpm_proportion_interval(n, heat->n_all, &low, &high);
    text = g_strdup_printf(_("%s, %.1f %% (%.1f to %.1f) of all"), amount,
                           100.0 * (double)n / (double)heat->n_all, 100 * low,
                           100 * high);
    g_free(amount);
    return text;
}
