/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of the shipped definition files give the same as the texts, up to
 * the last line number. */
#include "metric/language/tables.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "metric/language/builtin.h"
#include "metric/language/definitions.h"
#include "metric/trial.h"
#include "tap.h"

/* ---- comparing ------------------------------------------------------ */

/* The first difference, for the report. */
static char difference[256];

static bool
differ(const char *what, size_t i)
{
    snprintf(difference, sizeof difference, "%s %zu", what, i);
    return false;
}

static bool
is_same_place(struct hpm_position a, struct hpm_position b)
{
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

static bool
is_same_range(struct hpm_range a, struct hpm_range b)
{
    return a.first == b.first && a.count == b.count;
}

static bool
is_same_guard(struct hpm_guard a, struct hpm_guard b)
{
    return a.fact == b.fact && a.is_negated == b.is_negated;
}

static bool
is_same_limit(const struct hpm_limit_formula *a,
              const struct hpm_limit_formula *b)
{
    return a->is_given == b->is_given && a->is_above == b->is_above &&
           is_same_range(a->ops, b->ops) && is_same_place(a->place, b->place);
}

static bool
has_same_attributes(const struct hpm_attributes *a,
                    const struct hpm_attributes *b)
{
    bool is_same = true;

    for (int i = 0; i < HPM_N_TEXTS; i++)
        is_same &= a->texts[i] == b->texts[i];
    for (int i = 0; i < 2; i++)
        is_same &= is_same_limit(&a->bad[i], &b->bad[i]) &&
                   is_same_limit(&a->good[i], &b->good[i]);
    return is_same && is_same_range(a->scale, b->scale) &&
           is_same_range(a->least, b->least) &&
           is_same_range(a->most, b->most) &&
           is_same_range(a->evidence, b->evidence) &&
           is_same_range(a->unless, b->unless) && a->is_of_run == b->is_of_run;
}

static bool
is_same_statement(const struct hpm_statement *a, const struct hpm_statement *b)
{
    return a->kind == b->kind && a->name == b->name &&
           is_same_place(a->place, b->place) && a->arch == b->arch &&
           a->layer == b->layer && is_same_guard(a->guard, b->guard) &&
           is_same_range(a->terms, b->terms) && is_same_range(a->ops, b->ops) &&
           has_same_attributes(&a->attributes, &b->attributes);
}

static bool
has_same_names(const struct hpm_names *a, const struct hpm_names *b)
{
    if (a->n_texts != b->n_texts)
        return differ("number of names", a->n_texts);
    for (size_t i = 0; i < a->n_texts; i++) {
        if (strcmp(a->texts[i], b->texts[i]) != 0 ||
            hpm_names_find(b, a->texts[i]) != i)
            return differ("name", i);
    }
    return true;
}

static bool
has_same_terms(const struct hpm_spec *a, const struct hpm_spec *b)
{
    if (a->n_terms != b->n_terms || a->n_pmus != b->n_pmus)
        return differ("number of terms or of PMUs", a->n_terms);
    for (size_t i = 0; i < a->n_terms; i++) {
        if (a->terms[i].name != b->terms[i].name ||
            !is_same_guard(a->terms[i].guard, b->terms[i].guard) ||
            !is_same_place(a->terms[i].place, b->terms[i].place))
            return differ("term", i);
    }
    for (size_t i = 0; i < a->n_pmus; i++) {
        if (a->pmus[i] != b->pmus[i])
            return differ("PMU", i);
    }
    return true;
}

static bool
has_same_ops(const struct hpm_spec *a, const struct hpm_spec *b)
{
    if (a->n_ops != b->n_ops)
        return differ("number of operands", a->n_ops);
    for (size_t i = 0; i < a->n_ops; i++) {
        if (a->ops[i].kind != b->ops[i].kind ||
            a->ops[i].name != b->ops[i].name ||
            memcmp(&a->ops[i].number, &b->ops[i].number, sizeof(double)) != 0 ||
            !is_same_place(a->ops[i].place, b->ops[i].place))
            return differ("operand", i);
    }
    return true;
}

static bool
is_same_spec(const struct hpm_spec *a, const struct hpm_spec *b)
{
    if (!has_same_names(&a->names, &b->names) || !has_same_terms(a, b) ||
        !has_same_ops(a, b))
        return false;
    if (a->n_arches != b->n_arches || a->n_statements != b->n_statements)
        return differ("number of arches or of statements", a->n_statements);
    for (size_t i = 0; i < a->n_arches; i++) {
        if (!is_same_range(a->arches[i].pmus, b->arches[i].pmus) ||
            a->arches[i].title != b->arches[i].title)
            return differ("arch", i);
    }
    for (size_t i = 0; i < a->n_statements; i++) {
        if (!is_same_statement(&a->statements[i], &b->statements[i]))
            return differ("statement", i);
    }
    return a->is_for_one == b->is_for_one && a->n_complaints == b->n_complaints;
}

/* ---- text and tables ------------------------------------------------- */

static const char before[] =
    "arch zen4 \"A title\"\n"
    "measure CYCLES = E1 | E2 if no L3 bad > 2 * 3\n"
    "compose MEMORY = LOAD + STORE evidence CYCLES info \"words\"\n";

/* Read a shipped file from its text or its tables; with `has_before` after a
 * user's file. */
static struct hpm_spec *
read_builtin(size_t file, bool is_from_tables, bool has_before)
{
    struct hpm_spec *spec = has_before ? read_text(before, 3) : hpm_spec_new();
    struct hpm_string text = {0};

    if (is_from_tables)
        hpm_tables_read(spec, file, "/a/folder/file.hpm", 2, NULL);
    else if (read_shipped_bytes(&text, file))
        hpm_spec_read(spec, "/a/folder/file.hpm", hpm_string_text(&text),
                      text.length, 2, NULL, NULL, NULL);
    hpm_string_free(&text);
    return spec;
}

static void
check_same(const struct hpm_spec *parsed, const struct hpm_spec *loaded,
           const char *sentence)
{
    bool is_same;

    snprintf(difference, sizeof difference, "none but in number");
    is_same = is_same_spec(parsed, loaded) && loaded->n_statements > 0;
    ok(is_same, sentence);
    if (!is_same)
        printf("# first difference: %s\n", difference);
}

static void
check_file(size_t file, bool has_before)
{
    struct hpm_spec *parsed = read_builtin(file, false, has_before);
    struct hpm_spec *loaded = read_builtin(file, true, has_before);
    char sentence[128];

    snprintf(sentence, sizeof sentence, "%s is the same from tables%s",
             hpm_builtins[file].name, has_before ? ", after another file" : "");
    check_same(parsed, loaded, sentence);
    hpm_spec_free(parsed);
    hpm_spec_free(loaded);
}

static void
test_together(void)
{
    struct hpm_spec *parsed = read_carried(), *loaded = hpm_spec_new();

    for (size_t i = 0; i < hpm_tables_n_files; i++)
        hpm_tables_read(loaded, i, hpm_builtins[i].name, 0, NULL);
    check_same(parsed, loaded, "all files after each other are");
    hpm_spec_free(loaded);
    loaded = hpm_spec_new();
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    hpm_definitions_read_file(loaded, "/nonexistent.hpm", NULL);
    loaded->n_complaints = 0; /* about that file */
    check_same(parsed, loaded, "what definitions are read from is, too");
    hpm_spec_free(parsed);
    hpm_spec_free(loaded);
}

/* ---- a planted difference is seen ------------------------------------ */

/* Change a number of the spec, and back. */
static void
plant(const struct hpm_spec *parsed, const struct hpm_spec *loaded, void *byte,
      size_t size, const char *sentence)
{
    unsigned char *bytes = byte;
    bool is_seen = true;

    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 1;
        is_seen &= !is_same_spec(parsed, loaded);
        bytes[i] ^= 1;
    }
    ok(is_seen && is_same_spec(parsed, loaded), sentence);
}

#define PLANT(field, sentence)                                                 \
    plant(parsed, loaded, &(field), sizeof(field), sentence)

static struct hpm_statement *
find_judged(struct hpm_spec *spec)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        if (spec->statements[i].attributes.bad[0].is_given)
            return &spec->statements[i];
    }
    return NULL;
}

static void
test_planted(void)
{
    struct hpm_spec *parsed = read_builtin(0, false, true);
    struct hpm_spec *loaded = read_builtin(0, true, true);
    struct hpm_statement *judged = find_judged(loaded);
    const char *text = loaded->names.texts[20];

    PLANT(judged->kind, "another kind of statement would be seen");
    PLANT(judged->name, "another name would");
    PLANT(judged->place, "another line or column would");
    PLANT(judged->arch, "another processor would");
    PLANT(judged->guard.fact, "another guard would");
    PLANT(judged->terms, "other terms would");
    PLANT(judged->ops, "another formula would");
    PLANT(judged->attributes.texts, "another text of any kind would");
    PLANT(judged->attributes.scale, "another scale would");
    PLANT(judged->attributes.least, "another range would");
    PLANT(judged->attributes.most, "another end of the range would");
    PLANT(judged->attributes.evidence, "other evidence would");
    PLANT(judged->attributes.unless, "other hints instead would");
    PLANT(judged->attributes.bad[0].is_above, "another side of a limit would");
    PLANT(judged->attributes.bad[1].ops, "another limit would");
    PLANT(judged->attributes.good[0].place, "another place of one would");
    PLANT(judged->attributes.is_of_run, "limits of a thread would");
    PLANT(loaded->terms[loaded->n_terms - 1].name, "another term would");
    PLANT(loaded->ops[loaded->n_ops - 1].kind, "another operator would");
    PLANT(loaded->ops[loaded->n_ops - 1].number, "another number would");
    loaded->names.texts[20] = "another";
    ok(!is_same_spec(parsed, loaded), "another text would");
    loaded->names.texts[20] = text;
    hpm_spec_free(parsed);
    hpm_spec_free(loaded);
}

/* ---- whether a text is the shipped one ------------------------------- */

static void
test_digests(void)
{
    bool are_same = true, is_one_seen = true;
    struct hpm_string text = {0};

    for (size_t i = 0; i < hpm_n_builtins; i++) {
        hpm_string_clear(&text);
        are_same &= read_shipped_bytes(&text, i) &&
                    text.length == hpm_builtins[i].length &&
                    hpm_builtin_digest(text.text, text.length) ==
                        hpm_builtins[i].digest &&
                    hpm_builtins[i].text == NULL;
    }
    ok(are_same, "of each text there are length and digest, and not the text");
    for (size_t i = 0; i < text.length; i++) {
        text.text[i] ^= (char)(1 << i % 8);
        is_one_seen &= hpm_builtin_digest(text.text, text.length) !=
                       hpm_builtins[hpm_n_builtins - 1].digest;
        text.text[i] ^= (char)(1 << i % 8);
    }
    ok(is_one_seen, "one bit that differs, in any letter, is another digest");
    is_count(hpm_builtin_digest("IPC bad < 1.0", 13),
             UINT64_C(3226213362089070427),
             "the digest is the same on any machine");
    hpm_string_free(&text);
}

/* ---- files for a PMU ------------------------------------------------ */

static bool
defines_for(const struct hpm_spec *spec, const char *pmu)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        struct hpm_range pmus = spec->arches[spec->statements[i].arch].pmus;

        if (pmus.count == 0)
            return true;
        for (size_t j = 0; j < pmus.count && pmu != NULL; j++) {
            if (strcmp(hpm_spec_text(spec, spec->pmus[pmus.first + j]), pmu) ==
                0)
                return true;
        }
    }
    return false;
}

static void
test_others(void)
{
    struct hpm_spec *all = read_carried();
    bool are_same = true;

    for (size_t file = 0; file < hpm_tables_n_files; file++) {
        struct hpm_spec *spec = read_builtin(file, false, false);

        for (size_t i = 0; i < all->n_pmus; i++) {
            const char *pmu = hpm_spec_text(all, all->pmus[i]);

            are_same &=
                hpm_tables_is_for_others(file, pmu) == !defines_for(spec, pmu);
        }
        are_same &=
            hpm_tables_is_for_others(file, NULL) == !defines_for(spec, NULL);
        are_same &= hpm_tables_is_for_others(file, "unheard") ==
                    !defines_for(spec, "unheard");
        hpm_spec_free(spec);
    }
    ok(are_same && all->n_pmus > 0,
       "a file is for other PMUs where no statement of it is for this one");
    hpm_spec_free(all);
}

/* ---- a lack of memory ------------------------------------------------ */

static void
test_memory(void)
{
    unsigned long n_failures = 0;
    bool is_said = true, is_read = false;

    while (!is_read && n_failures < 1000) {
        struct hpm_error err = {.text = ""};
        struct hpm_spec *spec = hpm_spec_new();

        hpm_memory_fail_at(++n_failures, false);
        is_read = hpm_tables_read(spec, 0, "generic.hpm", 0, &err);
        hpm_memory_fail_at(0, false);
        is_said &= is_read || strstr(err.text, "memory") != NULL;
        hpm_spec_free(spec);
    }
    ok(is_read && n_failures > 5 && is_said,
       "each lack of memory is an error, and is survived");
}

int
main(void)
{
    if (hpm_tables_n_files == 0) {
        printf("1..0 # SKIP this build has no tables: configure found no "
               "compiler for the machine that builds\n");
        return 0;
    }
    is_count(hpm_tables_n_files, hpm_n_builtins,
             "each shipped file has tables");
    for (size_t i = 0; i < hpm_n_builtins; i++) {
        check_file(i, false);
        check_file(i, true);
    }
    test_together();
    test_planted();
    test_digests();
    test_others();
    test_memory();
    return done();
}
