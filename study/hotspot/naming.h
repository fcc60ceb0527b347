/* SPDX-License-Identifier: BSD-3-Clause
 * The names of sampled places. */
#ifndef HPM_STUDY_HOTSPOT_NAMING_H
#define HPM_STUDY_HOTSPOT_NAMING_H

#include "base/names.h"
#include "study/columns/study.h"
#include "study/symbol/symbols.h"

/* By what a place is named. */
enum hpm_naming_kind {
    HPM_NAMING_FUNCTION,
    HPM_NAMING_LINE,
    HPM_NAMING_MODULE,
    HPM_NAMING_PLACE, /* function, and the line in it */
};

/* The name of lost samples. */
#define HPM_NAMING_LOST (HPM_NO_NAME - 1)

struct hpm_naming {
    enum hpm_naming_kind kind;
    const struct hpm_study *study;
    struct hpm_names *names;
    struct hpm_naming_module {
        struct hpm_symbols *symbols; /* NULL: not looked for yet */
        uint32_t base;               /* the file's name without folder */
        bool is_own;                 /* libhpm: the cost of measuring */
        bool is_kernel;
        uint64_t n_unnamed; /* samples noted at places without a name */
    } * modules;            /* of the study */
    uint32_t unknown, measuring, unnamed, kernel, none; /* of names */
};

/* Begin with the first three set and the rest {0}; end in any case.  False when
 * there is no memory. */
bool hpm_naming_begin(struct hpm_naming *naming);
void hpm_naming_end(struct hpm_naming *naming);

/* The names of a hit's place and module; false when there is no memory. */
bool hpm_naming_find(struct hpm_naming *naming, const struct hpm_study_hit *hit,
                     uint32_t *ret_name, uint32_t *ret_module);

/* Count a hit with this name for hpm_naming_explain; call once for each hit. */
void hpm_naming_note(struct hpm_naming *naming, const struct hpm_study_hit *hit,
                     uint32_t name);

/* The name of the hit's line, with the path of the file; `none` where it is not
 * known; false when there is no memory. */
bool hpm_naming_find_line(struct hpm_naming *naming,
                          const struct hpm_study_hit *hit, uint32_t *ret_line);

/* Why places of a module have no name; NULL where all have one. */
const char *hpm_naming_explain(const struct hpm_naming *naming, size_t module);

#endif
