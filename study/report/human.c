/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers rounded for people. */
#include "study/report/human.h"
#include "study/words/words.h"

#include <math.h>
#include <string.h>

enum { MINUTE = 60, HOUR = 3600, LONGEST_IN_SECONDS = 600, MOST_WHOLE = 10000 };

/* ---- digits ---------------------------------------------------------- */

/* "1.42", "12.3", "592": decimals are chosen so that rounding never gives four
 * digits. */
static void
add_digits(struct hpm_string *string, double value)
{
    double size = fabs(value);
    int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;

    hpm_string_add_fixed(string, value, decimals);
}

static bool
is_small_whole(double value)
{
    return fabs(value) < MOST_WHOLE && value == floor(value);
}

/* ---- prefixes -------------------------------------------------------- */

/* From here on the next prefix is used: 999.5 would round to four digits. */
static const double next_begins = 999.5;

static const char *
scale(double *value, bool has_small)
{
    static const char *const large[] = {"", "k", "M", "G", "T", "P", "E"};
    static const char *const small[] = {"", "m", "u", "n"};
    size_t i = 0;

    while (fabs(*value) >= next_begins &&
           i + 1 < sizeof large / sizeof large[0]) {
        *value /= 1e3;
        i++;
    }
    if (i > 0 || !has_small)
        return large[i];
    while (*value != 0.0 && fabs(*value) < 0.9995 &&
           i + 1 < sizeof small / sizeof small[0]) {
        *value *= 1e3;
        i++;
    }
    return small[i];
}

/* "24.3 G cycles", "592 MB/s" */
static void
add_scaled(struct hpm_string *string, double value, const char *unit,
           bool is_symbol)
{
    const char *prefix = "";

    if (is_small_whole(value) && !is_symbol)
        hpm_string_add_format(string, "%.0f", value);
    else {
        prefix = scale(&value, is_symbol && unit[0] == 's');
        add_digits(string, value);
    }
    if (prefix[0] != '\0' || unit[0] != '\0')
        hpm_string_add_format(
            string, " %s%s%s", prefix,
            prefix[0] != '\0' && !is_symbol && unit[0] != '\0' ? " " : "",
            unit);
}

/* ---- times ----------------------------------------------------------- */

static void
add_long_time(struct hpm_string *string, double seconds)
{
    unsigned long long whole = (unsigned long long)(seconds + 0.5);

    if (whole < HOUR)
        hpm_string_add_format(string, "%llu min %llu s", whole / MINUTE,
                              whole % MINUTE);
    else
        hpm_string_add_format(string, "%llu h %llu min", whole / HOUR,
                              whole % HOUR / MINUTE);
}

/* From a second on with milliseconds, so that people can compare two runs. */
static void
add_time(struct hpm_string *string, double seconds)
{
    if (seconds >= LONGEST_IN_SECONDS && seconds < 1e15)
        add_long_time(string, seconds);
    else if (seconds >= 0.9995 && seconds < LONGEST_IN_SECONDS) {
        hpm_string_add_fixed(string, seconds, seconds < 99.95 ? 3 : 1);
        hpm_string_add(string, " s");
    } else
        add_scaled(string, seconds, "s", true);
}

/* ---- units ----------------------------------------------------------- */

struct meaning {
    const char *name; /* as definitions write it */
    double factor;
    const char *unit;
    bool is_symbol; /* a prefix is written directly before it */
};

static struct meaning
meaning_of(const char *unit)
{
    static const struct meaning meanings[] = {
        {"byte", 1.0, "B", true},
        {"bytes", 1.0, "B", true},
        {"byte/s", 1.0, "B/s", true},
        {"1/s", 1.0, N_("per second"), false},
        {"1e6/s", 1e6, N_("per second"), false}};

    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (strcmp(meanings[i].name, unit) == 0)
            return meanings[i];
    }
    return (struct meaning){unit, 1.0, unit, false};
}

void
hpm_human_add(struct hpm_string *string, double value, const char *unit)
{
    struct meaning meaning = meaning_of(unit);

    if (!isfinite(value)) {
        hpm_string_add(string, _("n/a"));
    } else if (strcmp(unit, "s") == 0) {
        add_time(string, value);
    } else if (strcmp(unit, "%") == 0) {
        add_digits(string, value);
        hpm_string_add(string, " %");
    } else if (strcmp(unit, "us") == 0) {
        add_time(string, value * 1e-6);
    } else {
        add_scaled(string, value * meaning.factor, _(meaning.unit),
                   meaning.is_symbol);
    }
}
