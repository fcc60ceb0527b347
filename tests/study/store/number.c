/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of files: their kinds, and that none changes when it is written and
 * read. */
#include "study/store/number.h"

#include <locale.h>
#include <stdlib.h>

#include "tap.h"

static uint64_t
next_random(void)
{
    static uint64_t state = 20261121;
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static struct hpm_number
read_number(const char *text)
{
    struct hpm_number number = {0};
    const char *problem = hpm_number_read(text, text + strlen(text), &number);

    return problem == NULL ? number : (struct hpm_number){0};
}

/* ---- kinds of texts ------------------------------------------------- */

static void
check(const char *text, const char *written)
{
    struct hpm_string string = {0};
    char sentence[128];

    hpm_number_add(&string, read_number(text));
    snprintf(sentence, sizeof sentence, "'%s' is '%s'", text, written);
    is_text(hpm_string_text(&string), written, sentence);
    hpm_string_free(&string);
}

static void
test_reading(void)
{
    check("0", "0");
    check(" 12\t", "12");
    check("+7", "7");
    check("-7", "-7");
    check("-0", "0");
    check("-0.0", "0");
    check("007", "7");
    check("18446744073709551615", "18446744073709551615");
    check("9007199254740993", "9007199254740993");
    check("1.000000001", "1.000000001");
    check("-0.000000005", "-0.000000005");
    check("18446744073.709551615", "18446744073.709551615");
    check("2.918", "2.918");
    check(".5", "0.5");
    check("5.", "5");
    check("1e3", "1000");
    check("5e-324", "5e-324");
    check("1.7976931348623157e308", "1.7976931348623157e+308");
    check("0.1", "0.1");
    check("0.30000000000000004", "0.30000000000000004");
    check("123456789012345678901.5", "1.2345678901234568e+20");
}

static void
check_refused(const char *text, const char *word)
{
    struct hpm_number number = {.amount = 77, .kind = HPM_NUMBER_COUNT};
    const char *problem = hpm_number_read(text, text + strlen(text), &number);
    char sentence[256];

    snprintf(sentence, sizeof sentence, "'%.40s' is refused: %s", text, word);
    ok(problem != NULL && strstr(problem, word) != NULL && number.amount == 77,
       sentence);
}

static void
test_refusing(void)
{
    static char digits[200];

    check_refused("", "not a number");
    check_refused("  ", "not a number");
    check_refused("-", "not a number");
    check_refused(".", "not a number");
    check_refused("e5", "not a number");
    check_refused("1e", "not a number");
    check_refused("1e+", "not a number");
    check_refused("nan", "not a number");
    check_refused("inf", "not a number");
    check_refused("0x10", "not a number");
    check_refused("2,918", "not a number");
    check_refused("1 2", "not a number");
    check_refused("1.2.3", "not a number");
    check_refused("--1", "not a number");
    check_refused("1\xc2\xa0", "not a number");
    check_refused("1e999", "too large");
    check_refused("1e99999999999999999999", "too large");
    check_refused("1e-999", "too small");
    check_refused("18446744073709551616", "too large for a count");
    memset(digits, '1', sizeof digits - 1);
    check_refused(digits, "too long");
}

/* ---- reading back --------------------------------------------------- */

static bool
is_same(struct hpm_number a, struct hpm_number b)
{
    return a.kind == b.kind && a.amount == b.amount;
}

static bool
comes_back(struct hpm_number number)
{
    struct hpm_string string = {0};
    bool is_good;

    hpm_number_add(&string, number);
    is_good = is_same(read_number(hpm_string_text(&string)), number);
    if (!is_good)
        printf("# %s\n", hpm_string_text(&string));
    hpm_string_free(&string);
    return is_good;
}

static double
random_real(void)
{
    double real;
    uint64_t bits;

    do {
        bits = next_random();
        memcpy(&real, &bits, sizeof real);
    } while (!isfinite(real));
    return real;
}

/* A real that is whole or has nine decimals is written like a count or like
 * seconds; then the text is kept, but maybe not the kind. */
static bool
reads_as_strtod(double real)
{
    struct hpm_string string = {0};
    bool is_good;

    hpm_number_add(&string, hpm_number_real(real));
    is_good = hpm_number_to_real(read_number(hpm_string_text(&string))) == real;
    hpm_string_free(&string);
    return is_good;
}

static void
test_coming_back(void)
{
    bool counts = true, seconds = true, reals = true, plain = true;

    for (int i = 0; i < 100000; i++) {
        uint64_t amount = next_random() >> next_random() % 64;
        double fraction = (double)(next_random() >> 11) / 9007199254740992.0;

        counts = counts && comes_back(hpm_number_count(amount)) &&
                 comes_back(hpm_number_integer(-(int64_t)(amount >> 1)));
        seconds = seconds && comes_back((struct hpm_number){
                                 .amount = amount, .kind = HPM_NUMBER_SECONDS});
        reals = reals && reads_as_strtod(random_real());
        plain = plain && reads_as_strtod(fraction) &&
                reads_as_strtod((double)amount * fraction);
    }
    ok(counts, "counts come back");
    ok(seconds, "seconds come back to the nanosecond");
    ok(reals, "any real comes back");
    ok(plain, "everyday reals come back");
}

/* Eight digits are read at a time: test numbers of all lengths, with each byte
 * that is no digit in each place. */

/* Read from memory that ends with the number. */
static bool
read_exactly(const char *text, size_t length, struct hpm_number *ret_number)
{
    char *copy = malloc(length);
    const char *problem;

    memcpy(copy, text, length);
    problem = hpm_number_read(copy, copy + length, ret_number);
    free(copy);
    return problem == NULL;
}

static bool
may_be_part(int byte)
{
    return strchr("0123456789+-.eE \t\r\n", byte) != NULL && byte != '\0';
}

static bool
refuses_other_bytes(const char *digits, size_t length)
{
    struct hpm_number number;
    char text[32];

    memcpy(text, digits, length);
    for (size_t i = 0; i < length; i++) {
        for (int byte = 0; byte < 256; byte++) {
            text[i] = (char)byte;
            if (!may_be_part(byte) && read_exactly(text, length, &number))
                return false;
        }
        text[i] = digits[i];
    }
    return true;
}

static void
test_digits(void)
{
    bool is_right = true, is_refused = true;

    for (int i = 0; i < 2000; i++) {
        size_t length = 1 + (size_t)i % 20;
        struct hpm_number number = {0};
        char text[32];

        snprintf(text, sizeof text, "%020llu",
                 (unsigned long long)next_random());
        is_right = is_right &&
                   read_exactly(text + 20 - length, length, &number) &&
                   number.kind == HPM_NUMBER_COUNT &&
                   number.amount == strtoull(text + 20 - length, NULL, 10);
        if (i < 100)
            is_refused =
                is_refused && refuses_other_bytes(text + 20 - length, length);
    }
    ok(is_right, "counts of 1 to 20 digits are what they say");
    ok(is_refused, "any other byte in any place of them is refused");
}

static bool
reads_right(const char *text)
{
    return hpm_number_to_real(read_number(text)) == strtod(text, NULL);
}

static void
test_rounding(void)
{
    bool is_right = true;

    for (int i = 0; i < 100000 && is_right; i++) {
        char text[64];

        snprintf(text, sizeof text, "%llu.%lluE%d",
                 (unsigned long long)next_random() % 100000,
                 (unsigned long long)next_random() % 1000000,
                 (int)(next_random() % 60) - 30);
        is_right = reads_right(text);
        if (!is_right)
            printf("# %s\n", text);
    }
    ok(is_right, "decimals are rounded as strtod does");
    for (int i = 0; i < 300000 && is_right; i++) {
        /* halfway between two doubles, and next to it */
        uint64_t odd = (next_random() >> 10 | (uint64_t)1 << 53) | 1;
        char text[64];

        snprintf(text, sizeof text, "%llue-%d",
                 (unsigned long long)(odd + next_random() % 3 - 1),
                 (int)(next_random() % 30));
        is_right = reads_right(text);
        if (!is_right)
            printf("# %s\n", text);
    }
    ok(is_right, "so are those in the middle of two doubles");
}

/* With this many digits before and after the point, from memory that ends with
 * the number; every other time the first digits are zeroes. */
static bool
reads_plain(int n_before, int n_behind, bool has_zeroes)
{
    struct hpm_number number = {0};
    char text[64], *point = text + n_before;
    double real;

    for (char *c = text; c < point + 1 + n_behind; c++)
        *c = (char)('0' + next_random() % 10);
    if (has_zeroes)
        memset(text, '0', (size_t)(n_before + n_behind) / 2);
    *point = '.';
    point[1 + n_behind] = '\0';
    if (!read_exactly(text, strlen(text), &number))
        return false;
    real = strtod(text, NULL);
    if (n_behind != 9)
        return number.kind == HPM_NUMBER_REAL &&
               memcmp(&number.real, &real, sizeof real) == 0;
    memmove(point, point + 1, (size_t)n_behind + 1);
    return number.kind == HPM_NUMBER_SECONDS &&
           number.amount == strtoull(text, NULL, 10);
}

/* Numbers of files have up to 19 digits: with nine after the point up to ten
 * before it. */
static void
test_points(void)
{
    bool is_right = true, is_refused = true;

    for (int before = 0; before <= 24; before++) {
        for (int behind = before == 0; behind <= 24; behind++) {
            for (int i = 0; i < 300 && (behind != 9 || before <= 10); i++)
                is_right = is_right && reads_plain(before, behind, i % 2 == 1);
        }
    }
    ok(is_right, "digits with a point in any place are what strtod says");
    for (size_t length = 3; length <= 20; length++)
        is_refused =
            is_refused &&
            refuses_other_bytes(&"31.41592653589793238"[20 - length], length) &&
            refuses_other_bytes("3141592653589793.238", length);
    ok(is_refused, "any other byte in any place of them is refused");
}

/* Halfway between two doubles, and next to it, with a point. */
static void
test_middles(void)
{
    bool is_right = true;

    for (int i = 0; i < 300000 && is_right; i++) {
        uint64_t odd = (next_random() >> 10 | (uint64_t)1 << 53) | 1;
        int n_behind = 1 + (int)(next_random() % 15);
        char digits[32], text[64];
        int n_before;

        snprintf(digits, sizeof digits, "%llu",
                 (unsigned long long)(odd + next_random() % 3 - 1));
        n_before = (int)strlen(digits) - n_behind;
        snprintf(text, sizeof text, "%.*s.%s", n_before, digits,
                 digits + n_before);
        is_right = n_behind == 9 || reads_right(text);
        if (!is_right)
            printf("# %s\n", text);
    }
    ok(is_right, "with a point in the middle of two doubles, too");
}

static void
test_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8",
                                        "fa_IR.UTF-8"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_ALL, names[i]) == NULL)
            continue;
        check("2.918", "2.918");
        check("12345678901234567.5", "12345678901234568");
        setlocale(LC_ALL, "C");
        return;
    }
    skip("a comma in the locale changes nothing", "no such locale here");
}

/* ---- sums ------------------------------------------------------------ */

static void
check_difference(const char *a, const char *b, const char *difference)
{
    struct hpm_string string = {0};
    char sentence[128];

    hpm_number_add(&string,
                   hpm_number_subtract(read_number(a), read_number(b)));
    snprintf(sentence, sizeof sentence, "%s - %s = %s", a, b, difference);
    is_text(hpm_string_text(&string), difference, sentence);
    hpm_string_clear(&string);
    hpm_number_add(&string,
                   hpm_number_sum(read_number(difference), read_number(b)));
    snprintf(sentence, sizeof sentence, "%s + %s = %s", difference, b, a);
    is_text(hpm_string_text(&string), a, sentence);
    hpm_string_free(&string);
}

static void
test_sums(void)
{
    check_difference("5", "3", "2");
    check_difference("3", "5", "-2");
    check_difference("18446744073709551615", "1", "18446744073709551614");
    check_difference("1", "18446744073709551615", "-18446744073709551614");
    check_difference("1.000000000", "1.000000001", "-0.000000001");
    check_difference("-3", "-5", "2");
    check_difference("0.5", "0.25", "0.25");
    ok(hpm_number_to_real(hpm_number_sum(
           read_number("18446744073709551615"),
           read_number("18446744073709551615"))) == 36893488147419103232.0,
       "a sum beyond 64 bits is a double, not the rest");
    ok(hpm_number_subtract(read_number("1"), (struct hpm_number){0}).kind ==
           HPM_NUMBER_NONE,
       "nothing can be taken from no number");
    ok(hpm_number_compare(read_number("-2"), read_number("1")) < 0 &&
           hpm_number_compare(read_number("1.5"), read_number("1")) > 0 &&
           hpm_number_compare(read_number("9007199254740993"),
                              read_number("9007199254740992")) > 0 &&
           hpm_number_compare(read_number("2.000000000"), read_number("2")) ==
               0,
       "numbers have an order");
}

int
main(void)
{
    test_reading();
    test_refusing();
    test_coming_back();
    test_digits();
    test_rounding();
    test_points();
    test_middles();
    test_locale();
    test_sums();
    return done();
}
