/* SPDX-License-Identifier: BSD-3-Clause
 * Loads the tables of a shipped file as statements. */
#include "metric/language/tables.h"

#include <string.h>

#include "host/memory.h"

bool
hpm_tables_is_for_others(size_t file, const char *pmu)
{
    const struct hpm_tables_file *part = &hpm_tables_files[file];

    if (part->is_for_any)
        return false;
    for (uint32_t i = part->pmu; i < part[1].pmu && pmu != NULL; i++) {
        uint32_t text = part->text + hpm_tables_pmus[i];

        if (strcmp(&hpm_tables_pool[hpm_tables_texts[text].begin], pmu) == 0)
            return false;
    }
    return true;
}

/* ---- room ------------------------------------------------------------ */

/* Add the number of table rows that a file needs. */
static void
add_sizes(struct hpm_tables_file *sum, const struct hpm_tables_file *part)
{
    sum->text += part[1].text - part->text;
    sum->statement += part[1].statement - part->statement;
    sum->term += part[1].term - part->term;
    sum->op += part[1].op - part->op;
    sum->arch += part[1].arch - part->arch;
    sum->pmu += part[1].pmu - part->pmu;
}

static bool
make_room(struct hpm_spec *spec, const struct hpm_tables_file *sizes)
{
    return hpm_names_reserve(&spec->names, sizes->text) &&
           hpm_memory_grow(&spec->statements, &spec->statements_capacity,
                           spec->n_statements + sizes->statement,
                           sizeof *spec->statements) &&
           hpm_memory_grow(&spec->terms, &spec->terms_capacity,
                           spec->n_terms + sizes->term, sizeof *spec->terms) &&
           hpm_memory_grow(&spec->ops, &spec->ops_capacity,
                           spec->n_ops + sizes->op, sizeof *spec->ops) &&
           hpm_memory_grow(&spec->arches, &spec->arches_capacity,
                           spec->n_arches + sizes->arch,
                           sizeof *spec->arches) &&
           hpm_memory_grow(&spec->pmus, &spec->pmus_capacity,
                           spec->n_pmus + sizes->pmu, sizeof *spec->pmus);
}

bool
hpm_tables_reserve(struct hpm_spec *spec, bool is_for_one, const char *pmu,
                   struct hpm_error *err)
{
    struct hpm_tables_file sizes = {0};

    for (size_t i = 0; i < hpm_tables_n_files; i++) {
        if (!is_for_one || !hpm_tables_is_for_others(i, pmu))
            add_sizes(&sizes, &hpm_tables_files[i]);
    }
    return make_room(spec, &sizes) || hpm_error_no_memory(err);
}

/* ---- one file being loaded ------------------------------------------- */

struct load {
    struct hpm_spec *spec;
    const struct hpm_tables_file *part;
    uint32_t *names; /* per text of the file: its name in the spec */
    uint32_t file;   /* the name of the file */
    unsigned layer;
    size_t n_arches; /* counts in the spec before this file */
    size_t n_pmus;
    size_t n_terms;
    size_t n_ops;
};

static uint32_t
name_of(const struct load *load, uint16_t text)
{
    return text != HPM_TABLES_NO_TEXT ? load->names[text] : HPM_NO_NAME;
}

static struct hpm_position
place_of(const struct load *load, uint16_t line, uint16_t column)
{
    return (struct hpm_position){load->file, line, column};
}

/* An empty range begins at 0. */
static struct hpm_range
range_of(size_t base, uint16_t first, uint16_t count)
{
    return count > 0 ? (struct hpm_range){base + first, count}
                     : (struct hpm_range){0, 0};
}

/* Texts are not copied, for the tables are never freed. */
static bool
load_names(struct load *load, const char *path)
{
    uint32_t first = load->part->text, n = load->part[1].text - first;
    struct hpm_names *names = &load->spec->names;

    load->names = hpm_memory_take((n + 1) * sizeof *load->names);
    if (load->names == NULL)
        return false;
    load->file = hpm_names_add(names, path, strlen(path));
    if (load->file == HPM_NO_NAME)
        return false;
    load->names[0] = load->file;
    for (uint32_t i = 1; i < n; i++) {
        const struct hpm_tables_text *text = &hpm_tables_texts[first + i];

        load->names[i] =
            hpm_names_lend(names, &hpm_tables_pool[text->begin], text->length);
        if (load->names[i] == HPM_NO_NAME)
            return false;
    }
    return true;
}

static void
load_arches(struct load *load)
{
    struct hpm_spec *spec = load->spec;

    for (uint32_t i = load->part->pmu; i < load->part[1].pmu; i++)
        spec->pmus[spec->n_pmus++] = name_of(load, hpm_tables_pmus[i]);
    for (uint32_t i = load->part->arch; i < load->part[1].arch; i++) {
        const struct hpm_tables_arch *arch = &hpm_tables_arches[i];

        spec->arches[spec->n_arches++] = (struct hpm_arch){
            .pmus = range_of(load->n_pmus, arch->pmu, arch->n_pmus),
            .title = name_of(load, arch->title)};
    }
}

static void
load_terms(struct load *load)
{
    struct hpm_spec *spec = load->spec;

    for (uint32_t i = load->part->term; i < load->part[1].term; i++) {
        const struct hpm_tables_term *term = &hpm_tables_terms[i];

        spec->terms[spec->n_terms++] =
            (struct hpm_term){name_of(load, term->name),
                              {name_of(load, term->fact), term->is_negated},
                              place_of(load, term->line, term->column)};
    }
}

static void
load_ops(struct load *load)
{
    struct hpm_spec *spec = load->spec;

    for (uint32_t i = load->part->op; i < load->part[1].op; i++) {
        const struct hpm_tables_op *op = &hpm_tables_ops[i];

        spec->ops[spec->n_ops++] =
            (struct hpm_op){(enum hpm_op_kind)op->kind, name_of(load, op->name),
                            hpm_tables_numbers[op->number],
                            place_of(load, op->line, op->column)};
    }
}

static void
load_attribute(const struct load *load,
               const struct hpm_tables_attribute *attribute,
               struct hpm_attributes *attributes)
{
    bool is_terms = attribute->kind == HPM_TABLES_EVIDENCE ||
                    attribute->kind == HPM_TABLES_UNLESS;
    struct hpm_limit_formula *limit;
    struct hpm_range *range;

    if (attribute->kind < HPM_N_TEXTS) {
        attributes->texts[attribute->kind] = name_of(load, attribute->first);
        return;
    }
    range = hpm_tables_range(attributes, attribute->kind, &limit);
    *range = range_of(is_terms ? load->n_terms : load->n_ops, attribute->first,
                      attribute->count);
    if (limit != NULL) {
        limit->is_given = true;
        limit->is_above = attribute->is_above;
        limit->place = place_of(load, attribute->line, attribute->column);
    }
}

static void
load_statement(const struct load *load, const struct hpm_tables_statement *from,
               const struct hpm_tables_attribute *attributes,
               struct hpm_statement *to)
{
    *to = (struct hpm_statement){
        .kind = (enum hpm_statement_kind)from->kind,
        .name = name_of(load, from->name),
        .place = place_of(load, from->line, from->column),
        .arch = from->arch > 0 ? load->n_arches + from->arch - 1 : 0,
        .layer = load->layer,
        .guard = {name_of(load, from->fact), from->is_negated},
        .terms = range_of(load->n_terms, from->term, from->n_terms),
        .ops = range_of(load->n_ops, from->op, from->n_ops),
        .attributes.is_of_run = from->is_of_run,
    };
    memset(to->attributes.texts, 0xff, sizeof to->attributes.texts);
    for (size_t i = 0; i < from->n_attributes; i++)
        load_attribute(load, &attributes[i], &to->attributes);
}

static void
load_statements(struct load *load)
{
    struct hpm_spec *spec = load->spec;
    uint32_t attribute = load->part->attribute;

    for (uint32_t i = load->part->statement; i < load->part[1].statement; i++) {
        load_statement(load, &hpm_tables_statements[i],
                       &hpm_tables_attributes[attribute],
                       &spec->statements[spec->n_statements]);
        hpm_spec_end_statement(spec);
        attribute += hpm_tables_statements[i].n_attributes;
    }
}

bool
hpm_tables_read(struct hpm_spec *spec, size_t file, const char *path,
                unsigned layer, struct hpm_error *err)
{
    struct load load = {
        .spec = spec,
        .part = &hpm_tables_files[file],
        .layer = layer,
        .n_arches = spec->n_arches,
        .n_pmus = spec->n_pmus,
        .n_terms = spec->n_terms,
        .n_ops = spec->n_ops,
    };
    struct hpm_tables_file sizes = {0};
    bool is_good;

    add_sizes(&sizes, load.part);
    is_good = make_room(spec, &sizes) && load_names(&load, path);
    if (is_good) {
        load_arches(&load);
        load_terms(&load);
        load_ops(&load);
        load_statements(&load);
    }
    hpm_memory_free(load.names);
    return is_good || hpm_error_no_memory(err);
}
