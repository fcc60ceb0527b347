/* SPDX-License-Identifier: BSD-3-Clause
 * A section as the program names it, on all call paths. */
#include "record/section.h"

#include <string.h>

#include "base/string.h"
#include "host/memory.h"
#include "host/path.h"

enum { FIRST_BUCKETS = 64 };

/* ---- identity -------------------------------------------------------- */

static uint64_t
hash_text(uint64_t hash, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u; /* FNV-1a */
    return hash;
}

static uint64_t
mix(uint64_t hash)
{
    hash ^= hash >> 32;
    hash *= 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    return hash ^ hash >> 29;
}

static uint64_t
hash_identity(const struct hpm_identity *identity)
{
    uint64_t hash = hash_text(0xcbf29ce484222325u, identity->label);

    hash = hash_text(hash * 31, hpm_path_base_name(identity->file));
    return mix(hash ^ (uint64_t)(uint32_t)identity->instance << 32 ^
               (uint32_t)identity->line);
}

char *
hpm_section_copy_label(const char *label)
{
    size_t length = strlen(label);
    struct hpm_string copy = {0};

    if (length <= HPM_MAX_LABEL)
        return hpm_memory_copy_text(label);
    length = HPM_MAX_LABEL - 17;
    while (length > 0 && ((unsigned char)label[length] & 0xc0) == 0x80)
        length--;
    hpm_string_add_bytes(&copy, label, length);
    hpm_string_add_format(&copy, "~%016llx",
                          (unsigned long long)hash_text(0, label));
    if (copy.failed)
        hpm_string_free(&copy);
    return copy.text;
}

static bool
is_same(const struct hpm_section *section, const struct hpm_identity *identity)
{
    return section->instance == identity->instance &&
           section->line == identity->line &&
           strcmp(section->label, identity->label) == 0 &&
           strcmp(hpm_path_base_name(section->file),
                  hpm_path_base_name(identity->file)) == 0;
}

/* ---- one section ----------------------------------------------------- */

/* The section and its strings are one block: memory between nodes that are used
 * in turn costs room in the cache and in the page tables. */
static struct hpm_section *
new_section(const struct hpm_identity *identity)
{
    size_t label_size = strlen(identity->label) + 1;
    size_t file_size = strlen(identity->file) + 1;
    struct hpm_section *section =
        hpm_memory_new(1, sizeof *section + label_size + file_size);
    char *strings = (char *)(section + 1);

    if (section == NULL)
        return NULL;
    section->label = memcpy(strings, identity->label, label_size);
    section->file = memcpy(strings + label_size, identity->file, file_size);
    section->instance = identity->instance;
    section->line = identity->line;
    section->hash = hash_identity(identity);
    return section;
}

/* ---- all sections of a table ---------------------------------------- */

bool
hpm_sections_init(struct hpm_sections *sections)
{
    sections->buckets =
        hpm_memory_new(FIRST_BUCKETS, sizeof *sections->buckets);
    sections->n_buckets = FIRST_BUCKETS;
    return sections->buckets != NULL;
}

void
hpm_sections_clear(struct hpm_sections *sections)
{
    for (size_t i = 0; sections->buckets != NULL && i < sections->n_buckets;
         i++) {
        struct hpm_section *section = sections->buckets[i];

        while (section != NULL) {
            struct hpm_section *next = section->next_same_hash;

            hpm_memory_free(section);
            section = next;
        }
    }
    hpm_memory_free(sections->buckets);
}

static void
chain(struct hpm_section **buckets, size_t n_buckets,
      struct hpm_section *section)
{
    struct hpm_section **bucket = &buckets[section->hash & (n_buckets - 1)];

    section->next_same_hash = *bucket;
    *bucket = section;
}

static bool
grow_buckets(struct hpm_sections *sections)
{
    size_t n = sections->n_buckets * 2;
    struct hpm_section **buckets;

    if (sections->n < sections->n_buckets)
        return true;
    buckets = hpm_memory_new(n, sizeof *buckets);
    if (buckets == NULL)
        return false;
    for (size_t i = 0; i < sections->n_buckets; i++) {
        struct hpm_section *section = sections->buckets[i];

        while (section != NULL) {
            struct hpm_section *next = section->next_same_hash;

            chain(buckets, n, section);
            section = next;
        }
    }
    hpm_memory_free(sections->buckets);
    sections->buckets = buckets;
    sections->n_buckets = n;
    return true;
}

struct hpm_section *
hpm_sections_find(const struct hpm_sections *sections,
                  const struct hpm_identity *identity)
{
    uint64_t hash = hash_identity(identity);
    struct hpm_section *section =
        sections->buckets[hash & (sections->n_buckets - 1)];

    while (section != NULL &&
           (section->hash != hash || !is_same(section, identity)))
        section = section->next_same_hash;
    return section;
}

struct hpm_section *
hpm_sections_get(struct hpm_sections *sections,
                 const struct hpm_identity *identity)
{
    struct hpm_section *section = hpm_sections_find(sections, identity);

    if (section != NULL)
        return section;
    section = grow_buckets(sections) ? new_section(identity) : NULL;
    if (section == NULL)
        return NULL;
    chain(sections->buckets, sections->n_buckets, section);
    sections->n++;
    return section;
}

void
hpm_sections_remove(struct hpm_sections *sections, struct hpm_section *section)
{
    struct hpm_section **link =
        &sections->buckets[section->hash & (sections->n_buckets - 1)];

    while (*link != section)
        link = &(*link)->next_same_hash;
    *link = section->next_same_hash;
    sections->n--;
    hpm_memory_free(section);
}
