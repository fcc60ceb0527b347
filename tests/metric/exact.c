/* SPDX-License-Identifier: BSD-3-Clause
 * Values of metrics without rounding, if a double does not have enough
 * digits. */
#include "config.h"

#include "metric/evaluate.h"

#include "metric/trial.h"
#include "tap.h"

/* Computed by a program with integers of any length. */
static const struct {
    const char *sentence;
    const char *definitions;
    const char *counts;
    const char *value;
} exact_cases[] = {
    {"a difference of large counts", "compute A = X - Y",
     "X 1152921504606846977, Y 1152921504606846976", "1"},
    {"what is added and taken off again", "compute A = X + 1 - X",
     "X 1152921504606846976", "1"},
    {"numbers that are written",
     "compute A = 1152921504606846976 + 1 - 1152921504606846976 + 0 * X", "X 1",
     "1"},
    {"a number of more digits than a double has",
     "compute A = 1152921504606846977 - X", "X 1152921504606846976", "1"},
    {"the largest count twice", "compute A = X + Y",
     "X 18446744073709551615, Y 18446744073709551615", "36893488147419103230"},
    {"a square", "compute A = X * X", "X 9223372036854775783",
     "85070591730234615404675050015203263089"},
    {"squares that differ", "compute A = X * X - Y * Y",
     "X 9223372036854775783, Y 9223372036854775782", "18446744073709551565"},
    {"the largest that there is", "compute A = X * 2 * Y - 1 + X * 2 * Y",
     "X 4611686018427387904, Y 9223372036854775808",
     "170141183460469231731687303715884105727"},
    {"less than nothing", "compute A = Y - X", "X 18446744073709551615, Y 1",
     "-18446744073709551614"},
    {"a sign", "compute A = -(X + 1)", "X 18446744073709551615",
     "-18446744073709551616"},
    {"the lesser", "compute A = min(X, Y)",
     "X 1152921504606846977, Y 1152921504606846976", "1152921504606846976"},
    {"the greater", "compute A = max(X, Y)",
     "X 1152921504606846976, Y 1152921504606846977", "1152921504606846977"},
    {"a composition", "compose A = X + Y + Z",
     "X 1152921504606846976, Y 1, Z 2", "1152921504606846979"},
    {"a part that is left", "compose W = A + Y measure W = X",
     "X 1152921504606846981, Y 1152921504606846976", "5"},
    {"by way of another metric", "compute C = X + 1 compute A = C - X",
     "X 1152921504606846976", "1"},
};

static void
add_exact(struct hpm_string *text, hpm_exact value)
{
    char digits[48];
    size_t first = sizeof digits;
    unsigned __int128 rest = (unsigned __int128)(value < 0 ? -value : value);

    do {
        digits[--first] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        digits[--first] = '-';
    hpm_string_add_bytes(text, digits + first, sizeof digits - first);
}

static void
test_exact(void)
{
    for (size_t i = 0; i < sizeof exact_cases / sizeof exact_cases[0]; i++) {
        struct hpm_spec *spec = read_text(exact_cases[i].definitions, 1);
        struct hpm_metrics *metrics = choose(spec, NULL, 0);
        struct hpm_metric_value *values =
            evaluate(metrics, exact_cases[i].counts);
        const struct hpm_metric_value *value =
            &values[hpm_metrics_find(metrics, "A")];
        struct hpm_string text = {0}, long_text = {0};
        bool is_long;

        if (value->is_exact)
            add_exact(&text, value->exact);
        is_text(hpm_string_text(&text), exact_cases[i].value,
                exact_cases[i].sentence);
        ok(value->value == strtod(exact_cases[i].value, NULL),
           "the double beside it is the nearest");
        is_long = hpm_metric_value_add_exact(&long_text, value, 1.0);
        is_text(hpm_string_text(&long_text),
                is_long ? exact_cases[i].value : "", "all digits are printed");
        ok(is_long == (strlen(exact_cases[i].value) > 15),
           "where a double has not all of them");
        hpm_string_free(&text);
        hpm_string_free(&long_text);
        free(values);
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
}

/* Values too large to be exact, and inputs that are no counts. */
static void
test_inexact(void)
{
    static const struct {
        const char *sentence, *definition, *counts;
        double value;
    } rows[] = {
        {"2^127 is a double", "compute A = X * Y * 2",
         "X 9223372036854775808, Y 9223372036854775808", 0x1p127},
        {"and so is what is more", "compute A = X * X * X",
         "X 9223372036854775808", 0x1p189},
        {"a quotient is one", "ratio A = X / Y",
         "X 1152921504606846977, Y 1152921504606846976", 1.0},
        {"beside a fraction", "compute A = X + 0.5", "X 3", 3.5},
        {"a power of ten", "compute A = X + 1e20", "X 0", 1e20},
        {"a count that is none", "compute A = X + 1", "X 2.5", 3.5},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hpm_spec *spec = read_text(rows[i].definition, 1);
        struct hpm_metrics *metrics = choose(spec, NULL, 0);
        struct hpm_metric_value *values = evaluate(metrics, rows[i].counts);
        const struct hpm_metric_value *value =
            &values[hpm_metrics_find(metrics, "A")];

        ok(!value->is_exact && value->value == rows[i].value, rows[i].sentence);
        free(values);
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
}

int
main(void)
{
    test_exact();
    test_inexact();
    return done();
}
