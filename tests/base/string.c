/* SPDX-License-Identifier: BSD-3-Clause
 * Text that grows, numbers as text, and characters. */
#include "base/string.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <stdlib.h>

#include "base/error.h"
#include "host/memory.h"
#include "host/path.h"
#include "tap.h"

/* Random numbers, always the same. */
static uint64_t
next_random(void)
{
    static uint64_t state = 20261120;
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* ---- texts ----------------------------------------------------------- */

static void
test_add(void)
{
    struct hpm_string s = {0};

    is_text(hpm_string_text(&s), "", "nothing added is an empty text");
    hpm_string_add(&s, "");
    ok(s.text != NULL && s.length == 0, "an empty text can be added");
    hpm_string_add(&s, "one ");
    hpm_string_add_bytes(&s, "two three", 4);
    hpm_string_add_char(&s, '3');
    hpm_string_add_format(&s, " %s %d%%", "four", 5);
    is_text(s.text, "one two 3 four 5%", "additions stand in their order");
    is_count(s.length, 17, "the length is that of the text");
    hpm_string_add_bytes(&s, "\0x", 2);
    ok(s.length == 19 && memcmp(s.text + 17, "\0x", 3) == 0,
       "bytes may hold a zero");
    hpm_string_free(&s);
    ok(s.text == NULL && s.length == 0 && s.capacity == 0 && !s.failed,
       "a freed string is as new");
}

static void
test_clear(void)
{
    struct hpm_string s = {0};
    size_t capacity;

    hpm_string_clear(&s);
    is_text(hpm_string_text(&s), "", "clearing nothing is fine");
    hpm_string_add(&s, "a text of some length");
    capacity = s.capacity;
    hpm_string_clear(&s);
    ok(s.length == 0 && strcmp(s.text, "") == 0 && s.capacity == capacity,
       "a cleared string is empty and keeps its memory");
    hpm_string_add(&s, "b");
    is_text(s.text, "b", "and can be used again");
    hpm_string_free(&s);
}

static void
test_growth(void)
{
    struct hpm_string s = {0};
    bool is_right = true;

    for (int i = 0; i < 100000; i++)
        hpm_string_add_char(&s, (char)('a' + i % 26));
    for (int i = 0; i < 100000; i++)
        is_right = is_right && s.text[i] == 'a' + i % 26;
    ok(is_right && strlen(s.text) == 100000, "a text can grow to any length");
    hpm_string_clear(&s);
    hpm_string_add_format(&s, "%5000d", 7);
    ok(s.length == 5000 && s.text[4999] == '7' && s.text[4998] == ' ',
       "a format may be longer than any buffer");
    hpm_string_free(&s);
}

/* ---- memory runs out ------------------------------------------------- */

static void
add_word(struct hpm_string *s)
{
    hpm_string_add(s, "wxyz");
}

static void
add_letter(struct hpm_string *s)
{
    hpm_string_add_char(s, 'w');
}

static void
add_formatted(struct hpm_string *s)
{
    hpm_string_add_format(s, "%d", 123456);
}

static void
add_grouped_number(struct hpm_string *s)
{
    hpm_string_add_grouped(s, 1234567);
}

static void
add_real_number(struct hpm_string *s)
{
    hpm_string_add_real(s, 1.25);
}

static void
add_fixed_number(struct hpm_string *s)
{
    hpm_string_add_fixed(s, 1.25, 3);
}

/* For each length of the text before; with some of them a part of the added
 * text has room. */
static bool
keeps_text(void (*add)(struct hpm_string *))
{
    bool is_right = true;

    for (size_t length = 1; length <= 8; length++) {
        struct hpm_string s = {0};
        char before[16];

        for (size_t i = 0; i < length; i++)
            hpm_string_add_char(&s, (char)('a' + i));
        strcpy(before, s.text);
        hpm_memory_fail_at(1, true);
        add(&s);
        hpm_memory_fail_at(0, false);
        if (s.failed)
            is_right =
                is_right && strcmp(s.text, before) == 0 && s.length == length;
        else /* it had room */
            is_right = is_right && strncmp(s.text, before, length) == 0 &&
                       s.length > length;
        hpm_string_free(&s);
    }
    return is_right;
}

static void
test_no_memory(void)
{
    ok(keeps_text(add_word), "without memory, a text is added whole or not");
    ok(keeps_text(add_letter), "so is a letter");
    ok(keeps_text(add_formatted), "so is a format");
    ok(keeps_text(add_grouped_number), "so is a grouped number");
    ok(keeps_text(add_real_number), "so is a real number");
    ok(keeps_text(add_fixed_number), "so is a number with fixed decimals");
}

static void
test_failed(void)
{
    struct hpm_string s = {0};

    hpm_memory_fail_at(1, false);
    hpm_string_add(&s, "lost");
    hpm_memory_fail_at(0, false);
    ok(s.failed, "running out of memory is remembered");
    is_text(hpm_string_text(&s), "", "nothing was added");
    hpm_string_add(&s, "a");
    hpm_string_add_char(&s, 'b');
    hpm_string_add_format(&s, "%s", "c");
    hpm_string_add_real(&s, 1.0);
    is_text(hpm_string_text(&s), "", "nothing is added after a failure");
    ok(s.failed, "and it stays failed");
    hpm_string_free(&s);
}

/* ---- numbers --------------------------------------------------------- */

static void
check_fixed(double value, int decimals, const char *expected)
{
    struct hpm_string s = {0};

    hpm_string_add_fixed(&s, value, decimals);
    is_text(hpm_string_text(&s), expected, "a number with fixed decimals");
    hpm_string_free(&s);
}

static void
test_fixed(void)
{
    struct hpm_string s = {0};

    check_fixed(0.0, 3, "0.000");
    check_fixed(-0.25, 2, "-0.25");
    check_fixed(-0.0004, 3, "0.000");
    check_fixed(-0.0006, 3, "-0.001");
    check_fixed(-0.0, 0, "0");
    check_fixed(1234.5678, 2, "1234.57");
    check_fixed(99.96, 1, "100.0");
    check_fixed(12.0, 0, "12");
    check_fixed(NAN, 2, "");
    check_fixed(INFINITY, 2, "");
    check_fixed(-9007199254740991.0, 0, "-9007199254740991");
    check_fixed(9007199254740992.0, 3, "9.007199254740992e+15");
    hpm_string_add_fixed(&s, DBL_MAX, 6);
    is_text(hpm_string_text(&s), "1.7976931348623157e+308",
            "where not every integer is a number there is an exponent");
    hpm_string_free(&s);
}

static void
check_grouped(uint64_t value, const char *expected)
{
    struct hpm_string s = {0};

    hpm_string_add_grouped(&s, value);
    is_text(hpm_string_text(&s), expected, "a number in groups of three");
    hpm_string_free(&s);
}

static void
test_grouped(void)
{
    check_grouped(0, "0");
    check_grouped(999, "999");
    check_grouped(1000, "1,000");
    check_grouped(12345, "12,345");
    check_grouped(999999, "999,999");
    check_grouped(1000000, "1,000,000");
    check_grouped(UINT64_MAX, "18,446,744,073,709,551,615");
}

static bool
is_same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Number of digits with which a decimal reads back as `value`. */
static int
digits_needed(double value)
{
    char text[64];

    for (int digits = 1; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (is_same_number(strtod(text, NULL), value))
            return digits;
    }
    return 17;
}

/* Number of digits of a decimal, without zeros in front and at the end. */
static int
digits_of(const char *text)
{
    int digits = 0, zeros = 0;

    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && digits == 0))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits > zeros ? digits - zeros : 1;
}

static int n_unlike, n_long;

static void
try_real(double value)
{
    struct hpm_string s = {0};

    hpm_string_add_real(&s, value);
    if (!is_same_number(strtod(hpm_string_text(&s), NULL), value)) {
        printf("# %a became '%s'\n", value, hpm_string_text(&s));
        n_unlike++;
    } else if (digits_of(s.text) > digits_needed(value)) {
        if (n_long++ < 5)
            printf("# %a became '%s'\n", value, s.text);
    }
    hpm_string_free(&s);
}

static void
check_reals(const char *reads_back, const char *is_shortest)
{
    is_count((uint64_t)n_unlike, 0, reads_back);
    is_count((uint64_t)n_long, 0, is_shortest);
    n_unlike = n_long = 0;
}

static double
random_real(void)
{
    double value;

    do {
        uint64_t bits = next_random();

        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void
test_real_property(void)
{
    for (int i = 0; i < 5000; i++)
        try_real(random_real());
    check_reals("any number reads back as itself",
                "with no more digits than needed");
    for (int i = 0; i < 5000; i++)
        try_real((double)(next_random() % 10000000) / 1000.0);
    check_reals("a decimal reads back as itself",
                "with no more digits than it had");
    for (int e = -1022; e < 1024; e++) {
        try_real(ldexp(1.0, e));
        try_real(-nextafter(ldexp(1.0, e), 0.0));
    }
    check_reals("powers of two and their neighbours read back",
                "these, too, are short");
    for (uint64_t i = 1; i < 2000; i++)
        try_real((double)(i * i * i * i) * 0x1p-1074);
    check_reals("the smallest numbers there are read back",
                "with the few digits they have");
}

static void
check_real(double value, const char *expected)
{
    struct hpm_string s = {0};

    hpm_string_add_real(&s, value);
    is_text(hpm_string_text(&s), expected, "a number in its shortest form");
    hpm_string_free(&s);
}

static void
test_real(void)
{
    check_real(0.0, "0");
    check_real(-0.0, "-0");
    check_real(0.1, "0.1");
    check_real(0.1 + 0.2, "0.30000000000000004");
    check_real(-1.5, "-1.5");
    check_real(1e6, "1000000");
    check_real(1e308, "1e+308");
    check_real(DBL_MAX, "1.7976931348623157e+308");
    check_real(DBL_MIN, "2.2250738585072014e-308");
    check_real(5e-324, "5e-324");
    check_real(9007199254740992.0 + 1.0, "9.007199254740992e+15");
    check_real(9007199254740992.0 + 2.0, "9.007199254740994e+15");
    check_real(NAN, "");
    check_real(INFINITY, "");
    check_real(-INFINITY, "");
}

static const double reals[] = {0.1,       -2.5,  1234567.875,
                               1e-7,      1e308, 5e-324,
                               1.0 / 3.0, 42.0,  6.02214076e23};

enum { N_REALS = sizeof reals / sizeof reals[0] };

static void
add_reals(struct hpm_string *s)
{
    for (int i = 0; i < N_REALS; i++) {
        hpm_string_add_real(s, reals[i]);
        hpm_string_add_char(s, ' ');
        hpm_string_add_fixed(s, reals[i], 4);
        hpm_string_add_char(s, ' ');
    }
    hpm_string_add_grouped(s, 1234567);
}

static void
check_locale(const char *sentence)
{
    struct hpm_string here = {0}, in_c = {0};
    char *before = strdup(setlocale(LC_ALL, NULL));

    add_reals(&here);
    setlocale(LC_ALL, "C");
    add_reals(&in_c);
    setlocale(LC_ALL, before);
    is_text(here.text, in_c.text, sentence);
    free(before);
    hpm_string_free(&here);
    hpm_string_free(&in_c);
}

static const char *const comma_locales[] = {"de_DE.UTF-8", "de_DE.utf8",
                                            "fr_FR.UTF-8", "de_DE"};

enum { N_COMMA_LOCALES = sizeof comma_locales / sizeof comma_locales[0] };

static void
test_locale(void)
{
    static const char sentence[] = "numbers are the same where a comma is "
                                   "the decimal point";
    bool is_set = false;

    for (int i = 0; i < N_COMMA_LOCALES && !is_set; i++)
        is_set = setlocale(LC_ALL, comma_locales[i]) != NULL;
    if (is_set)
        check_locale(sentence);
    else
        skip(sentence, "no locale with a comma is installed");
    setlocale(LC_ALL, "C");
}

static void
test_locale_of_thread(void)
{
    static const char sentence[] = "so they are in a thread of such a locale";
    struct hpm_string here = {0}, in_c = {0};
    locale_t comma = (locale_t)0;

    for (int i = 0; i < N_COMMA_LOCALES && comma == (locale_t)0; i++)
        comma = newlocale(LC_ALL_MASK, comma_locales[i], (locale_t)0);
    if (comma == (locale_t)0) {
        skip(sentence, "no locale with a comma is installed");
        return;
    }
    add_reals(&in_c);
    uselocale(comma);
    add_reals(&here);
    uselocale(LC_GLOBAL_LOCALE);
    is_text(here.text, in_c.text, sentence);
    freelocale(comma);
    hpm_string_free(&here);
    hpm_string_free(&in_c);
}

static void
test_to_count(void)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"007", 7},
                {"18446744073709551615", UINT64_MAX},
                {"00000000000000000000018446744073709551615", UINT64_MAX},
                {"0x0", 0},
                {"0x1F", 31},
                {"0Xabcdef", 0xabcdef},
                {"0xFFFFFFFFFFFFFFFF", UINT64_MAX}};

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char sentence[80];
        uint64_t value = 99;

        snprintf(sentence, sizeof sentence, "'%s' is a count, errno is kept",
                 good[i].text);
        errno = 77;
        ok(hpm_string_to_count(good[i].text, &value) &&
               value == good[i].value && errno == 77,
           sentence);
    }
}

static void
test_not_a_count(void)
{
    static const char *const bad[] = {"",
                                      " ",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "-1",
                                      "1.0",
                                      "1e3",
                                      "x",
                                      "0x",
                                      "0xg",
                                      "0x-1",
                                      "0x 1",
                                      "0x0x1",
                                      "12a",
                                      "1\n2",
                                      "1,000",
                                      "18446744073709551616",
                                      "99999999999999999999999",
                                      "0x10000000000000000"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char sentence[64];
        uint64_t value = 99;

        snprintf(sentence, sizeof sentence, "no. %zu is not a count", i);
        errno = 77;
        ok(!hpm_string_to_count(bad[i], &value) && value == 99 && errno == 77,
           sentence);
    }
}

/* ---- words ----------------------------------------------------------- */

static void
random_word(char *ret_word)
{
    size_t length = next_random() % 8;

    for (size_t i = 0; i < length; i++)
        ret_word[i] = "abAB"[next_random() % 4];
    ret_word[length] = '\0';
}

static void
test_distance_property(void)
{
    bool is_symmetric = true, is_bounded = true, is_limited = true;

    for (int i = 0; i < 20000; i++) {
        char a[16], b[16];
        unsigned edits;

        random_word(a);
        random_word(b);
        edits = hpm_string_distance(a, b, 100);
        is_symmetric = is_symmetric && edits == hpm_string_distance(b, a, 100);
        is_bounded = is_bounded && (edits == 0) == hpm_string_same_word(a, b) &&
                     edits + strlen(b) >= strlen(a) &&
                     edits <= (strlen(a) > strlen(b) ? strlen(a) : strlen(b));
        is_limited = is_limited &&
                     hpm_string_distance(a, b, 2) == (edits < 2 ? edits : 2);
    }
    ok(is_symmetric, "from a to b is as far as from b to a");
    ok(is_bounded, "only the same word is no edit away");
    ok(is_limited, "no distance is over its limit");
}

static void
test_distance(void)
{
    char longest[64], longer[65];

    is_count(hpm_string_distance("kitten", "sitting", 9), 3, "two and one");
    is_count(hpm_string_distance("cycles", "cycels", 9), 1, "a swap is one");
    is_count(hpm_string_distance("", "abc", 9), 3, "from nothing");
    is_count(hpm_string_distance("HPM_SET", "hpm_set", 9), 0,
             "case does not matter");
    memset(longest, 'a', sizeof longest - 1);
    longest[63] = '\0';
    memset(longer, 'a', sizeof longer - 1);
    longer[64] = '\0';
    is_count(hpm_string_distance(longest, longest, 9), 0, "63 bytes compare");
    is_count(hpm_string_distance(longest, "", 99), 63, "to nothing");
    is_count(hpm_string_distance(longer, longer, 9), 9,
             "64 bytes are the limit away");
}

static void
test_same_word(void)
{
    ok(hpm_string_same_word("Task-Clock", "tASK-cLOCK"), "case is no matter");
    ok(hpm_string_same_word("", ""), "nothing is the same as nothing");
    ok(!hpm_string_same_word("cs", "css") && !hpm_string_same_word("css", "cs"),
       "a beginning is another word");
    ok(!hpm_string_same_word("[", "{") && !hpm_string_same_word("@", "`"),
       "only letters have a case");
    ok(!hpm_string_same_word("\xc3\x84", "\xc3\xa4"), "of ASCII alone");
}

/* Long and strange names of others, put into a message. */
static void
test_errors(void)
{
    char long_name[600];
    struct hpm_error err;

    hpm_error_set(&err, "'%s' is there", "a\x1b[31m\n\x7f\xc2\x9b\xc3\xa4\\");
    is_text(err.text, "'a\\x1B[31m\\x0A\\x7F\\xC2\\x9B\xc3\xa4\\' is there",
            "control characters of an error are shown");
    memset(long_name, 'x', sizeof long_name);
    memset(long_name + 505, '\n', 4);
    long_name[sizeof long_name - 1] = '\0';
    hpm_error_set(&err, "%s", long_name);
    ok(strlen(err.text) == 509 && strcmp(err.text + 505, "\\x0A") == 0,
       "of a long one no part of an escape is kept");
    ok(!hpm_error_set(NULL, "%s", long_name), "nobody need want it");
}

static void
test_base_name(void)
{
    is_text(hpm_path_base_name("/a/b/c.f"), "c.f", "after the last slash");
    is_text(hpm_path_base_name("c.f"), "c.f", "without a slash, all of it");
    is_text(hpm_path_base_name("a/"), "", "nothing after the slash");
    is_text(hpm_path_base_name(""), "", "of nothing");
    is_text(hpm_path_base_name(NULL), "", "of NULL");
}

/* ---- characters ------------------------------------------------------ */

/* UTF-8 of `code` in `length` bytes, even if fewer would do. */
static void
encode(uint32_t code, size_t length, char *ret_text)
{
    static const unsigned heads[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = length; i-- > 1; code >>= 6)
        ret_text[i] = (char)(0x80 | (code & 0x3f));
    ret_text[0] = (char)(heads[length] | code);
    ret_text[length] = '\0';
}

static size_t
shortest_length(uint32_t code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static bool
is_allowed(uint32_t code)
{
    if (code == '\t' || code == '\n' || code == '\r')
        return true;
    return code >= 0x20 && (code < 0x7f || code > 0x9f) &&
           (code < 0xd800 || code > 0xdfff) && code != 0xfffe &&
           code != 0xffff && code < 0x110000;
}

static void
test_every_character(void)
{
    uint32_t n_wrong = 0, n_overlong = 0, n_cut = 0;

    for (uint32_t code = 0; code < 0x120000; code++) {
        size_t length = shortest_length(code);
        char text[8];

        encode(code, length, text);
        n_wrong +=
            hpm_string_character(text) != (is_allowed(code) ? length : 0);
        for (size_t cut = 1; cut < length; cut++) {
            text[cut] = 'a';
            n_cut += hpm_string_character(text) != 0;
            text[cut] = '\0';
            n_cut += hpm_string_character(text) != 0;
            encode(code, length, text);
        }
        for (size_t more = length + 1; more <= 4; more++) {
            encode(code, more, text);
            n_overlong += hpm_string_character(text) != 0;
        }
    }
    is_count(n_wrong, 0, "every character XML may hold is one, no other is");
    is_count(n_cut, 0, "a character that breaks off is none");
    is_count(n_overlong, 0, "an over-long form is none");
}

static void
test_character(void)
{
    static const struct {
        const char *text;
        size_t length;
        const char *sentence;
    } table[] = {
        {"", 0, "the end is no character"},
        {"a", 1, "ASCII is one byte"},
        {"\t", 1, "tab is allowed"},
        {"\n", 1, "newline is allowed"},
        {"\r", 1, "carriage return is allowed"},
        {"\x01", 0, "other C0 controls are not"},
        {"\x1b[31m", 0, "nor is escape"},
        {"\x7f", 0, "nor is delete"},
        {"\xc2\x85", 0, "nor is a C1 control"},
        {"\xc2\xa0", 2, "a hard blank is"},
        {"\xc3\xa9t", 2, "two bytes"},
        {"\xe2\x82\xac", 3, "three bytes"},
        {"\xf0\x9f\x98\x80", 4, "four bytes"},
        {"\x80", 0, "a byte of the middle begins nothing"},
        {"\xc3", 0, "a character cut off is none"},
        {"\xc0\xaf", 0, "an over-long slash is none"},
        {"\xe0\x80\xaf", 0, "an over-long slash of three bytes is none"},
        {"\xed\xa0\x80", 0, "a surrogate is none"},
        {"\xef\xbf\xbe", 0, "U+FFFE is none"},
        {"\xef\xbf\xbf", 0, "U+FFFF is none"},
        {"\xf4\x8f\xbf\xbf", 4, "U+10FFFF is the last"},
        {"\xf4\x90\x80\x80", 0, "U+110000 is none"},
        {"\xf8\x88\x80\x80\x80", 0, "five bytes are none"},
        {"\xfe", 0, "0xFE is none"},
        {"\xff", 0, "0xFF is none"},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        is_count(hpm_string_character(table[i].text), table[i].length,
                 table[i].sentence);
}

int
main(void)
{
    test_add();
    test_clear();
    test_growth();
    test_no_memory();
    test_failed();
    test_fixed();
    test_grouped();
    test_real_property();
    test_real();
    test_locale();
    test_locale_of_thread();
    test_to_count();
    test_not_a_count();
    test_distance_property();
    test_distance();
    test_same_word();
    test_errors();
    test_base_name();
    test_every_character();
    test_character();
    return done();
}
