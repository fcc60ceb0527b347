/* SPDX-License-Identifier: BSD-3-Clause
 * The attributes of an element as values. */
#ifndef HPM_STUDY_FILE_PARSE_H
#define HPM_STUDY_FILE_PARSE_H

#include "study/file/format.h"
#include "study/file/notes.h"
#include "study/file/xmlguard.h"

enum { HPM_PARSE_REMEMBERED = 256, HPM_PARSE_ATTRIBUTES = 40 };

/* What came behind an attribute, the last time: a name of the guard's, and what
 * is known of it. */
struct hpm_parse_step {
    const char *name;
    const struct hpm_format_attribute *known;
};

/* The names a guard has given, which have one address: good as long as the
 * guard is. */
struct hpm_parse_names {
    const char *elements[HPM_FORMAT_N_ELEMENTS];
    const char *attributes[HPM_FORMAT_N_ELEMENTS][HPM_PARSE_ATTRIBUTES];
    /* by the place of the one before plus one, and 0 for the first */
    struct hpm_parse_step steps[HPM_FORMAT_N_ELEMENTS][HPM_PARSE_ATTRIBUTES];
};

/* A text as it stood in the file and as it was kept; only where they are the
 * same. */
struct hpm_parse_text {
    const char *kept;
    size_t length;
};

/* Where values go, and what is wrong with them. */
struct hpm_parse {
    const char *file;       /* for messages */
    struct hpm_names *kept; /* the texts */
    bool has_escapes;       /* \xHH and \\ in texts stand for bytes */
    struct hpm_notes *notes;
    size_t n_unknown; /* attributes not in the table */
    bool is_out_of_memory;
    struct hpm_string text; /* scratch */

    struct hpm_parse_names *names;

    /* Records are alike: the texts of one are mostly those of the last, in
     * their order.  Elsewhere a text is mostly that of the same attribute in
     * the element before. */
    struct hpm_parse_text remembered[HPM_PARSE_REMEMBERED];
    struct hpm_parse_text before[HPM_PARSE_ATTRIBUTES];
    unsigned n_texts; /* of this record; the caller begins it with 0 */
};

/* Fill `values`, the element's zeroed struct.  What is wrong is noted and left
 * out; false when that was an attribute without which the element means
 * nothing.  *ret_bad, unless NULL, becomes the first attribute left out. */
bool hpm_parse_element(struct hpm_parse *parse,
                       const struct hpm_xmlguard *guard,
                       enum hpm_format_name element,
                       const struct hpm_xmlguard_attribute *attributes, int n,
                       void *values,
                       const struct hpm_format_attribute **ret_bad);

/* A text of our own among those kept; NULL, and is_out_of_memory is set, when
 * there is no memory. */
const char *hpm_parse_keep(struct hpm_parse *parse, const char *text);

#endif
