/* SPDX-License-Identifier: BSD-3-Clause
 * How single calls of a section differ, as pictures. */
#include "study/analysis/callpictures.h"

#include <math.h>

#include "base/mark.h"
#include "study/analysis/callvalues.h"
#include "study/points/pointlabels.h"
#include "study/report/human.h"

enum { LEFT = 130, RIGHT = 90, BREADTH = 480, TITLE = 26, GAP = 24 };

/* Where the next column's part begins. */
struct drawing {
    struct hpm_picture *picture;
    struct hpm_callvalues values;
    double y;
};

static void
add_value(struct drawing *drawing, double x, double y,
          enum hpm_picture_anchor anchor, const char *before, double value)
{
    struct hpm_string words = {0};

    hpm_string_add(&words, before);
    hpm_human_add(&words, value, drawing->values.column->unit);
    hpm_picture_add_words(drawing->picture, x, y, anchor,
                          hpm_string_text(&words));
    hpm_string_finish(&words, &drawing->picture->failed);
}

static void
begin_column(struct drawing *drawing)
{
    hpm_picture_add_words(drawing->picture, LEFT, drawing->y + TITLE - 8.0,
                          HPM_ANCHOR_BEGIN, drawing->values.column->name);
    drawing->y += TITLE;
}

/* ---- the histogram ------------------------------------------------------ */

enum { ROW = 16 };

static void
draw_bin(struct drawing *drawing, const struct hpm_callbins *bins, size_t bin,
         double most)
{
    double share = 100.0 * bins->weights[bin] / drawing->values.weight;
    double right = LEFT + BREADTH * bins->weights[bin] / most;
    struct hpm_string words = {0};

    hpm_string_add_fixed(&words, share, 1);
    hpm_string_add(&words, " %");
    add_value(drawing, LEFT - 6.0, drawing->y + ROW - 4.0, HPM_ANCHOR_END,
              bin == 0                  ? "below "
              : bin == HPM_CALLBINS + 1 ? "above "
                                        : "from ",
              hpm_callbins_edge(bins, bin == 0 ? 1 : bin));
    hpm_picture_add_box(drawing->picture, HPM_INK_MARK, LEFT, drawing->y + 1.0,
                        right, drawing->y + ROW - 1.0, hpm_string_text(&words));
    hpm_picture_add_words(drawing->picture, right + 4.0, drawing->y + ROW - 4.0,
                          HPM_ANCHOR_BEGIN, hpm_string_text(&words));
    hpm_string_finish(&words, &drawing->picture->failed);
    drawing->y += ROW;
}

static bool
draw_histogram(struct drawing *drawing)
{
    struct hpm_callbins bins;
    double most = 0.0;

    if (!hpm_callvalues_has_bins(&drawing->values))
        return false;
    hpm_callvalues_bins(&drawing->values, &bins);
    begin_column(drawing);
    for (size_t i = 0; i < HPM_CALLBINS + 2; i++)
        most = fmax(most, bins.weights[i]);
    for (size_t i = 0; i < HPM_CALLBINS + 2; i++) {
        if (bins.weights[i] > 0.0 || (i > 0 && i < HPM_CALLBINS + 1))
            draw_bin(drawing, &bins, i, most);
    }
    return true;
}

/* ---- drift --------------------------------------------------------------- */

enum { HEIGHT = 200, MOST_DOTS = 1000 };

/* Seconds across, the column's unit upwards. */
struct frame {
    double left, right, low, high;
};

static double
x_of(const struct frame *frame, double begin)
{
    return LEFT +
           BREADTH * (begin - frame->left) / (frame->right - frame->left);
}

static double
y_of(const struct drawing *drawing, const struct frame *frame, double value)
{
    value = fmin(fmax(value, frame->low), frame->high);
    return drawing->y +
           HEIGHT * (frame->high - value) / (frame->high - frame->low);
}

/* A few calls far from the others stand at the upper or lower end, for else these
 * would be a line. */
static struct frame
frame_of(const struct hpm_callvalues *values)
{
    double low = hpm_callvalues_quantile(values, 0.01);
    double high = hpm_callvalues_quantile(values, 0.99);
    double margin = (high - low) / 2.0;

    return (struct frame){
        .low = fmax(values->all[0].value, low - margin),
        .high = fmin(values->all[values->n - 1].value, high + margin)};
}

static void
draw_scales(struct drawing *drawing, const struct frame *frame)
{
    double foot = drawing->y + HEIGHT;

    for (int i = 0; i <= 4; i++) {
        double value = frame->low + (frame->high - frame->low) * i / 4.0;
        double y = y_of(drawing, frame, value);

        hpm_picture_add_line(drawing->picture, HPM_INK_SCALE, LEFT, y,
                             LEFT + BREADTH, y);
        add_value(drawing, LEFT - 6.0, y + 4.0, HPM_ANCHOR_END, "", value);
    }
    for (int i = 0; i <= 2; i++) {
        struct hpm_string words = {0};
        double begin = frame->left + (frame->right - frame->left) * i / 2.0;

        hpm_human_add(&words, begin, "s");
        hpm_picture_add_words(drawing->picture, x_of(frame, begin), foot + 14.0,
                              HPM_ANCHOR_MIDDLE, hpm_string_text(&words));
        hpm_string_finish(&words, &drawing->picture->failed);
    }
}

/* Of many calls some, that stand evenly in their order. */
static void
draw_dots(struct drawing *drawing, const struct frame *frame)
{
    const struct hpm_callvalues *values = &drawing->values;
    size_t n = values->n < MOST_DOTS ? values->n : MOST_DOTS;

    for (size_t i = 0; i < n; i++) {
        const struct hpm_callvalue *call = &values->all[i * values->n / n];
        const struct hpm_picture_shape shape = {
            .kind = HPM_SHAPE_DOT,
            .ink = HPM_INK_GROUP,
            .at = {{x_of(frame, call->begin),
                    y_of(drawing, frame, call->value)}},
            .n_at = 1};
        struct hpm_string words = {0};

        hpm_pointlabels_add(&words, values->points, call->point);
        hpm_string_add(&words, ": ");
        hpm_human_add(&words, call->value, values->column->unit);
        hpm_picture_add(drawing->picture, &shape, hpm_string_text(&words));
        hpm_string_finish(&words, &drawing->picture->failed);
    }
}

/* From where its calls begin to where they end. */
static void
draw_median(struct drawing *drawing, const struct frame *frame, size_t first,
            size_t last, double median)
{
    const struct hpm_callvalue *all = drawing->values.all;
    double y = y_of(drawing, frame, median);

    hpm_picture_add_line(drawing->picture, HPM_INK_MARK,
                         x_of(frame, all[first].begin), y,
                         x_of(frame, all[last].begin), y);
    add_value(drawing,
              (x_of(frame, all[first].begin) + x_of(frame, all[last].begin)) /
                  2.0,
              y - 6.0, HPM_ANCHOR_MIDDLE, "median ", median);
}

/* False when there is no memory. */
static bool
draw_drift(struct drawing *drawing, bool *ret_is_there)
{
    struct hpm_callvalues *values = &drawing->values;
    struct hpm_calldrift drift;
    struct frame frame = {0};

    *ret_is_there = false;
    if (values->n >= 2)
        frame = frame_of(values);
    if (!hpm_callvalues_drift(values, &drift))
        return false;
    if (!(frame.high > frame.low) ||
        !(values->all[values->n - 1].begin > values->all[0].begin))
        return true;
    frame.left = values->all[0].begin;
    frame.right = values->all[values->n - 1].begin;
    begin_column(drawing);
    draw_scales(drawing, &frame);
    draw_dots(drawing, &frame);
    if (isfinite(drift.ratio)) {
        draw_median(drawing, &frame, 0, values->n / 3 - 1, drift.first);
        draw_median(drawing, &frame, values->n - values->n / 3, values->n - 1,
                    drift.last);
    }
    drawing->y += HEIGHT + GAP;
    *ret_is_there = true;
    return true;
}

/* ---- all columns ----------------------------------------------------------- */

static void
add_title(struct hpm_picture *picture, const struct hpm_points *points,
          enum hpm_callpicture which)
{
    struct hpm_string name = {0};

    hpm_survey_add_name(points->survey, points->all[0].subject, &name);
    hpm_string_add_format(
        &picture->title,
        which == HPM_CALLPICTURE_HISTOGRAM
            ? N_("%s: which part of all calls is in each range; %zu were kept")
            : N_("%s: calls by when they began; %zu were kept"),
        hpm_string_text(&name), points->n);
    hpm_string_finish(&name, &picture->failed);
    picture->width = LEFT + BREADTH + RIGHT;
}

/* False when there is no memory. */
static bool
draw_columns(struct drawing *drawing, const struct hpm_points *points,
             enum hpm_callpicture which, size_t *ret_n)
{
    for (size_t i = 0; i < points->n_columns; i++) {
        bool is_there;

        hpm_callvalues_take(&drawing->values, &points->columns[i]);
        if (which == HPM_CALLPICTURE_HISTOGRAM)
            is_there = draw_histogram(drawing);
        else if (!draw_drift(drawing, &is_there))
            return false;
        *ret_n += is_there;
    }
    return true;
}

/* As draw_histogram and draw_drift have it. */
static bool
refuse(enum hpm_callpicture which, struct hpm_error *err)
{
    if (which == HPM_CALLPICTURE_HISTOGRAM)
        return hpm_error_set(
            err,
            "there is nothing to draw: a histogram needs a column of at least "
            "%d calls whose quantiles of 1 %% and 99 %% differ; hpm calls "
            "without --format svg shows the values",
            HPM_CALLBINS_LEAST);
    return hpm_error_set(
        err,
        "there is nothing to draw: a picture of drift needs a column of "
        "at least 2 calls that began at different times, and whose "
        "quantiles of 1 %% and 99 %% differ; hpm calls without --format svg "
        "shows the values");
}

bool
hpm_callpicture_draw(struct hpm_picture *picture,
                     const struct hpm_points *points,
                     enum hpm_callpicture which, struct hpm_error *err)
{
    struct drawing drawing = {.picture = picture};
    size_t n = 0;
    bool is_good = hpm_callvalues_init(&drawing.values, points);

    if (is_good) {
        add_title(picture, points, which);
        is_good = draw_columns(&drawing, points, which, &n);
        picture->height = drawing.y + GAP;
        hpm_callvalues_clear(&drawing.values);
    }
    if (!is_good || picture->failed)
        return hpm_error_no_memory(err);
    return n > 0 || refuse(which, err);
}
