/* SPDX-License-Identifier: BSD-3-Clause
 * Events counted alone and shared, compared by section. */
#include "hpm/campaign/auditing.h"

#include <math.h>
#include <string.h>

#include "file/writer.h"
#include "host/memory.h"
#include "hpm/campaign/audited.h"
#include "report/table.h"
#include "report/text.h"
#include "study/columns/standarderror.h"
#include "study/report/tablewords.h"

/* ---- values ----------------------------------------------------------- */

/* The same section in both studies; HPM_NO_INDEX where a study lacks it. */
struct pair {
    const char *name;
    const struct audited *of_alone, *of_shared;
    uint32_t alone, shared;
};

static void
judge(struct audit_line *line)
{
    const struct hpm_number *shared = line->shared.numbers;
    double alone = hpm_number_to_real(line->alone.numbers[HPM_FIELD_VALUE]);

    line->interval = line->ratio = line->reach = NAN;
    if (line->shared.state == HPM_STATE_SHARED && !isnan(alone))
        line->interval = hpm_standarderror_reach(shared[HPM_FIELD_ERROR],
                                                 shared[HPM_FIELD_FREEDOM]);
    if (!(alone > 0.0))
        return;
    line->ratio = hpm_number_to_real(shared[HPM_FIELD_VALUE]) / alone;
    line->reach = line->interval / alone;
}

/* Only counters take turns: not calls, nor resources of the run. */
static bool
is_event(const struct hpm_column *column)
{
    return column->kind == HPM_COLUMN_COUNTER &&
           strcmp(column->name, "Count") != 0 &&
           strncmp(column->name, "ru::", 4) != 0 &&
           strncmp(column->name, "proc::", 6) != 0;
}

/* Add the line of an event in a section, which one of the studies may lack. */
static bool
add_line(struct auditing *auditing, const struct pair *pair, const char *event)
{
    uint32_t column = hpm_study_find_named(auditing->alone, event);
    uint32_t other = hpm_study_find_named(auditing->shared, event);
    struct audit_line line = {.section = pair->name,
                              .event = event,
                              .is_alone_there = pair->alone != HPM_NO_INDEX,
                              .is_shared_there = pair->shared != HPM_NO_INDEX};

    if (column == HPM_NO_INDEX || other == HPM_NO_INDEX ||
        (line.is_alone_there &&
         !audited_sum(pair->of_alone, pair->alone, column, &line.alone)) ||
        (line.is_shared_there &&
         !audited_sum(pair->of_shared, pair->shared, other, &line.shared)))
        return true;
    judge(&line);
    if (!hpm_memory_grow(&auditing->lines, &auditing->capacity,
                         auditing->n_lines + 1, sizeof *auditing->lines))
        return false;
    auditing->lines[auditing->n_lines++] = line;
    return true;
}

static bool
add_lines(struct auditing *auditing, const struct pair *pair)
{
    const struct hpm_study *of = auditing->alone;

    for (uint32_t i = 0; i < of->n_columns; i++) {
        if (is_event(&of->columns[i]) &&
            !add_line(auditing, pair, of->columns[i].name))
            return false;
    }
    return true;
}

/* Add the sections of the runs alone, then those that only the shared run
 * has. */
static bool
add_all(struct auditing *auditing, const struct audited *alone,
        const struct audited *shared)
{
    struct pair pair = {.of_alone = alone, .of_shared = shared};

    for (uint32_t i = 0; i < alone->study->n_sections; i++) {
        pair.name = alone->sections[i].name;
        pair.alone = i;
        pair.shared = audited_find(shared, alone->sections[i].key);
        if (!add_lines(auditing, &pair))
            return false;
    }
    pair.alone = HPM_NO_INDEX;
    for (uint32_t i = 0; i < shared->study->n_sections; i++) {
        pair.name = shared->sections[i].name;
        pair.shared = i;
        if (audited_find(alone, shared->sections[i].key) == HPM_NO_INDEX &&
            !add_lines(auditing, &pair))
            return false;
    }
    return true;
}

bool
auditing_fill(struct auditing *auditing)
{
    struct audited alone = {0}, shared = {0};
    bool is_good = audited_open(&alone, auditing->alone, auditing->alone) &&
                   audited_open(&shared, auditing->shared, auditing->alone) &&
                   add_all(auditing, &alone, &shared);

    audited_close(&alone);
    audited_close(&shared);
    return is_good;
}

void
auditing_clear(struct auditing *auditing)
{
    hpm_memory_free(auditing->lines);
    hpm_study_free(auditing->alone);
    hpm_study_free(auditing->shared);
}

static bool
is_inside(const struct audit_line *line)
{
    const struct hpm_number *alone = line->alone.numbers;
    const struct hpm_number *shared = line->shared.numbers;

    return fabs(hpm_number_to_real(shared[HPM_FIELD_VALUE]) -
                hpm_number_to_real(alone[HPM_FIELD_VALUE])) <= line->interval;
}

void
auditing_count(const struct auditing *auditing, size_t *ret_n_inside,
               size_t *ret_n)
{
    *ret_n_inside = *ret_n = 0;
    for (size_t i = 0; i < auditing->n_lines; i++) {
        *ret_n += !isnan(auditing->lines[i].interval);
        *ret_n_inside += is_inside(&auditing->lines[i]);
    }
}

/* ---- text ------------------------------------------------------------- */

static const char *
finding_of(const struct audit_line *line)
{
    if (!line->is_alone_there)
        return "only in the shared run";
    if (!line->is_shared_there)
        return "not in the shared run";
    if (!hpm_state_has_value(line->alone.state))
        return "not counted alone";
    if (line->shared.state == HPM_STATE_BRIEF)
        return "too short to tell";
    if (!hpm_state_has_value(line->shared.state))
        return "never on the hardware";
    if (line->shared.state != HPM_STATE_SHARED)
        return "counted all the time";
    if (isnan(line->interval))
        return "error not known";
    return is_inside(line) ? "inside" : "outside";
}

static void
add_number(struct hpm_table *table, struct hpm_number number)
{
    if (number.kind == HPM_NUMBER_COUNT)
        hpm_table_add_count(table, number.amount);
    else
        hpm_table_add_real(table, hpm_number_to_real(number));
}

void
auditing_add_text(struct hpm_string *string, const struct auditing *auditing)
{
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "section", NULL, 0);
    hpm_table_add_column(&table, "event", NULL, 0);
    hpm_table_add_column(&table, "alone", NULL, 0);
    hpm_table_add_column(&table, "shared", NULL, 0);
    hpm_table_add_column(&table, "ratio", NULL, 4);
    hpm_table_add_column(&table, "+- 95 %", NULL, 4);
    hpm_table_add_column(&table, "share", NULL, 2);
    hpm_table_add_column(&table, "windows", NULL, 0);
    hpm_table_add_column(&table, "truth in interval", NULL, 0);
    for (size_t i = 0; i < auditing->n_lines; i++) {
        const struct audit_line *line = &auditing->lines[i];
        const struct hpm_number *shared = line->shared.numbers;

        hpm_table_add_text(&table, line->section);
        hpm_table_add_text(&table, line->event);
        add_number(&table, line->alone.numbers[HPM_FIELD_VALUE]);
        add_number(&table, shared[HPM_FIELD_VALUE]);
        hpm_table_add_real(&table, line->ratio);
        hpm_table_add_real(&table, line->reach);
        hpm_table_add_real(&table, hpm_number_to_real(shared[HPM_FIELD_SHARE]));
        add_number(&table, shared[HPM_FIELD_WINDOWS]);
        hpm_table_add_text(&table, finding_of(line));
    }
    hpm_tablewords_add(string, &table, NULL);
    hpm_table_finish(&table, &string->failed);
}

/* ---- drawing ---------------------------------------------------------- */

enum { LEFT = 260, WIDTH = 400, ROW = 18, TOP = 40 };

/* Half of the width of the axis, whose middle is 1. */
static double
half_of_axis(const struct auditing *auditing)
{
    double half = 0.05;

    for (size_t i = 0; i < auditing->n_lines; i++) {
        double far = fabs(auditing->lines[i].ratio - 1.0);

        if (!isnan(auditing->lines[i].reach))
            far = fmax(far, auditing->lines[i].reach);
        if (far > half)
            half = far;
    }
    return half > 1.0 ? 1.0 : half;
}

static double
part_of_axis(double ratio, double half)
{
    return 0.5 + (ratio - 1.0) / (2.2 * half);
}

/* Within the drawing; a value beyond gets an arrow (add_arrow). */
static double
x_of(double ratio, double half)
{
    return LEFT + WIDTH * fmin(fmax(part_of_axis(ratio, half), 0.0), 1.0);
}

static bool
is_on_axis(double ratio, double half)
{
    double part = part_of_axis(ratio, half);

    return part >= 0.0 && part <= 1.0;
}

static void
add_fixed(struct hpm_string *string, const char *before, double value,
          const char *after)
{
    hpm_string_add(string, before);
    hpm_string_add_fixed(string, value, 2);
    hpm_string_add(string, after);
}

/* An arrow at the edge of the drawing for a value beyond. */
static void
add_arrow(struct hpm_string *string, double ratio, double half, double y,
          const char *colour)
{
    if (is_on_axis(ratio, half))
        return;
    add_fixed(string, "<path d=\"M", x_of(ratio, half), " ");
    add_fixed(string, "", y, ratio < 1.0 ? "l6 -4v8z\"" : "l-6 -4v8z\"");
    hpm_string_add_format(string, " fill=\"%s\"/>\n", colour);
}

static void
add_interval(struct hpm_string *string, const struct audit_line *line,
             double half, double y, const char *colour)
{
    double from = line->ratio - line->reach, to = line->ratio + line->reach;

    add_fixed(string, "<path d=\"M", x_of(from, half), "");
    add_fixed(string, " ", y, "");
    add_fixed(string, "H", x_of(to, half), "\"");
    hpm_string_add_format(string, " stroke=\"%s\"/>\n", colour);
    add_arrow(string, from, half, y, colour);
    add_arrow(string, to, half, y, colour);
}

/* A point with its interval; nothing without a ratio. */
static void
add_point(struct hpm_string *string, const struct audit_line *line, double half,
          double y)
{
    const char *colour = isnan(line->reach) ? "#555"
                         : is_inside(line)  ? "#1a6"
                                            : "#c22";

    if (isnan(line->ratio))
        return;
    if (!isnan(line->reach))
        add_interval(string, line, half, y, colour);
    add_arrow(string, line->ratio, half, y, colour);
    if (!is_on_axis(line->ratio, half))
        return;
    add_fixed(string, "<circle cx=\"", x_of(line->ratio, half), "\"");
    add_fixed(string, " cy=\"", y, "\" r=\"3\"");
    hpm_string_add_format(string, " fill=\"%s\"/>\n", colour);
}

static void
add_axis(struct hpm_string *string, double half, double height)
{
    const double ratios[] = {1.0 - half, 1.0, 1.0 + half};

    for (int i = 0; i < 3; i++) {
        double x = x_of(ratios[i], half);

        add_fixed(string, "<path d=\"M", x, " 30");
        add_fixed(string, "V", height, "\" stroke=\"#bbb\"/>\n");
        add_fixed(string, "<text x=\"", x,
                  "\" y=\"24\" text-anchor=\"middle\">");
        hpm_string_add_fixed(string, ratios[i], 3);
        hpm_string_add(string, "</text>\n");
    }
}

void
auditing_add_svg(struct hpm_string *string, const struct auditing *auditing)
{
    double half = half_of_axis(auditing);
    size_t height = TOP + ROW * (auditing->n_lines + 1);

    hpm_string_add_format(
        string,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
        "height=\"%zu\" font-family=\"sans-serif\" font-size=\"11\">\n"
        "<title>Shared counts / counts alone, with 95 %% "
        "intervals</title>\n",
        LEFT + WIDTH + 20, height);
    add_axis(string, half, (double)height - 4.0);
    for (size_t i = 0; i < auditing->n_lines; i++) {
        const struct audit_line *line = &auditing->lines[i];
        double y = TOP + ROW * ((double)i + 0.5);

        add_fixed(string, "<text x=\"4\" y=\"", y + 4.0, "\">");
        hpm_writer_add_escaped(string, line->section);
        hpm_string_add(string, ": ");
        hpm_writer_add_escaped(string, line->event);
        if (isnan(line->ratio)) {
            hpm_string_add_format(string, " (%s)", finding_of(line));
        } else if (!is_on_axis(line->ratio, half)) {
            hpm_string_add(string, " (ratio ");
            hpm_string_add_fixed(string, line->ratio, 3);
            hpm_string_add(string, ")");
        }
        hpm_string_add(string, "</text>\n");
        add_point(string, line, half, y);
    }
    hpm_string_add(string, "</svg>\n");
}
