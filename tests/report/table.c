/* SPDX-License-Identifier: BSD-3-Clause
 * Tables as text, CSV and JSON. */
#include "report/table.h"

#include <stdlib.h>

#include "host/memory.h"
#include "report/text.h"
#include "study/report/format.h"
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

typedef void format(struct hpm_string *string, const struct hpm_table *table);

static void
check(format *add_table, const struct hpm_table *table, const char *expected,
      const char *sentence)
{
    struct hpm_string string = {0};

    add_table(&string, table);
    is_text(hpm_string_text(&string), expected, sentence);
    ok(!string.failed, "there was memory enough");
    hpm_string_free(&string);
}

/* One column "name" with one text in it. */
static void
check_cell(format *add_table, const char *text, const char *expected,
           const char *sentence)
{
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "name", NULL, 0);
    hpm_table_add_text(&table, text);
    check(add_table, &table, expected, sentence);
    hpm_table_clear(&table);
}

/* ---- the table ------------------------------------------------------- */

static void
add_row(struct hpm_table *table, const char *name, uint64_t calls,
        int64_t thread, double seconds)
{
    hpm_table_add_text(table, name);
    hpm_table_add_count(table, calls);
    hpm_table_add_integer(table, thread);
    hpm_table_add_real(table, seconds);
}

static void
fill(struct hpm_table *table)
{
    hpm_table_add_column(table, "name", "section", 0);
    hpm_table_add_column(table, "calls", NULL, 0);
    hpm_table_add_column(table, "thread", NULL, 0);
    hpm_table_add_column(table, "seconds", "time s", 3);
    add_row(table, "main", 1234567, 4711, 0.0625);
    add_row(table, "a longer name", 1, -1, 12345.5);
    hpm_table_add_none(table);
    hpm_table_add_none(table);
    hpm_table_add_none(table);
    hpm_table_add_none(table);
}

static void
test_cells(void)
{
    struct hpm_table table = {0};
    char name[] = "main";

    fill(&table);
    is_count(hpm_table_rows(&table), 3, "a table knows its rows");
    is_count(table.n_columns, 4, "and its columns");
    is_text(hpm_table_cell(&table, 1, 0)->text, "a longer name",
            "a cell is found by row and column");
    ok(hpm_table_cell(&table, 1, 1)->kind == HPM_CELL_COUNT &&
           hpm_table_cell(&table, 1, 1)->count == 1 &&
           hpm_table_cell(&table, 1, 2)->kind == HPM_CELL_INTEGER &&
           hpm_table_cell(&table, 1, 2)->integer == -1 &&
           hpm_table_cell(&table, 1, 3)->kind == HPM_CELL_REAL &&
           hpm_table_cell(&table, 2, 3)->kind == HPM_CELL_NONE,
       "each cell has its kind");
    hpm_table_clear(&table);
    ok(table.n_cells == 0 && hpm_table_rows(&table) == 0,
       "a cleared table is empty");
    hpm_table_add_column(&table, "name", name, 0);
    hpm_table_add_text(&table, name);
    name[0] = 'x';
    ok(strcmp(table.columns[0].heading, "main") == 0 &&
           strcmp(table.cells[0].text, "main") == 0,
       "headings and texts are copied");
    hpm_table_clear(&table);
}

static void
test_no_number(void)
{
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "a", NULL, 2);
    hpm_table_add_real(&table, NAN);
    hpm_table_add_real(&table, INFINITY);
    hpm_table_add_real(&table, -INFINITY);
    hpm_table_add_real(&table, 0.0);
    check(hpm_csv_add_table, &table, "a\n\n\n\n0\n",
          "what is not a number has no value in CSV");
    check(hpm_json_add_table, &table,
          "[\n  {\"a\": null},\n  {\"a\": null},\n  {\"a\": null},"
          "\n  {\"a\": 0}\n]",
          "null in JSON");
    is_count(table.cells[0].kind, HPM_CELL_NONE, "and is no value");
    hpm_table_clear(&table);
}

static void
test_empty(void)
{
    struct hpm_table table = {0};

    check(hpm_json_add_table, &table, "[]", "no columns make no objects");
    hpm_table_add_column(&table, "name", NULL, 0);
    hpm_table_add_column(&table, "calls", "n", 0);
    is_count(hpm_table_rows(&table), 0, "a table may have no rows");
    check(hpm_text_add_table, &table, "name  n\n", "headings alone in text");
    check(hpm_csv_add_table, &table, "name,calls\n", "a header in CSV");
    check(hpm_json_add_table, &table, "[]", "an empty array in JSON");
    hpm_table_clear(&table);
}

/* ---- text ------------------------------------------------------------ */

static void
test_text(void)
{
    struct hpm_table table = {0};

    fill(&table);
    check(hpm_text_add_table, &table,
          "section            calls  thread     time s\n"
          "main           1,234,567    4711      0.062\n"
          "a longer name          1      -1  12345.500\n"
          "-                      -       -          -\n",
          "text stands to the left, numbers to the right");
    hpm_table_clear(&table);
}

static void
test_text_last(void)
{
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "n", NULL, 0);
    hpm_table_add_column(&table, "where", NULL, 0);
    hpm_table_add_column(&table, "what", NULL, 0);
    hpm_table_add_text(&table, "a");
    hpm_table_add_integer(&table, 17);
    hpm_table_add_text(&table, "x");
    hpm_table_add_text(&table, "b");
    hpm_table_add_text(&table, "everywhere");
    hpm_table_add_text(&table, "longer");
    check(hpm_text_add_table, &table,
          "n  where       what\n"
          "a  17          x\n"
          "b  everywhere  longer\n",
          "a column with any text is to the left, no blanks end a line");
    hpm_table_clear(&table);
}

static void
test_text_first(void)
{
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "threads", NULL, 0);
    hpm_table_add_column(&table, "count", NULL, 0);
    hpm_table_add_count(&table, 1);
    hpm_table_add_count(&table, 1);
    hpm_table_add_count(&table, 16);
    hpm_table_add_none(&table);
    check(hpm_text_add_table, &table,
          "threads  count\n"
          "1            1\n"
          "16           -\n",
          "the first column is to the left, whatever it holds");
    hpm_table_clear(&table);
}

static void
test_text_width(void)
{
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "name", NULL, 0);
    hpm_table_add_column(&table, "x", NULL, 0);
    hpm_table_add_text(&table, "gr\xc3\xb6\xc3\x9f"
                               "e");
    hpm_table_add_count(&table, 1);
    hpm_table_add_text(&table, "ten bytes!");
    hpm_table_add_count(&table, 2);
    hpm_table_add_text(&table, "a\x1b[m\n");
    hpm_table_add_count(&table, 3);
    check(hpm_text_add_table, &table,
          "name         x\n"
          "gr\xc3\xb6\xc3\x9f"
          "e        1\n"
          "ten bytes!   2\n"
          "a\\x1B[m\\x0A  3\n",
          "characters count, not bytes; what cannot be shown is \\xHH");
    hpm_table_clear(&table);
    is_count(hpm_text_width(""), 0, "nothing is no column wide");
    is_count(hpm_text_width("\xe2\x82\xac\xc3\xa9z"), 3,
             "three characters are three columns wide");
}

static void
check_safe(const char *text, const char *expected, const char *sentence)
{
    struct hpm_string string = {0};

    hpm_string_add_safe(&string, text);
    is_text(hpm_string_text(&string), expected, sentence);
    hpm_string_free(&string);
}

static void
test_text_safe(void)
{
    check_safe("plain, \"quoted\" & \\", "plain, \"quoted\" & \\",
               "what can be shown is");
    check_safe("a\tb\nc\rd", "a\\x09b\\x0Ac\\x0Dd", "blank control");
    check_safe("\x1b]0;x\x07", "\\x1B]0;x\\x07", "terminal sequences");
    check_safe("\xc2\x9b"
               "31m\x7f",
               "\\xC2\\x9B31m\\x7F", "the other terminal sequences");
    check_safe("\xe2\x80\xae"
               "a\xe2\x81\xa6\xd8\x9c\xe2\x80\xa8",
               "\\xE2\\x80\\xAEa\\xE2\\x81\\xA6\\xD8\\x9C\\xE2\\x80\\xA8",
               "marks of direction, and of a new line");
    check_safe("\xe2\x80\x93\xd8\xa7", "\xe2\x80\x93\xd8\xa7",
               "their neighbours stay");
    check_safe("\xe2\x82\xac\xe2\x82", "\xe2\x82\xac\\xE2\\x82",
               "a character cut off");
}

/* The output contains nothing that controls a terminal. */
static void
test_text_safe_property(void)
{
    struct hpm_string string = {0};
    bool is_safe = true;

    for (int i = 0; i < 20000; i++) {
        char text[17];

        for (int j = 0; j < 16; j++)
            text[j] = (char)(1 + next_random() % 255);
        text[16] = '\0';
        hpm_string_clear(&string);
        hpm_string_add_safe(&string, text);
        for (const char *c = string.text; *c != '\0';) {
            size_t length = hpm_string_character(c);

            is_safe = is_safe && length > 0 && (unsigned char)*c >= ' ';
            c += length > 0 ? length : 1;
        }
    }
    ok(is_safe, "any bytes are made safe to show");
    hpm_string_free(&string);
}

/* ---- CSV ------------------------------------------------------------- */

static void
test_csv(void)
{
    struct hpm_table table = {0};

    fill(&table);
    check(hpm_csv_add_table, &table,
          "name,calls,thread,seconds\n"
          "main,1234567,4711,0.0625\n"
          "a longer name,1,-1,12345.5\n"
          ",,,\n",
          "CSV has names, plain numbers and nothing for no value");
    hpm_table_clear(&table);
}

static void
test_csv_quotes(void)
{
    check_cell(hpm_csv_add_table, "plain 'text'; a=b",
               "name\n"
               "plain 'text'; a=b\n",
               "plain text is not quoted");
    check_cell(hpm_csv_add_table, "a,b", "name\n\"a,b\"\n",
               "a comma is quoted");
    check_cell(hpm_csv_add_table, "say \"x\"", "name\n\"say \"\"x\"\"\"\n",
               "a quote is doubled and quoted");
    check_cell(hpm_csv_add_table, "a\nb", "name\n\"a\nb\"\n",
               "a newline is quoted");
    check_cell(hpm_csv_add_table, "a\r", "name\n\"a\r\"\n",
               "a carriage return is quoted");
    check_cell(hpm_csv_add_table, " a", "name\n\" a\"\n",
               "a leading blank is quoted");
    check_cell(hpm_csv_add_table, "a ", "name\n\"a \"\n",
               "so is one at the end");
    check_cell(hpm_csv_add_table, "", "name\n\n", "empty text is empty");
    check_cell(hpm_csv_add_table, NULL, "name\n\n", "so is NULL");
    check_cell(hpm_csv_add_table, "\x1b\xff\\", "name\n\\x1B\\xFF\\\\\n",
               "what is not UTF-8 or a control character is \\xHH");
}

/* Undo \\ and \xHH. */
static void
decode_backslashes(const char *text, char *ret_bytes)
{
    while (*text != '\0') {
        if (text[0] == '\\' && text[1] == '\\') {
            *ret_bytes++ = '\\';
            text += 2;
        } else if (text[0] == '\\' && text[1] == 'x') {
            char digits[3] = {text[2], text[3], '\0'};

            *ret_bytes++ = (char)strtol(digits, NULL, 16);
            text += 4;
        } else {
            *ret_bytes++ = *text++;
        }
    }
    *ret_bytes = '\0';
}

/* One field of RFC 4180; returns what ends it, NULL for a malformed one. */
static const char *
parse_csv(const char *text, char *ret_field)
{
    bool is_quoted = *text == '"';

    text += is_quoted;
    while (*text != '\0') {
        if (is_quoted && *text == '"' && text[1] != '"') {
            *ret_field = '\0';
            return text + 1;
        }
        if (!is_quoted && strchr(",\r\n", *text) != NULL) {
            *ret_field = '\0';
            return text;
        }
        if (*text == '"' && !is_quoted)
            return NULL;
        text += *text == '"';
        *ret_field++ = *text++;
    }
    return NULL;
}

/* Random bytes, many of them awkward ones. */
static void
random_bytes(char *ret_bytes, size_t length)
{
    static const char awkward[] = "\",\n\r \\\t/x4\xc3\xa9\xe2\x82\xac\x7f";

    for (size_t i = 0; i < length; i++)
        ret_bytes[i] = next_random() % 2 == 0
                           ? (char)(1 + next_random() % 255)
                           : awkward[next_random() % (sizeof awkward - 1)];
    ret_bytes[length] = '\0';
}

static bool
csv_comes_back(const char *a, const char *b)
{
    struct hpm_table table = {0};
    struct hpm_string csv = {0};
    char field[256], bytes[256];
    const char *c;
    bool is_back;

    hpm_table_add_column(&table, "a", NULL, 0);
    hpm_table_add_column(&table, "b", NULL, 0);
    hpm_table_add_text(&table, a);
    hpm_table_add_text(&table, b);
    hpm_csv_add_table(&csv, &table);
    c = parse_csv(csv.text + 4, field);
    is_back = c != NULL && *c == ',';
    if (is_back) {
        decode_backslashes(field, bytes);
        is_back = strcmp(bytes, a) == 0;
        c = parse_csv(c + 1, field);
        decode_backslashes(c != NULL ? field : "", bytes);
        is_back = is_back && c != NULL && strcmp(c, "\n") == 0 &&
                  strcmp(bytes, b) == 0;
    }
    hpm_string_free(&csv);
    hpm_table_clear(&table);
    return is_back;
}

static void
test_csv_property(void)
{
    int n_lost = 0;

    for (int i = 0; i < 20000; i++) {
        char a[32], b[32];

        random_bytes(a, next_random() % 16);
        random_bytes(b, next_random() % 16);
        n_lost += !csv_comes_back(a, b);
    }
    is_count((uint64_t)n_lost, 0, "any bytes come back from CSV");
}

/* ---- JSON ------------------------------------------------------------ */

static void
test_json(void)
{
    struct hpm_table table = {0};

    fill(&table);
    check(hpm_json_add_table, &table,
          "[\n"
          "  {\"name\": \"main\", \"calls\": 1234567, \"thread\": 4711, "
          "\"seconds\": 0.0625},\n"
          "  {\"name\": \"a longer name\", \"calls\": 1, \"thread\": -1, "
          "\"seconds\": 12345.5},\n"
          "  {\"name\": null, \"calls\": null, \"thread\": null, "
          "\"seconds\": null}\n"
          "]",
          "JSON is an array of rows, null for no value");
    hpm_table_clear(&table);
}

static void
check_json(const char *text, const char *expected, const char *sentence)
{
    struct hpm_string string = {0};

    hpm_json_add_text(&string, text);
    is_text(hpm_string_text(&string), expected, sentence);
    hpm_string_free(&string);
}

static void
test_json_text(void)
{
    check_json("", "\"\"", "empty text in quotes");
    check_json("a/b 'c' <&>", "\"a/b 'c' <&>\"", "plain text stays");
    check_json("\"", "\"\\\"\"", "a quote is escaped");
    check_json("\\", "\"\\\\\\\\\"", "a backslash is two, each escaped");
    check_json("\t\n\r", "\"\\u0009\\u000a\\u000d\"",
               "tabs and line ends are escaped");
    check_json("\x01\x7f", "\"\\\\x01\\\\x7F\"",
               "other control characters are \\xHH");
    check_json("\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\"",
               "UTF-8 stays");
    check_json("\xff\xc3", "\"\\\\xFF\\\\xC3\"", "other bytes are \\xHH");
}

/* A JSON string; false for a malformed one. */
static bool
parse_json(const char *text, char *ret_text)
{
    if (*text++ != '"')
        return false;
    while (*text != '"') {
        size_t length = hpm_string_character(text);

        if (length == 0 || (unsigned char)*text < ' ')
            return false;
        if (*text != '\\') {
            memcpy(ret_text, text, length);
            ret_text += length;
            text += length;
        } else if (text[1] == 'u') {
            char digits[5] = {text[2], text[3], text[4], text[5], '\0'};

            *ret_text++ = (char)strtol(digits, NULL, 16);
            text += 6;
        } else if (text[1] == '"' || text[1] == '\\') {
            *ret_text++ = text[1];
            text += 2;
        } else {
            return false;
        }
    }
    *ret_text = '\0';
    return text[1] == '\0';
}

static void
test_json_property(void)
{
    struct hpm_string json = {0};
    int n_lost = 0;

    for (int i = 0; i < 20000; i++) {
        char bytes[32], text[256], back[256];

        random_bytes(bytes, next_random() % 16);
        hpm_string_clear(&json);
        hpm_json_add_text(&json, bytes);
        if (parse_json(json.text, text)) {
            decode_backslashes(text, back);
            n_lost += strcmp(back, bytes) != 0;
        } else {
            n_lost++;
        }
    }
    is_count((uint64_t)n_lost, 0, "any bytes come back from JSON");
    hpm_string_free(&json);
}

/* ---- text of a given width ------------------------------------------ */

static void
fill_wide(struct hpm_table *table)
{
    hpm_table_add_column(table, "section", NULL, 0);
    hpm_table_add_column(table, "seconds", NULL, 3);
    hpm_table_add_column(table, "low", NULL, 0);
    hpm_table_rank_column(table, 1);
    hpm_table_add_column(table, "high", NULL, 0);
    hpm_table_rank_column(table, 2);
    hpm_table_add_column(table, "where", NULL, 0);
    hpm_table_rank_column(table, 2);
    hpm_table_add_text(table, "a section of a l\xc3\xb6ng name");
    hpm_table_add_real(table, 1.5);
    hpm_table_emphasise(table, HPM_EMPHASIS_BAD);
    hpm_table_add_count(table, 7);
    hpm_table_add_count(table, 8);
    hpm_table_add_text(table, "solver.c:41");
}

static void
check_width(size_t width, bool is_coloured, const char *expected,
            size_t n_left_out, const char *sentence)
{
    struct hpm_text_style style = {width, is_coloured};
    struct hpm_string string = {0};
    struct hpm_table table = {0};

    fill_wide(&table);
    is_count(hpm_text_add_table_in(&string, &table, &style), n_left_out,
             "so many columns are left out");
    is_text(hpm_string_text(&string), expected, sentence);
    hpm_string_free(&string);
    hpm_table_clear(&table);
}

static void
test_width(void)
{
    static const char whole[] =
        "section                   seconds  low  high  where\n"
        "a section of a l\xc3\xb6ng name    1.500    7     8  solver.c:41\n";

    check_width(0, false, whole, 0, "without a bound nothing is left out");
    check_width(57, false, whole, 0, "what fits exactly stays whole");
    check_width(56, false,
                "section                   seconds  low  high\n"
                "a section of a l\xc3\xb6ng name    1.500    7     8\n",
                1, "of columns of one rank the last is left out first");
    check_width(38, false,
                "section                   seconds  low\n"
                "a section of a l\xc3\xb6ng name    1.500    7\n",
                2, "those of a higher rank before those of a lower one");
    check_width(28, false,
                "section              seconds\n"
                "a section of a l\xc3\xb6..    1.500\n",
                3, "then the first column is cut, between characters");
    check_width(3, false,
                "section       seconds\n"
                "a section ..    1.500\n",
                3, "but not to nothing, and what must stay stays");
    check_width(28, true,
                "\033[1msection\033[0m              \033[1mseconds\033[0m\n"
                "a section of a l\xc3\xb6..    \033[31m1.500\033[0m\n",
                3, "colours take no room");
}

/* Empty columns; the third has a name and no rank. */
static void
test_empty_columns(void)
{
    static const struct hpm_text_style style = {80, false};
    struct hpm_string string = {0};
    struct hpm_table table = {0};

    hpm_table_add_column(&table, "section", NULL, 0);
    hpm_table_add_column(&table, "spare", NULL, 0);
    hpm_table_rank_column(&table, 1);
    hpm_table_add_column(&table, "needed", NULL, 0);
    hpm_table_add_column(&table, "", NULL, 0);
    hpm_table_add_column(&table, "note", NULL, 0);
    hpm_table_rank_column(&table, 2);
    hpm_table_add_text(&table, "a");
    hpm_table_add_none(&table);
    hpm_table_add_none(&table);
    hpm_table_add_text(&table, "");
    hpm_table_add_text(&table, "");
    is_count(hpm_text_add_table_in(&string, &table, &style), 0,
             "nothing that has something to say is left out");
    is_text(hpm_string_text(&string), "section  needed\na             -\n",
            "of empty columns only those stay that cannot be spared");
    hpm_string_free(&string);
    hpm_table_clear(&table);
}

/* ---- memory ---------------------------------------------------------- */

enum { N_FORMATS = 3 };

/* Make a table and format it in every way; false when memory ran out and this
 * was reported. */
static bool
make_all(struct hpm_string *ret_strings)
{
    static format *const formats[] = {hpm_text_add_table, hpm_csv_add_table,
                                      hpm_json_add_table};
    struct hpm_table table = {0};
    bool is_whole;

    fill(&table);
    is_whole = !table.failed;
    for (int i = 0; i < N_FORMATS; i++) {
        formats[i](&ret_strings[i], &table);
        is_whole = is_whole && !ret_strings[i].failed;
    }
    hpm_table_clear(&table);
    return is_whole;
}

static void
free_all(struct hpm_string *strings)
{
    for (int i = 0; i < N_FORMATS; i++)
        hpm_string_free(&strings[i]);
}

/* ---- errors of values ----------------------------------------------- */

static void
check_reach(double value, double reach, const char *expected)
{
    struct hpm_string string = {0};

    hpm_text_add_reach(&string, value, reach);
    is_text(hpm_string_text(&string), expected, expected);
    hpm_string_free(&string);
}

/* In per cent, with fewer digits the larger it is. */
static void
test_reach(void)
{
    check_reach(200.0, 24.0, " +-12%");
    check_reach(200.0, 20.0, " +-10%");
    check_reach(200.0, 19.0, " +-9.5%");
    check_reach(200.0, 2.0, " +-1.0%");
    check_reach(200.0, 1.0, " +-0.50%");
    check_reach(200.0, 0.02, " +-0.01%");
    check_reach(200.0, 0.0002, " +-0.01%");
    check_reach(200.0, 0.0, " +-0.00%");
    check_reach(-200.0, 2.0, " +-1.0%");
    check_reach(0.0, 0.5, " +-50%");
    check_reach(200.0, NAN, " +-?");
    check_reach(0.0, NAN, " +-?");
}

static void
test_no_memory(void)
{
    struct hpm_string expected[N_FORMATS] = {{0}};
    bool is_right = make_all(expected), is_whole = false;
    unsigned long k;

    for (k = 1; k < 200 && !is_whole; k++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            struct hpm_string strings[N_FORMATS] = {{0}};

            hpm_memory_fail_at(k, for_ever);
            is_whole = make_all(strings);
            hpm_memory_fail_at(0, false);
            for (int i = 0; is_whole && i < N_FORMATS; i++)
                is_right =
                    is_right && strcmp(strings[i].text, expected[i].text) == 0;
            free_all(strings);
        }
    }
    ok(is_whole && k > 15, "every allocation has failed once");
    ok(is_right, "without memory, a table is whole or marked as failed");
    free_all(expected);
}

int
main(void)
{
    test_cells();
    test_no_number();
    test_empty();
    test_text();
    test_text_last();
    test_text_first();
    test_text_width();
    test_text_safe();
    test_text_safe_property();
    test_csv();
    test_csv_quotes();
    test_csv_property();
    test_json();
    test_json_text();
    test_json_property();
    test_width();
    test_empty_columns();
    test_reach();
    test_no_memory();
    return done();
}
