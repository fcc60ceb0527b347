/* SPDX-License-Identifier: BSD-3-Clause
 * A section as the program names it, on all call paths: its id, its label, and
 * the place of its start.  It has a node for each call path on which it was
 * started (record/node.h). */
#ifndef HPM_RECORD_SECTION_H
#define HPM_RECORD_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hpm_frame;
struct hpm_node;

enum { HPM_MAX_LABEL = 1024 };

/* Two starts with the same identity start the same section. */
struct hpm_identity {
    int instance;
    const char *label;
    const char *file; /* only its base name counts */
    int line;
};

struct hpm_section {
    const char *label; /* never NULL */
    const char *file;  /* never NULL; as the first start named it */
    int instance;
    int line;
    struct hpm_node *paths; /* its nodes, newest first */
    struct hpm_frame
        *open_excluded; /* its frame if it is open but left out, else NULL */
    uint64_t hash;
    struct hpm_section *next_same_hash;
};

/* All sections of one table. */
struct hpm_sections {
    struct hpm_section **buckets; /* by identity, chained */
    size_t n_buckets;             /* a power of two */
    size_t n;
};

/* Make an empty table; false when there is no memory. */
bool hpm_sections_init(struct hpm_sections *sections);

/* Free all sections, but not their nodes. */
void hpm_sections_clear(struct hpm_sections *sections);

/* The section with that identity, NULL for none. */
struct hpm_section *hpm_sections_find(const struct hpm_sections *sections,
                                      const struct hpm_identity *identity);

/* Find the section or add it; strings are copied.  NULL when there is no
 * memory. */
struct hpm_section *hpm_sections_get(struct hpm_sections *sections,
                                     const struct hpm_identity *identity);

/* Remove and free a section that has no node. */
void hpm_sections_remove(struct hpm_sections *sections,
                         struct hpm_section *section);

/* A copy of at most HPM_MAX_LABEL bytes: a longer label is cut at a character,
 * and a hash of the whole label is appended, so that labels stay different.
 * NULL when there is no memory. */
char *hpm_section_copy_label(const char *label);

#endif
