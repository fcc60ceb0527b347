/* SPDX-License-Identifier: BSD-3-Clause
 * A picture as a list of shapes: what analyses draw once, and files, pages and
 * windows paint, each in colours of its own. */
#ifndef HPM_STUDY_ANALYSIS_PICTURE_H
#define HPM_STUDY_ANALYSIS_PICTURE_H

#include "base/string.h"

enum hpm_picture_kind {
    HPM_SHAPE_LINE,  /* through 2 to 4 places */
    HPM_SHAPE_BOX,   /* between two corners */
    HPM_SHAPE_DOT,   /* around a place */
    HPM_SHAPE_WORDS, /* that stand at a place */
};

/* What a shape is, and so its colour. */
enum hpm_picture_ink {
    HPM_INK_MARK,  /* what is shown */
    HPM_INK_SCALE, /* what it is measured by */
    HPM_INK_GROUP, /* + number of the group, from 0 */
};

enum hpm_picture_anchor { HPM_ANCHOR_BEGIN, HPM_ANCHOR_MIDDLE, HPM_ANCHOR_END };

struct hpm_picture_shape {
    enum hpm_picture_kind kind;
    int ink;
    struct hpm_picture_place {
        double x, y; /* to the right and down, as pixels */
    } at[4];
    size_t n_at;
    enum hpm_picture_anchor anchor; /* which part of words is at the place */
    bool is_upright;                /* they are read from below */
    char *words;                    /* or what a box or dot is; NULL: nothing */
};

/* Start from {0}; the title stands above it. */
struct hpm_picture {
    struct hpm_string title;
    double width, height;
    struct hpm_picture_shape *shapes;
    size_t n, capacity;
    bool failed; /* no memory: it is not whole */
};

void hpm_picture_clear(struct hpm_picture *picture);

/* Add a shape, whose words are copied. */
void hpm_picture_add(struct hpm_picture *picture,
                     const struct hpm_picture_shape *shape, const char *words);

/* The usual ones. */
void hpm_picture_add_line(struct hpm_picture *picture, int ink, double x,
                          double y, double x2, double y2);
void hpm_picture_add_box(struct hpm_picture *picture, int ink, double x,
                         double y, double x2, double y2, const char *words);
void hpm_picture_add_words(struct hpm_picture *picture, double x, double y,
                           enum hpm_picture_anchor anchor, const char *words);

/* As a file of its own. */
void hpm_picture_add_svg(const struct hpm_picture *picture,
                         struct hpm_string *string);

/* {"title", "width", "height", "shapes"}, of these each
 * ["line", ink, x, y, ...], ["box", ink, x, y, x, y, words],
 * ["dot", ink, x, y, words] or ["words", ink, x, y, anchor, upright, words]. */
void hpm_picture_add_json(const struct hpm_picture *picture,
                          struct hpm_string *json);

#endif
