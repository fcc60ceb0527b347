/* SPDX-License-Identifier: BSD-3-Clause
 * Values and differences in words, for people. */
#include "study/compare/words.h"

#include <math.h>

/* So many digits in all; no decimals where the integer part has more. */
static void
add_digits(struct hpm_string *string, double value, int digits)
{
    double size = fabs(value);
    int decimals = digits - 1;

    for (; size >= 10.0 && decimals > 0; size /= 10.0)
        decimals--;
    hpm_string_add_fixed(string, value, decimals);
}

static void
add_scaled(struct hpm_string *string, double value, const char *const *units,
           double smallest)
{
    double scale = smallest;

    while (units[1] != NULL && fabs(value) >= scale * 999.95) {
        scale *= 1000.0;
        units++;
    }
    add_digits(string, value / scale, 4);
    hpm_string_add_format(string, " %s", units[0]);
}

static void
add_count(struct hpm_string *string, double value)
{
    static const char *const units[] = {"M", "G", "T", "P", NULL};

    if (value < 0.0 || value >= 1e9)
        add_scaled(string, value, units, 1e6);
    else if (value == floor(value) || value >= 1e3)
        hpm_string_add_grouped(string, (uint64_t)(value + 0.5));
    else
        hpm_string_add_fixed(string, value, 1);
}

void
hpm_words_add_value(struct hpm_string *string, enum hpm_samples_kind kind,
                    double value)
{
    static const char *const times[] = {"ns", "us", "ms", "s", NULL};
    static const char *const sizes[] = {"kB", "MB", "GB", "TB", NULL};

    if (isnan(value))
        hpm_string_add(string, "-");
    else if (kind == HPM_SAMPLES_TIME)
        add_scaled(string, value, times, 1e-9);
    else if (kind == HPM_SAMPLES_SIZE)
        add_scaled(string, value, sizes, 1e3);
    else
        add_count(string, value);
}

/* Two digits are enough; a change of a few millionths must not become 0. */
static void
add_percent(struct hpm_string *string, double part)
{
    double size = fabs(100.0 * part);
    int decimals = size >= 9.95 || size < 1e-8 ? 0 : 1;

    for (; size >= 1e-8 && size < 0.0995 && decimals < 9; size *= 10.0)
        decimals++;
    hpm_string_add_fixed(string, 100.0 * part, decimals);
    hpm_string_add(string, " %");
}

void
hpm_words_add_part(struct hpm_string *string, double part)
{
    if (isnan(part) || isinf(part))
        hpm_string_add(string, "-");
    else
        add_percent(string, fabs(part));
}

void
hpm_words_add_change(struct hpm_string *string, double part)
{
    if (isnan(part) || isinf(part)) {
        hpm_string_add(string, "-");
        return;
    }
    if (part > 0.0)
        hpm_string_add_char(string, '+');
    add_percent(string, part);
}

void
hpm_words_add_ratio(struct hpm_string *string, double ratio)
{
    if (isnan(ratio) || isinf(ratio))
        hpm_string_add(string, "-");
    else
        add_digits(string, ratio, 4);
}

const char *
hpm_words_finding(enum hpm_compare_finding finding)
{
    static const char *const words[] = {
        [HPM_FINDING_NONE] = "none",     [HPM_FINDING_TOO_FEW] = "too few runs",
        [HPM_FINDING_SAME] = "same",     [HPM_FINDING_UNDECIDED] = "no",
        [HPM_FINDING_EXACT] = "exactly", [HPM_FINDING_DIFFERS] = "yes",
    };

    return words[finding];
}
