/* SPDX-License-Identifier: BSD-3-Clause
 * Shapes as SVG and JSON. */
#include "study/analysis/picture.h"

#include <string.h>

#include "host/memory.h"
#include "study/report/format.h"

/* ---- shapes ------------------------------------------------------------ */

void
hpm_picture_clear(struct hpm_picture *picture)
{
    for (size_t i = 0; i < picture->n; i++)
        hpm_memory_free(picture->shapes[i].words);
    hpm_memory_free(picture->shapes);
    hpm_string_free(&picture->title);
    *picture = (struct hpm_picture){0};
}

void
hpm_picture_add(struct hpm_picture *picture,
                const struct hpm_picture_shape *shape, const char *words)
{
    char *copy = hpm_memory_copy_text(words);

    if ((words != NULL && copy == NULL) ||
        !hpm_memory_grow(&picture->shapes, &picture->capacity, picture->n + 1,
                         sizeof *shape)) {
        hpm_memory_free(copy);
        picture->failed = true;
        return;
    }
    picture->shapes[picture->n] = *shape;
    picture->shapes[picture->n++].words = copy;
}

void
hpm_picture_add_line(struct hpm_picture *picture, int ink, double x, double y,
                     double x2, double y2)
{
    const struct hpm_picture_shape shape = {.kind = HPM_SHAPE_LINE,
                                            .ink = ink,
                                            .at = {{x, y}, {x2, y2}},
                                            .n_at = 2};

    hpm_picture_add(picture, &shape, NULL);
}

void
hpm_picture_add_box(struct hpm_picture *picture, int ink, double x, double y,
                    double x2, double y2, const char *words)
{
    const struct hpm_picture_shape shape = {
        .kind = HPM_SHAPE_BOX,
        .ink = ink,
        .at = {{x < x2 ? x : x2, y}, {x < x2 ? x2 : x, y2}},
        .n_at = 2};

    hpm_picture_add(picture, &shape, words);
}

void
hpm_picture_add_words(struct hpm_picture *picture, double x, double y,
                      enum hpm_picture_anchor anchor, const char *words)
{
    const struct hpm_picture_shape shape = {.kind = HPM_SHAPE_WORDS,
                                            .ink = HPM_INK_MARK,
                                            .at = {{x, y}},
                                            .n_at = 1,
                                            .anchor = anchor};

    hpm_picture_add(picture, &shape, words);
}

/* ---- SVG --------------------------------------------------------------- */

static void
add_escaped(struct hpm_string *string, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<')
            hpm_string_add(string, "&lt;");
        else if (*text == '&')
            hpm_string_add(string, "&amp;");
        else
            hpm_string_add_char(string, *text);
    }
}

static void
add_number(struct hpm_string *string, const char *name, double value)
{
    hpm_string_add_format(string, " %s=\"", name);
    hpm_string_add_fixed(string, value, 1);
    hpm_string_add_char(string, '"');
}

static void
add_class(struct hpm_string *string, int ink)
{
    if (ink == HPM_INK_SCALE)
        hpm_string_add(string, " class=\"scale\"");
    else if (ink >= HPM_INK_GROUP)
        hpm_string_add_format(string, " class=\"g%d\"",
                              (ink - HPM_INK_GROUP) % 10);
}

static void
add_line(struct hpm_string *string, const struct hpm_picture_shape *shape)
{
    hpm_string_add(string, "<polyline points=\"");
    for (size_t i = 0; i < shape->n_at; i++) {
        hpm_string_add_fixed(string, shape->at[i].x, 1);
        hpm_string_add_char(string, ',');
        hpm_string_add_fixed(string, shape->at[i].y, 1);
        hpm_string_add_char(string, ' ');
    }
    hpm_string_add_char(string, '"');
    add_class(string, shape->ink);
    hpm_string_add(string, "/>\n");
}

static void
add_area(struct hpm_string *string, const struct hpm_picture_shape *shape)
{
    if (shape->kind == HPM_SHAPE_BOX) {
        hpm_string_add(string, "<rect");
        add_number(string, "x", shape->at[0].x);
        add_number(string, "y", shape->at[0].y);
        add_number(string, "width", shape->at[1].x - shape->at[0].x);
        add_number(string, "height", shape->at[1].y - shape->at[0].y);
    } else {
        hpm_string_add(string, "<circle r=\"4\"");
        add_number(string, "cx", shape->at[0].x);
        add_number(string, "cy", shape->at[0].y);
    }
    add_class(string, shape->ink);
    hpm_string_add(string, "><title>");
    add_escaped(string, shape->words != NULL ? shape->words : "");
    hpm_string_add(string, shape->kind == HPM_SHAPE_BOX
                               ? "</title></rect>\n"
                               : "</title></circle>\n");
}

static void
add_words(struct hpm_string *string, const struct hpm_picture_shape *shape)
{
    static const char *const anchors[] = {"start", "middle", "end"};

    hpm_string_add(string, "<text transform=\"translate(");
    hpm_string_add_fixed(string, shape->at[0].x, 1);
    hpm_string_add_char(string, ' ');
    hpm_string_add_fixed(string, shape->at[0].y, 1);
    hpm_string_add_format(string, ")%s\" text-anchor=\"%s\">",
                          shape->is_upright ? " rotate(-90)" : "",
                          anchors[shape->anchor]);
    add_escaped(string, shape->words != NULL ? shape->words : "");
    hpm_string_add(string, "</text>\n");
}

void
hpm_picture_add_svg(const struct hpm_picture *picture,
                    struct hpm_string *string)
{
    enum { HEAD = 30 };

    hpm_string_add_format(
        string,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
        "height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n"
        "<style>.ground{fill:#fff} polyline{fill:none;stroke:#246} "
        ".scale{stroke:#ddd} rect,circle{fill:#246}\n"
        ".g0{fill:#2f6fb2} .g1{fill:#a35a00} .g2{fill:#1d7f68} "
        ".g3{fill:#96488a} .g4{fill:#7b5e1d}\n"
        ".g5{fill:#3a6ea8} .g6{fill:#b04a2f} .g7{fill:#4f7a28} "
        ".g8{fill:#5b6675} .g9{fill:#222}</style>\n"
        "<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n"
        "<text x=\"8\" y=\"20\">",
        (int)picture->width, (int)picture->height + HEAD);
    add_escaped(string, hpm_string_text(&picture->title));
    hpm_string_add_format(string,
                          "</text>\n<g transform=\"translate(0 %d)\">\n", HEAD);
    for (size_t i = 0; i < picture->n; i++) {
        const struct hpm_picture_shape *shape = &picture->shapes[i];

        if (shape->kind == HPM_SHAPE_LINE)
            add_line(string, shape);
        else if (shape->kind == HPM_SHAPE_WORDS)
            add_words(string, shape);
        else
            add_area(string, shape);
    }
    hpm_string_add(string, "</g>\n</svg>\n");
    string->failed |= picture->failed || picture->title.failed;
}

/* ---- JSON --------------------------------------------------------------- */

static void
add_shape(struct hpm_string *json, const struct hpm_picture_shape *shape)
{
    static const char *const kinds[] = {"line", "box", "dot", "words"};

    hpm_string_add_format(json, "[\"%s\",%d", kinds[shape->kind], shape->ink);
    for (size_t i = 0; i < shape->n_at; i++) {
        hpm_string_add_char(json, ',');
        hpm_string_add_fixed(json, shape->at[i].x, 1);
        hpm_string_add_char(json, ',');
        hpm_string_add_fixed(json, shape->at[i].y, 1);
    }
    if (shape->kind == HPM_SHAPE_WORDS)
        hpm_string_add_format(json, ",%d,%d", (int)shape->anchor,
                              shape->is_upright);
    if (shape->kind != HPM_SHAPE_LINE) {
        hpm_string_add_char(json, ',');
        hpm_json_add_text(json, shape->words != NULL ? shape->words : "");
    }
    hpm_string_add_char(json, ']');
}

void
hpm_picture_add_json(const struct hpm_picture *picture, struct hpm_string *json)
{
    hpm_string_add(json, "{\"title\":");
    hpm_json_add_text(json, hpm_string_text(&picture->title));
    hpm_string_add_format(json, ",\"width\":%d,\"height\":%d,\"shapes\":[",
                          (int)picture->width, (int)picture->height);
    for (size_t i = 0; i < picture->n; i++) {
        hpm_string_add(json, i > 0 ? ",\n" : "\n");
        add_shape(json, &picture->shapes[i]);
    }
    hpm_string_add(json, "]}");
    json->failed |= picture->failed || picture->title.failed;
}
