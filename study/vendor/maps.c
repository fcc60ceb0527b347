/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of the processors that files are for: Intel's mapfile.csv (a line per
 * file), the kernel's (a line per folder, with ids as regular expressions), and
 * tables of ids. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "study/vendor/forms.h"
#include "study/vendor/notation.h"

enum { MOST_CELLS = 8, MOST_LINE = 1024, MOST_IDS = 4096, MOST_GLOBS = 256 };

struct line {
    char text[MOST_LINE];
    char *cells[MOST_CELLS]; /* "" for a missing cell */
    int number;
    bool is_cut; /* the line is too long */
};

static char nothing[] = "";

/* Read the next line into cells.  Returns the text after it; NULL at the
 * end. */
static const char *
read_line(struct line *line, const char *text, char separator)
{
    size_t length = strcspn(text, "\r\n");
    size_t kept = length < MOST_LINE ? length : MOST_LINE - 1;
    char *cell = line->text;

    if (*text == '\0')
        return NULL;
    memcpy(line->text, text, kept);
    line->text[kept] = '\0';
    line->number++;
    line->is_cut = kept < length;
    for (size_t i = 0; i < MOST_CELLS; i++) {
        char *end = cell != NULL ? strchr(cell, separator) : NULL;

        line->cells[i] = cell != NULL ? cell : nothing;
        if (end != NULL)
            *end++ = '\0';
        cell = end;
    }
    text += length;
    return text + strspn(text, "\r\n");
}

/* ---- ids of the kernel ----------------------------------------------- */

/* Write a regular expression of digits and repetitions as one of our globs. */
static void
add_glob(struct hpm_string *glob, const char *pattern)
{
    while (*pattern != '\0') {
        bool is_any = strncmp(pattern, "[[:xdigit:]]", 12) == 0;
        size_t length = is_any            ? 12
                        : *pattern == '[' ? strcspn(pattern, "]") + 1
                                          : 1;
        long n = 1;

        if (pattern[length] == '{')
            n = strtol(pattern + length + 1, NULL, 10);
        for (long i = 0; i < n && i < 16; i++) {
            if (is_any || *pattern == '.')
                hpm_string_add_char(glob, '?');
            else
                hpm_string_add_bytes(glob, pattern, length);
        }
        pattern += length;
        if (*pattern == '{')
            pattern += strcspn(pattern, "}") + 1;
        else if (*pattern == '+' || *pattern == '*')
            hpm_string_add(glob, pattern++[0] == '+' ? "*" : "*");
    }
}

/* Write "a(b|c)d" as several globs, with commas between. */
static void
add_globs(struct hpm_string *globs, const char *pattern, int *n)
{
    const char *open = strchr(pattern, '(');
    const char *close = open != NULL ? strchr(open, ')') : NULL;
    const char *one;

    if (*n >= MOST_GLOBS)
        return;
    if (close == NULL) {
        hpm_string_add(globs, (*n)++ > 0 ? ", " : "");
        add_glob(globs, pattern);
        return;
    }
    for (one = open + 1; one <= close; one += strcspn(one, "|)") + 1) {
        struct hpm_string single = {0};

        hpm_string_add_bytes(&single, pattern, (size_t)(open - pattern));
        hpm_string_add_bytes(&single, one, strcspn(one, "|)"));
        hpm_string_add(&single, close + 1);
        add_globs(globs, hpm_string_text(&single), n);
        hpm_string_finish(&single, &globs->failed);
    }
}

/* 0x00000000410fd490: any variant and revision of that part. */
static void
add_midr(struct hpm_string *ids, const char *pattern)
{
    unsigned long long midr = strtoull(pattern, NULL, 16);

    hpm_string_add_format(ids, "MIDR-%02llx?f%03llx?", (midr >> 24) & 0xff,
                          (midr >> 4) & 0xfff);
}

static bool
is_hexadecimal(const char *text)
{
    return strlen(text) == 18 && strspn(text, "0123456789abcdefABCDEFx") == 18;
}

static void
add_ids(struct hpm_string *ids, const char *pattern)
{
    struct hpm_string globs = {0};
    int n = 0;

    if (is_hexadecimal(pattern)) {
        add_midr(ids, pattern);
        return;
    }
    add_globs(&globs, pattern, &n);
    if (strncmp(pattern, "0x", 2) == 0 && strchr(pattern, '-') != NULL)
        hpm_string_add_format(ids, "RISCV-%s", hpm_string_text(&globs));
    else if (strncmp(pattern, "0x", 2) == 0)
        hpm_string_add_format(ids, "PVR-%s", hpm_string_text(&globs) + 2);
    else
        hpm_string_add(ids, hpm_string_text(&globs));
    hpm_string_finish(&globs, &ids->failed);
}

/* ---- mapfile.csv ----------------------------------------------------- */

/* Intel: "/SKX/events/skylakex_core.json"; the last cell tells P cores from E
 * cores of a hybrid. */
static bool
add_csv_line(struct hpm_vendor *vendor, const struct line *line)
{
    const char *file = line->cells[2], *role = line->cells[6];
    const char *pmu = strcmp(role, "Core") == 0            ? "cpu_core"
                      : strcmp(role, "Atom") == 0          ? "cpu_atom"
                      : strcmp(role, "LowPower_Atom") == 0 ? "cpu_lowpower"
                                                           : NULL;
    const char *key = file[0] == '/' ? hpm_vendor_key(vendor, file) : file;
    struct hpm_string ids = {0};
    bool is_good;

    add_ids(&ids, line->cells[0]);
    is_good = !ids.failed && key != NULL &&
              hpm_vendor_add_map(vendor, key, hpm_string_text(&ids), NULL, pmu);
    hpm_string_free(&ids);
    return is_good;
}

static bool
read_csv(struct hpm_vendor *vendor, const char *path, const char *text,
         struct hpm_error *err)
{
    struct line line = {.number = 0};

    while ((text = read_line(&line, text, ',')) != NULL) {
        if (line.text[0] == '#' || strcmp(line.cells[0], "Family-model") == 0)
            continue;
        if (line.is_cut)
            return hpm_error_set(err, "%.300s:%d: is longer than %d letters",
                                 path, line.number, MOST_LINE - 1);
        if (line.cells[2][0] == '\0')
            return hpm_error_set(err,
                                 "%.300s:%d: '%.60s' has no file; expected "
                                 "FAMILY-MODEL,VERSION,FILE,KIND",
                                 path, line.number, line.cells[0]);
        if (!add_csv_line(vendor, &line))
            return hpm_error_no_memory(err);
    }
    return true;
}

/* ---- tables of ids --------------------------------------------------- */

/* Write models such as "0x97,0x10-0x1f" as ids, with commas between. */
static void
add_models(struct hpm_string *ids, const char *vendor, unsigned long family,
           const char *models, const char *steppings)
{
    char *end;

    while (*models != '\0') {
        unsigned long first = strtoul(models, &end, 16), last = first;

        if (end == models)
            return;
        if (*end == '-')
            last = strtoul(end + 1, &end, 16);
        for (; first <= last && last < MOST_IDS; first++) {
            hpm_string_add_format(ids, "%s%s-%lu-%lX",
                                  ids->length > 0 ? ", " : "", vendor, family,
                                  first);
            if (steppings[0] == '\0')
                continue;
            hpm_string_add(ids, "-[");
            for (const char *s = steppings; isxdigit((unsigned char)*s);) {
                hpm_string_add_format(ids, "%lX", strtoul(s, &end, 16));
                s = end + (*end == ',');
            }
            hpm_string_add_char(ids, ']');
        }
        models = end + (*end == ',');
    }
}

/* "mvendorid=A,marchid=B,mimpid=C" */
static void
add_riscv(struct hpm_string *ids, const char *id)
{
    hpm_string_add(ids, "RISCV");
    while (*id != '\0') {
        size_t name = strcspn(id, "="), value;

        if (id[name] == '\0')
            return;
        value = strcspn(id + name + 1, ",");
        hpm_string_add_char(ids, '-');
        hpm_string_add_bytes(ids, id + name + 1, value);
        id += name + 1 + value;
        id += *id == ',';
    }
}

static void
add_table_ids(struct hpm_string *ids, const struct line *line)
{
    const char *arch = line->cells[0], *id = line->cells[5];
    unsigned long family = strtoul(line->cells[2], NULL, 16);

    if (strcmp(arch, "x86") == 0)
        add_models(ids, line->cells[1], family, line->cells[3], line->cells[4]);
    else if (strcmp(arch, "arm64") == 0)
        hpm_string_add_format(ids, "MIDR-%02lx?f%03lx?", family,
                              strtoul(line->cells[3], NULL, 16));
    else if (strncmp(id, "pvr>>16=0x", 10) == 0)
        hpm_string_add_format(ids, "PVR-%04lx????", strtoul(id + 10, NULL, 16));
    else if (strcmp(arch, "riscv") == 0)
        add_riscv(ids, id);
}

static bool
read_ids(struct hpm_vendor *vendor, const char *path, const char *text,
         struct hpm_error *err)
{
    struct line line = {.number = 0};

    while ((text = read_line(&line, text, '\t')) != NULL) {
        struct hpm_string ids = {0};
        bool is_good = true;

        if (line.is_cut)
            return hpm_error_set(err, "%.300s:%d: is longer than %d letters",
                                 path, line.number, MOST_LINE - 1);
        if (line.number > 1)
            add_table_ids(&ids, &line);
        if (ids.length > 0)
            is_good =
                hpm_vendor_add_map(vendor, line.cells[6], hpm_string_text(&ids),
                                   line.cells[7], NULL);
        is_good &= !ids.failed;
        hpm_string_free(&ids);
        if (!is_good)
            return hpm_error_no_memory(err);
    }
    return true;
}

bool
hpm_forms_read_map(struct hpm_vendor *vendor, const char *path,
                   const char *text, struct hpm_error *err)
{
    struct hpm_vendor_source source = {.path = path,
                                       .form = "list of processors"};

    return (text[0] == 'F' ? read_csv(vendor, path, text, err)
                           : read_ids(vendor, path, text, err)) &&
           hpm_forms_note(vendor, &source, err);
}
