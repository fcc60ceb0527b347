/* SPDX-License-Identifier: BSD-3-Clause
 * Converting the attributes of an element to values. */
#ifndef HPM_STUDY_FILE_PARSE_H
#define HPM_STUDY_FILE_PARSE_H

#include "study/file/format.h"
#include "study/file/notes.h"
#include "study/file/xmlguard.h"

enum { HPM_PARSE_REMEMBERED = 256, HPM_PARSE_ATTRIBUTES = 40 };

/* Which attribute followed another one the last time: its name, as the guard
 * gave it, and its line in the table. */
struct hpm_parse_step {
    const char *name;
    const struct hpm_format_attribute *known;
};

/* Names that a guard has given.  Equal names have one address as long as the
 * guard lives. */
struct hpm_parse_names {
    const char *elements[HPM_FORMAT_N_ELEMENTS];
    const char *attributes[HPM_FORMAT_N_ELEMENTS][HPM_PARSE_ATTRIBUTES];
    /* by the place of the previous attribute plus one; 0: the first
     * attribute */
    struct hpm_parse_step steps[HPM_FORMAT_N_ELEMENTS][HPM_PARSE_ATTRIBUTES];
};

/* A text that was read and kept; only where it had no escapes. */
struct hpm_parse_text {
    const char *kept;
    size_t length;
};

/* Where values are stored, and what is wrong with them. */
struct hpm_parse {
    const char *file;       /* for messages */
    struct hpm_names *kept; /* the texts */
    bool has_escapes;       /* texts have \xHH and \\ for bytes */
    struct hpm_notes *notes;
    size_t n_unknown; /* attributes not in the table */
    bool is_out_of_memory;
    struct hpm_string text; /* scratch */

    struct hpm_parse_names *names;

    /* Records are alike: most texts of a record are those of the record before,
     * in the same order.  In other elements a text is mostly that of the same
     * attribute in the element before. */
    struct hpm_parse_text remembered[HPM_PARSE_REMEMBERED];
    struct hpm_parse_text before[HPM_PARSE_ATTRIBUTES];
    unsigned n_texts; /* of this record; the caller sets it to 0 at the begin */
};

/* Fill `values`, the zeroed struct of the element.  Wrong attributes are noted
 * and left out; false when the element means nothing without such an attribute.
 * *ret_bad, unless NULL, becomes the first attribute left out. */
bool hpm_parse_element(struct hpm_parse *parse,
                       const struct hpm_xmlguard *guard,
                       enum hpm_format_name element,
                       const struct hpm_xmlguard_attribute *attributes, int n,
                       void *values,
                       const struct hpm_format_attribute **ret_bad);

/* Keep a text that is not from the file; NULL, with is_out_of_memory set, when
 * there is no memory. */
const char *hpm_parse_keep(struct hpm_parse *parse, const char *text);

#endif
