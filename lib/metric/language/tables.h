/* SPDX-License-Identifier: BSD-3-Clause
 * The shipped definition files in the form they have after reading, made when
 * the toolkit is built (metrics/maketables.c), so that a launch reads no text.
 *
 * All indices count from the begin of a file's part of a table: the tables hold
 * no addresses, and the loader of programs need not change them.  A file's part
 * ends where the next file's begins. */
#ifndef HPM_METRIC_LANGUAGE_TABLES_H
#define HPM_METRIC_LANGUAGE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "metric/language/spec.h"

/* Stands for HPM_NO_NAME. */
#define HPM_TABLES_NO_TEXT UINT16_MAX

/* Where a file's part begins in each table. */
struct hpm_tables_file {
    uint32_t text;
    uint32_t statement;
    uint32_t attribute;
    uint32_t term;
    uint32_t op;
    uint32_t arch;
    uint32_t pmu;
    bool is_for_any; /* a part of it is for any PMU */
};

/* See struct hpm_statement; `arch` 0 is "any", others are the file's own. */
struct hpm_tables_statement {
    uint16_t name;
    uint16_t fact;
    uint16_t arch;
    uint16_t line;
    uint16_t column;
    uint16_t term, n_terms;
    uint16_t op, n_ops;
    uint8_t kind;
    bool is_negated;
    bool is_of_run;
    uint8_t n_attributes; /* behind those of the statement before */
};

/* The kind of an attribute: a kind of text, or one of these. */
enum hpm_tables_attribute_kind {
    HPM_TABLES_SCALE = HPM_N_TEXTS,
    HPM_TABLES_LEAST,
    HPM_TABLES_MOST,
    HPM_TABLES_EVIDENCE,
    HPM_TABLES_UNLESS,
    HPM_TABLES_BAD,                       /* one for each precision */
    HPM_TABLES_GOOD = HPM_TABLES_BAD + 2, /* one for each precision */
    HPM_TABLES_N_KINDS = HPM_TABLES_GOOD + 2
};

struct hpm_tables_attribute {
    uint8_t kind;
    bool is_above;
    uint16_t line, column; /* a limit's place */
    uint16_t first;        /* first text, term or op */
    uint16_t count;
};

struct hpm_tables_term {
    uint16_t name;
    uint16_t fact;
    uint16_t line;
    uint8_t column;
    bool is_negated;
};

struct hpm_tables_op {
    uint16_t name;
    uint16_t number; /* index in hpm_tables_numbers */
    uint16_t line;
    uint8_t column;
    uint8_t kind;
};

struct hpm_tables_arch {
    uint16_t pmu, n_pmus;
    uint16_t title;
};

/* The files in the order of hpm_builtins, and one more entry, where the last
 * file ends.  Empty if programs of this compiler do not run on the building
 * machine and no other compiler was found (metric/language/notables.c). */
extern const size_t hpm_tables_n_files;
extern const struct hpm_tables_file hpm_tables_files[];

/* Where each text is in the pool.  A file's texts are in the order of their
 * first use; the first is the file's name.  A zero byte ends each text; a text
 * used by several files is there once. */
struct hpm_tables_text {
    uint32_t begin : 20;
    uint32_t length : 12;
};
extern const struct hpm_tables_text hpm_tables_texts[];
extern const char hpm_tables_pool[];

extern const struct hpm_tables_statement hpm_tables_statements[];
extern const struct hpm_tables_attribute hpm_tables_attributes[];
extern const struct hpm_tables_term hpm_tables_terms[];
extern const struct hpm_tables_op hpm_tables_ops[];
extern const double hpm_tables_numbers[]; /* each number once; the first is 0 */
extern const struct hpm_tables_arch hpm_tables_arches[];
extern const uint16_t hpm_tables_pmus[]; /* indices of texts */

/* Is the whole file for PMUs other than this one (NULL: not known)? */
bool hpm_tables_is_for_others(size_t file, const char *pmu);

/* Make room in the spec for all files at once, or, with `is_for_one`, for all
 * but those only for other PMUs.  False when memory runs out. */
bool hpm_tables_reserve(struct hpm_spec *spec, bool is_for_one, const char *pmu,
                        struct hpm_error *err);

/* Add the statements of a file to the spec, as hpm_spec_read would from its
 * text under the name `path`.  False when memory runs out. */
bool hpm_tables_read(struct hpm_spec *spec, size_t file, const char *path,
                     unsigned layer, struct hpm_error *err);

/* The range of an attribute's kind (from HPM_TABLES_SCALE on), and in
 * *ret_limit the limit it belongs to, or NULL. */
static inline struct hpm_range *
hpm_tables_range(struct hpm_attributes *attributes, unsigned kind,
                 struct hpm_limit_formula **ret_limit)
{
    *ret_limit = NULL;
    switch (kind) {
    case HPM_TABLES_SCALE:
        return &attributes->scale;
    case HPM_TABLES_LEAST:
        return &attributes->least;
    case HPM_TABLES_MOST:
        return &attributes->most;
    case HPM_TABLES_EVIDENCE:
        return &attributes->evidence;
    case HPM_TABLES_UNLESS:
        return &attributes->unless;
    default:
        *ret_limit = kind < HPM_TABLES_GOOD
                         ? &attributes->bad[kind - HPM_TABLES_BAD]
                         : &attributes->good[kind - HPM_TABLES_GOOD];
        return &(*ret_limit)->ops;
    }
}

#endif
