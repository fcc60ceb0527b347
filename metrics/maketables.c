/* SPDX-License-Identifier: BSD-3-Clause
 * The shipped definition files as tables in C (metric/language/tables.h), by the reader
 * that programs have:
 *
 *     maketables FILE... > shippedtables.c
 *
 * It runs where the toolkit is built, so it is compiled for that machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string.h"
#include "host/path.h"
#include "metric/language/builtin.h"
#include "metric/language/spec.h"
#include "metric/language/tables.h"

struct source {
    const char *name;
    struct hpm_string text;
    struct hpm_spec *spec;
};

static void
fail(const char *name, const char *why)
{
    fprintf(stderr, "maketables: %s: %s\n", name, why);
    exit(1);
}

/* ---- reading --------------------------------------------------------- */

static void
read_bytes(struct source *source, const char *path)
{
    FILE *file = fopen(path, "rb");
    char buffer[4096];
    size_t n;

    if (file == NULL)
        fail(path, "cannot be opened");
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        hpm_string_add_bytes(&source->text, buffer, n);
    if (ferror(file) || source->text.failed)
        fail(path, "cannot be read");
    fclose(file);
}

static bool
include(struct hpm_spec *spec, const char *name, void *context,
        struct hpm_error *err)
{
    (void)spec;
    (void)context;
    return hpm_error_set(err, "'%s': a shipped file cannot include another",
                         name);
}

static void
read_source(struct source *source, const char *path)
{
    source->name = hpm_path_base_name(path);
    read_bytes(source, path);
    source->spec = hpm_spec_new();
    if (source->spec == NULL ||
        !hpm_spec_read(source->spec, source->name,
                       hpm_string_text(&source->text), source->text.length, 0,
                       include, NULL, NULL))
        fail(path, "no memory");
    if (source->spec->n_complaints > 0)
        fail(path, hpm_string_text(&source->spec->complaints));
}

/* A number as the tables have it: two bytes, the last value meaning none. */
static unsigned
small(const struct source *source, size_t number)
{
    if (number >= UINT16_MAX)
        fail(source->name, "too long for the tables of 16-bit numbers in "
                           "lib/metric/language/tables.h; divide it");
    return (unsigned)number;
}

static unsigned
text_number(const struct source *source, uint32_t name)
{
    return name != HPM_NO_NAME ? small(source, name) : HPM_TABLES_NO_TEXT;
}

/* The same in one byte. */
static unsigned
column(const struct source *source, struct hpm_position place)
{
    if (place.column > UINT8_MAX)
        fail(source->name, "a line is too long for the columns in "
                           "lib/metric/language/tables.h; divide it");
    return (unsigned)place.column;
}

/* ---- numbers --------------------------------------------------------- */

/* Those of all formulas, each once; the first stands for none. */
static double numbers[UINT16_MAX];
static unsigned n_numbers = 1;

static unsigned
number_of(const struct source *source, double value)
{
    for (unsigned i = 0; i < n_numbers; i++) {
        if (memcmp(&numbers[i], &value, sizeof value) == 0)
            return i;
    }
    numbers[small(source, n_numbers)] = value;
    return n_numbers++;
}

static void
print_numbers(void)
{
    puts("const double hpm_tables_numbers[] = {");
    for (unsigned i = 0; i < n_numbers; i++)
        printf("    %.17g,\n", numbers[i]);
    puts("};\n");
}

/* ---- texts ----------------------------------------------------------- */

/* In pieces, each a line; what follows an octal escape cannot join it. */
static void
print_text(const char *text)
{
    printf("    \"");
    for (const char *c = text; *c != '\0'; c++) {
        if (c > text && (c - text) % 64 == 0)
            printf("\"\n    \"");
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c >= ' ' && *c < 0x7f && *c != '?')
            putchar(*c);
        else
            printf("\\%03o", (unsigned char)*c);
    }
    printf("\\0\"\n");
}

/* Of the pool: each text once, whichever files say it. */
static struct hpm_names pool;
static size_t begins[UINT16_MAX];
static size_t pool_length;

static void
put_in_pool(const struct source *source, const char *text)
{
    size_t length = strlen(text), n_before = pool.n_texts;
    uint32_t name = hpm_names_add(&pool, text, length);

    if (name == HPM_NO_NAME)
        fail(source->name, "no memory");
    if (pool.n_texts > n_before) {
        begins[small(source, name)] = pool_length;
        pool_length += length + 1;
        print_text(text);
    }
    if (length >= 1 << 12 || pool_length > 1 << 20)
        fail(source->name, "too long for struct hpm_tables_text in "
                           "lib/metric/language/tables.h");
}

static void
print_pool(const struct source *sources, int n)
{
    puts("const char hpm_tables_pool[] =");
    for (int i = 0; i < n; i++) {
        for (size_t j = 0; j < sources[i].spec->names.n_texts; j++)
            put_in_pool(&sources[i], sources[i].spec->names.texts[j]);
    }
    puts("    \"\";\n\nconst struct hpm_tables_text hpm_tables_texts[] = {");
    for (int i = 0; i < n; i++) {
        for (size_t j = 0; j < sources[i].spec->names.n_texts; j++) {
            const char *text = sources[i].spec->names.texts[j];

            printf("    {%zu, %zu},\n", begins[hpm_names_find(&pool, text)],
                   strlen(text));
        }
    }
    puts("    {0}};\n");
}

/* ---- attributes ------------------------------------------------------ */

/* Print those that a statement has, if told to; return how many. */
static unsigned
put_attributes(const struct source *source, struct hpm_attributes *attributes,
               bool is_printed)
{
    unsigned n = 0;

    for (unsigned kind = 0; kind < HPM_N_TEXTS; kind++) {
        if (attributes->texts[kind] == HPM_NO_NAME)
            continue;
        n++;
        if (is_printed)
            printf("    {%u, 0, 0, 0, %u, 0},\n", kind,
                   text_number(source, attributes->texts[kind]));
    }
    for (unsigned kind = HPM_N_TEXTS; kind < HPM_TABLES_N_KINDS; kind++) {
        struct hpm_limit_formula none = {0}, *limit;
        struct hpm_range *range = hpm_tables_range(attributes, kind, &limit);

        if (range->count == 0)
            continue;
        if (limit == NULL)
            limit = &none;
        n++;
        if (is_printed)
            printf("    {%u, %d, %u, %u, %u, %u},\n", kind, limit->is_above,
                   small(source, (size_t)limit->place.line),
                   small(source, (size_t)limit->place.column),
                   small(source, range->first), small(source, range->count));
    }
    return n;
}

static void
print_attributes(const struct source *source)
{
    for (size_t i = 0; i < source->spec->n_statements; i++)
        put_attributes(source, &source->spec->statements[i].attributes, true);
}

static size_t
count_attributes(const struct source *source)
{
    size_t n = 0;

    for (size_t i = 0; i < source->spec->n_statements; i++)
        n += put_attributes(source, &source->spec->statements[i].attributes,
                            false);
    return n;
}

/* ---- the other tables ------------------------------------------------ */

static void
print_statements(const struct source *source)
{
    for (size_t i = 0; i < source->spec->n_statements; i++) {
        struct hpm_statement *here = &source->spec->statements[i];

        printf("    {%u, %u, %u, %u, %u, %u, %u, %u, %u, %d, %d, %d, %u},\n",
               text_number(source, here->name),
               text_number(source, here->guard.fact), small(source, here->arch),
               small(source, (size_t)here->place.line),
               small(source, (size_t)here->place.column),
               small(source, here->terms.first),
               small(source, here->terms.count), small(source, here->ops.first),
               small(source, here->ops.count), (int)here->kind,
               here->guard.is_negated, here->attributes.is_of_run,
               put_attributes(source, &here->attributes, false));
    }
}

static void
print_terms(const struct source *source)
{
    for (size_t i = 0; i < source->spec->n_terms; i++) {
        const struct hpm_term *here = &source->spec->terms[i];

        printf("    {%u, %u, %u, %u, %d},\n", text_number(source, here->name),
               text_number(source, here->guard.fact),
               small(source, (size_t)here->place.line),
               column(source, here->place), here->guard.is_negated);
    }
}

static void
print_ops(const struct source *source)
{
    for (size_t i = 0; i < source->spec->n_ops; i++) {
        const struct hpm_op *here = &source->spec->ops[i];

        printf("    {%u, %u, %u, %u, %d},\n", text_number(source, here->name),
               number_of(source, here->number),
               small(source, (size_t)here->place.line),
               column(source, here->place), (int)here->kind);
    }
}

/* The first of a spec is "any", which all files have. */
static void
print_arches(const struct source *source)
{
    for (size_t i = 1; i < source->spec->n_arches; i++) {
        const struct hpm_arch *here = &source->spec->arches[i];

        printf("    {%u, %u, %u},\n", small(source, here->pmus.first),
               small(source, here->pmus.count),
               text_number(source, here->title));
    }
}

static void
print_pmus(const struct source *source)
{
    for (size_t i = 0; i < source->spec->n_pmus; i++)
        printf("    %u,\n", text_number(source, source->spec->pmus[i]));
}

static const struct {
    const char *declaration;
    void (*print)(const struct source *source);
    const char *last; /* so that none is empty */
} tables[] = {
    {"struct hpm_tables_statement hpm_tables_statements[]", print_statements,
     "{0}"},
    {"struct hpm_tables_attribute hpm_tables_attributes[]", print_attributes,
     "{0}"},
    {"struct hpm_tables_term hpm_tables_terms[]", print_terms, "{0}"},
    {"struct hpm_tables_op hpm_tables_ops[]", print_ops, "{0}"},
    {"struct hpm_tables_arch hpm_tables_arches[]", print_arches, "{0}"},
    {"uint16_t hpm_tables_pmus[]", print_pmus, "0"},
};

static void
print_tables(const struct source *sources, int n)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        printf("const %s = {\n", tables[i].declaration);
        for (int j = 0; j < n; j++)
            tables[i].print(&sources[j]);
        printf("    %s};\n\n", tables[i].last);
    }
}

static bool
is_for_any(const struct hpm_spec *spec)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        if (spec->statements[i].arch == 0)
            return true;
    }
    return false;
}

static void
print_files(const struct source *sources, int n)
{
    size_t text = 0, statement = 0, attribute = 0, term = 0, op = 0, arch = 0;
    size_t pmu = 0;

    puts("const struct hpm_tables_file hpm_tables_files[] = {");
    for (int i = 0; i < n; i++) {
        const struct hpm_spec *spec = sources[i].spec;
        printf("    {%zu, %zu, %zu, %zu, %zu, %zu, %zu, %d}, /* %s */\n", text,
               statement, attribute, term, op, arch, pmu, is_for_any(spec),
               sources[i].name);
        text += spec->names.n_texts;
        statement += spec->n_statements;
        attribute += count_attributes(&sources[i]);
        term += spec->n_terms;
        op += spec->n_ops;
        arch += spec->n_arches - 1;
        pmu += spec->n_pmus;
    }
    printf("    {%zu, %zu, %zu, %zu, %zu, %zu, %zu, 0}};\n\n", text, statement,
           attribute, term, op, arch, pmu);
    printf("const size_t hpm_tables_n_files = %d;\n", n);
}

static void
print_builtins(const struct source *sources, int n)
{
    puts("const struct hpm_builtin hpm_builtins[] = {");
    for (int i = 0; i < n; i++) {
        const struct hpm_string *text = &sources[i].text;

        printf("    {\"%s\", %zu, UINT64_C(%" PRIu64 "), NULL},\n",
               sources[i].name, text->length,
               hpm_builtin_digest(text->text, text->length));
    }
    printf("};\n\nconst size_t hpm_n_builtins = %d;\n", n);
}

int
main(int argc, char **argv)
{
    int n = argc - 1;
    struct source *sources = calloc((size_t)n + 1, sizeof *sources);

    if (sources == NULL)
        fail("no memory", "");
    for (int i = 0; i < n; i++)
        read_source(&sources[i], argv[i + 1]);
    puts("/* Made from metrics/ by metrics/maketables.c. */\n"
         "#include \"metric/language/builtin.h\"\n"
         "#include \"metric/language/tables.h\"\n");
    print_builtins(sources, n);
    print_pool(sources, n);
    print_tables(sources, n);
    print_numbers();
    print_files(sources, n);
    hpm_names_free(&pool);
    for (int i = 0; i < n; i++) {
        hpm_spec_free(sources[i].spec);
        hpm_string_free(&sources[i].text);
    }
    free(sources);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail("output", "cannot be written");
    return 0;
}
