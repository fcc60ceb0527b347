/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of points and groups. */
#include "study/analysis/kindpictures.h"

#include <math.h>

#include "base/mark.h"
#include "host/memory.h"
#include "study/multivariate/components.h"
#include "study/points/pointlabels.h"

void
hpm_kindpictures_clear(struct hpm_kindpictures *pictures)
{
    for (size_t i = 0; i < HPM_N_KINDPICTURES; i++)
        hpm_picture_clear(&pictures->all[i]);
    hpm_kindmembers_clear(&pictures->members);
}

/* ---- where the points are ------------------------------------------------ */

enum { SIDE = 360, LEFT = 60, UPPER = 10, FOOT = 40 };

/* Both ways by one scale, for distances are to be seen. */
struct frame {
    double low[2], scale; /* pixels of 1 */
};

static struct frame
frame_of(const double *scores, size_t n)
{
    struct frame frame = {.scale = 0.0};
    double most[2], length;

    for (size_t k = 0; k < 2; k++) {
        frame.low[k] = INFINITY;
        most[k] = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            frame.low[k] = fmin(frame.low[k], scores[k * n + i]);
            most[k] = fmax(most[k], scores[k * n + i]);
        }
    }
    length = fmax(most[0] - frame.low[0], most[1] - frame.low[1]);
    length = length > 0.0 ? length : 1.0;
    for (size_t k = 0; k < 2; k++)
        frame.low[k] = (frame.low[k] + most[k] - length) / 2.0;
    frame.scale = SIDE / length;
    return frame;
}

static void
draw_axes(struct hpm_picture *picture, const struct frame *frame,
          const struct hpm_components *components)
{
    double x = LEFT - 8 - frame->low[0] * frame->scale + 8;
    double y = UPPER + SIDE + frame->low[1] * frame->scale;
    double sum = 0.0;

    for (size_t k = 0; k < components->n; k++)
        sum += components->values[k];
    if (x >= LEFT && x <= LEFT + SIDE)
        hpm_picture_add_line(picture, HPM_INK_SCALE, x, UPPER, x, UPPER + SIDE);
    if (y >= UPPER && y <= UPPER + SIDE)
        hpm_picture_add_line(picture, HPM_INK_SCALE, LEFT, y, LEFT + SIDE, y);
    for (size_t k = 0; k < 2; k++) {
        const struct hpm_picture_shape shape = {
            .kind = HPM_SHAPE_WORDS,
            .ink = HPM_INK_MARK,
            .at = {{k == 0 ? LEFT + SIDE / 2.0 : LEFT - 20.0,
                    k == 0 ? UPPER + SIDE + 28.0 : UPPER + SIDE / 2.0}},
            .n_at = 1,
            .anchor = HPM_ANCHOR_MIDDLE,
            .is_upright = k == 1};
        struct hpm_string words = {0};

        hpm_string_add_format(&words, "component %zu (", k + 1);
        hpm_string_add_fixed(&words, 100.0 * components->values[k] / sum, 0);
        hpm_string_add(&words, " % of the spread)");
        hpm_picture_add(picture, &shape, hpm_string_text(&words));
        hpm_string_finish(&words, &picture->failed);
    }
}

static void
draw_dots(struct hpm_picture *picture, const struct frame *frame,
          const double *scores, const struct hpm_observations *observations,
          const struct hpm_grouping_of_points *groups)
{
    size_t n = observations->preparation.matrix.n_rows;

    for (size_t i = 0; i < n; i++) {
        const struct hpm_picture_shape shape = {
            .kind = HPM_SHAPE_DOT,
            .ink = groups != NULL && groups->k > 0
                       ? HPM_INK_GROUP + (int)groups->labels[i]
                       : HPM_INK_MARK,
            .at = {{LEFT + (scores[i] - frame->low[0]) * frame->scale,
                    UPPER + SIDE -
                        (scores[n + i] - frame->low[1]) * frame->scale}},
            .n_at = 1};
        struct hpm_string name = {0};

        hpm_pointlabels_add(&name, observations->points,
                            observations->preparation.rows[i]);
        if (shape.ink >= HPM_INK_GROUP)
            hpm_string_add_format(&name, ", group %zu", groups->labels[i] + 1);
        hpm_picture_add(picture, &shape, hpm_string_text(&name));
        hpm_string_finish(&name, &picture->failed);
    }
}

static bool
draw_points(struct hpm_picture *picture,
            const struct hpm_observations *observations,
            const struct hpm_grouping_of_points *groups,
            const struct hpm_components *components)
{
    const struct hpm_matrix *matrix = &observations->preparation.matrix;
    double *scores = hpm_memory_new(2 * matrix->n_rows + 1, sizeof *scores);
    struct frame frame;

    if (scores == NULL)
        return false;
    for (size_t k = 0; k < 2 && k < components->n; k++)
        hpm_components_score(components, matrix, k,
                             scores + k * matrix->n_rows);
    frame = frame_of(scores, matrix->n_rows);
    hpm_string_add(&picture->title,
                   N_("Threads along the two directions in which they differ "
                      "most; near is alike, a colour is a group"));
    picture->width = LEFT + SIDE + 20;
    picture->height = UPPER + SIDE + FOOT;
    draw_axes(picture, &frame, components);
    draw_dots(picture, &frame, scores, observations, groups);
    hpm_memory_free(scores);
    return true;
}

/* ---- bars ---------------------------------------------------------------- */

enum { ROW = 18, NAME = 190, BAR = 200, NUMBER = 60, MOST_ROWS = 24 };

/* A row of a metric: its name and, from `zero` on, a bar with its number. */
static void
draw_bar(struct hpm_picture *picture, size_t row, double zero, double length,
         int ink, double value, int decimals)
{
    double y = UPPER + ROW * (double)row;
    struct hpm_string words = {0};

    if (hpm_f_is_only_large(value))
        hpm_string_add(&words, HPM_F_LARGE);
    else if (isfinite(value))
        hpm_string_add_fixed(&words, value, decimals);
    else
        hpm_string_add(&words, N_("infinite"));
    hpm_picture_add_box(picture, ink, zero, y + 3, zero + length, y + ROW - 3,
                        hpm_string_text(&words));
    hpm_picture_add_words(picture, zero + length + (length < 0.0 ? -4.0 : 4.0),
                          y + ROW - 5.0,
                          length < 0.0 ? HPM_ANCHOR_END : HPM_ANCHOR_BEGIN,
                          hpm_string_text(&words));
    hpm_string_finish(&words, &picture->failed);
}

static void
draw_name(struct hpm_picture *picture, size_t row, const char *name)
{
    hpm_picture_add_words(picture, NAME - 8,
                          UPPER + ROW * (double)(row + 1) - 5, HPM_ANCHOR_END,
                          name);
}

/* Said where not all are there. */
static void
end_rows(struct hpm_picture *picture, size_t n, size_t n_all)
{
    struct hpm_string words = {0};

    if (n < n_all) {
        hpm_string_add_format(&words, N_("and %zu more"), n_all - n);
        draw_name(picture, n, hpm_string_text(&words));
    }
    picture->height = UPPER + ROW * (double)(n + 1) + 10;
    hpm_string_finish(&words, &picture->failed);
}

/* The largest first, by weights of the first component. */
static void
sort_descending(size_t *order, const double *keys, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = i;

        for (; at > 0 && keys[order[at - 1]] < keys[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static size_t
rows_of(size_t n)
{
    return n < MOST_ROWS ? n : MOST_ROWS;
}

static void
draw_weights(struct hpm_picture *picture,
             const struct hpm_observations *observations,
             const struct hpm_components *components, const size_t *order)
{
    size_t n = components->n;

    hpm_string_add(&picture->title,
                   N_("What the two directions are made of: weights of metrics "
                      "in component 1, and 2"));
    picture->width = NAME + 2.0 * (BAR + 2 * NUMBER);
    for (size_t k = 0; k < 2; k++) {
        double zero =
            NAME + NUMBER + BAR / 2.0 + (double)k * (BAR + 2.0 * NUMBER);

        for (size_t i = 0; i < rows_of(n); i++) {
            double weight = components->weights[k * n + order[i]];

            draw_bar(picture, i, zero, weight * BAR / 2.0,
                     HPM_INK_GROUP + (int)k, weight, 2);
        }
        hpm_picture_add_line(picture, HPM_INK_SCALE, zero, UPPER, zero,
                             UPPER + ROW * (double)rows_of(n));
    }
    for (size_t i = 0; i < rows_of(n); i++)
        draw_name(picture, i,
                  hpm_observations_column(observations, order[i])->name);
    end_rows(picture, rows_of(n), n);
}

static bool
has_length(double f)
{
    return isfinite(f) && !hpm_f_is_only_large(f);
}

/* What is infinite, or only large, is as long as the largest that is not. */
static void
draw_ratios(struct hpm_picture *picture, const struct hpm_clusters *clusters,
            const struct hpm_f_ratio *ratios, const size_t *order)
{
    size_t n = clusters->observations->preparation.matrix.n_columns;
    double most = 0.0;

    for (size_t j = 0; j < n; j++) {
        if (has_length(ratios[j].f))
            most = fmax(most, ratios[j].f);
    }
    hpm_string_add(&picture->title,
                   N_("What tells the groups apart: F, the spread between "
                      "groups by that within them"));
    picture->width = NAME + BAR + 2 * NUMBER;
    for (size_t i = 0; i < rows_of(n); i++) {
        double f = ratios[order[i]].f;
        double part = has_length(f) && most > 0.0 ? f / most : 1.0;

        if (isnan(f))
            continue;
        draw_name(
            picture, i,
            hpm_observations_column(clusters->observations, order[i])->name);
        draw_bar(picture, i, NAME, part * BAR, HPM_INK_MARK, f, 1);
    }
    end_rows(picture, rows_of(n), n);
}

/* ---- all of them ---------------------------------------------------------- */

static bool
draw_components(struct hpm_kindpictures *pictures,
                const struct hpm_clusters *clusters, size_t *order)
{
    const struct hpm_observations *observations = clusters->observations;
    struct hpm_components components;
    bool is_good =
        hpm_components_init(&components, &observations->preparation.matrix);

    if (!is_good)
        return false;
    if (components.n >= 2) {
        is_good = draw_points(&pictures->all[HPM_KINDPICTURE_POINTS],
                              observations, &clusters->groups, &components);
        sort_descending(order, components.weights, components.n);
        draw_weights(&pictures->all[HPM_KINDPICTURE_WEIGHTS], observations,
                     &components, order);
    }
    hpm_components_clear(&components);
    return is_good;
}

static bool
draw_groups(struct hpm_kindpictures *pictures,
            const struct hpm_clusters *clusters, size_t *order, double *keys)
{
    const struct hpm_matrix *matrix =
        &clusters->observations->preparation.matrix;
    struct hpm_f_ratio *ratios =
        hpm_memory_new(matrix->n_columns + 1, sizeof *ratios);

    if (ratios == NULL)
        return false;
    hpm_grouping_f_ratios(&clusters->groups, matrix, ratios);
    for (size_t j = 0; j < matrix->n_columns; j++)
        keys[j] = ratios[j].f;
    sort_descending(order, keys, matrix->n_columns);
    draw_ratios(&pictures->all[HPM_KINDPICTURE_RATIOS], clusters, ratios,
                order);
    hpm_memory_free(ratios);
    return true;
}

static bool
are_whole(const struct hpm_kindpictures *pictures)
{
    bool are_good = true;

    for (size_t i = 0; i < HPM_N_KINDPICTURES; i++)
        are_good &= !pictures->all[i].failed && !pictures->all[i].title.failed;
    return are_good;
}

bool
hpm_kindpictures_draw(struct hpm_kindpictures *pictures,
                      const struct hpm_clusters *clusters)
{
    size_t n = clusters->observations->preparation.matrix.n_columns;
    size_t *order = hpm_memory_new(n + 1, sizeof *order);
    double *keys = hpm_memory_new(n + 1, sizeof *keys);
    bool is_good = order != NULL && keys != NULL;

    if (is_good && clusters->groups.k > 1)
        is_good = draw_groups(pictures, clusters, order, keys) &&
                  hpm_kindmembers_take(&pictures->members, clusters);
    if (is_good)
        is_good = draw_components(pictures, clusters, order);
    if (is_good && clusters->tree.n_points > 0)
        hpm_clusters_draw(clusters, &pictures->all[HPM_KINDPICTURE_TREE], NULL);
    hpm_memory_free(order);
    hpm_memory_free(keys);
    is_good = is_good && are_whole(pictures);
    if (!is_good)
        hpm_kindpictures_clear(pictures);
    return is_good;
}

void
hpm_kindpictures_add_json(const struct hpm_kindpictures *pictures,
                          struct hpm_string *json)
{
    bool is_first = true;

    hpm_string_add_char(json, '[');
    for (size_t i = 0; i < HPM_N_KINDPICTURES; i++) {
        if (pictures->all[i].n == 0)
            continue;
        hpm_string_add(json, is_first ? "\n" : ",\n");
        hpm_picture_add_json(&pictures->all[i], json);
        is_first = false;
    }
    hpm_string_add_char(json, ']');
}
