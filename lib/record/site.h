/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: a place in the program that starts a section, again and again,
 * with the same strings at the same addresses.
 *
 * Finding a site takes the same number of instructions every time, whatever is
 * in the table: this number is part of a section's cost, which is measured once
 * and then always subtracted.
 *
 * A bucket is one line of the cache:
 *
 *     +---+---+---+---+-------+-------+-------+-------+-------+
 *     |tag|tag|tag|tag| site  | site  | site  | site  | site  |
 *     | 0 | 1 | 2 | 3 |   0   |   1   |   2   |   3   |   4   |
 *     +---+---+---+---+-------+-------+-------+-------+-------+
 *      \_____________/ \_____________________________/ \_____/
 *      each half of a    the sites whose keys have      the site for
 *      key's hash        these tags, by address         all other tags
 *
 * A node has room for one site, so that finding the site brings the memory that
 * a start needs next into the cache; starts and stops write the line after it.
 *
 * Call sites with a number (record/callsite.h) are first searched in a slot,
 * which has all that a start needs to know of the node: so the start waits only
 * for the slot, and the node's line is loaded meanwhile.  The start does not
 * even check whether the node is open.  So a slot leads only to a child of the
 * parent.  While a start of this child may need the long way, the slot has a
 * number that no site has: it is hidden.
 *
 * Sites with one id and one parent have neighbouring slots; the slots of one
 * site with many ids, or below many parents, are far apart.  If two sites meet
 * nevertheless, the later one has a second slot; if this is taken as well, the
 * site is found in its bucket, like all sites without a number. */
#ifndef HPM_RECORD_SITE_H
#define HPM_RECORD_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hpm_node;

enum { HPM_SITE_LINE = 64 }; /* bytes of a line of the cache */

/* The key, its strings by address, and the node it leads to.  A site with a
 * number has the number in `where`, and hpm_site_numbered as its label. */
struct hpm_site {
    const struct hpm_node *parent;
    const char *label;
    const char *file;
    uint64_t where; /* hpm_site_where */
    int instance;
    bool is_in_node; /* in a node's memory, so it is not freed alone */
    bool has_slot;   /* it may be in a slot */
    bool is_hidden;  /* in its slot, but must not be found there now */
    struct hpm_node *node;
};

/* Strings that end in NUL have length 0 here; others must be shorter than
 * HPM_SITE_MAX_LENGTH.  The length is part of the key because several strings
 * can begin at one address. */
enum { HPM_SITE_MAX_LENGTH = 1 << 16 };

static inline uint64_t
hpm_site_where(int line, size_t label_length, size_t file_length)
{
    return (uint64_t)(uint32_t)line | (uint64_t)label_length << 32 |
           (uint64_t)file_length << 48;
}

enum { HPM_SITE_TAGS = 4, HPM_SITE_WAYS = HPM_SITE_TAGS + 1 };

struct hpm_bucket {
    _Alignas(64) uint32_t tags[HPM_SITE_TAGS];
    struct hpm_site *sites[HPM_SITE_WAYS]; /* never NULL */
};

/* The place in which a site is found. */
enum hpm_sites_place {
    HPM_SITES_FIRST_SLOT,
    HPM_SITES_SECOND_SLOT, /* since another site has the first slot */
    HPM_SITES_BUCKET       /* since other sites have both slots */
};

extern const char hpm_site_numbered[];

/* A site in a table, and the salts of its parent and its node. */
struct hpm_learnt {
    struct hpm_site *site;
    uint32_t salt;
    uint32_t own_salt;
};

/* Half a line of the cache, and never in two lines.  A parent is identified by
 * its salt, which no other node of the table has. */
struct hpm_slot {
    _Alignas(32) uint32_t number;
    uint32_t parent_salt;
    int instance;
    uint32_t salt; /* the node's */
    struct hpm_node *node;
};

struct hpm_sites {
    struct hpm_slot *slots; /* never NULL */
    uint32_t slot_mask;     /* number of slots - 1; the number is 2^(32 -
                             * slot_shift) */
    unsigned slot_shift;
    unsigned shift; /* a bucket's number is the hash without its lowest `shift`
                     * bits */
    struct hpm_bucket *buckets;
    void *memory;             /* the buckets are in this block */
    struct hpm_learnt *sites; /* all sites */
    size_t n_sites;
    size_t n_numbered; /* how many of them have a slot */
    size_t capacity;
    enum hpm_sites_place first_place;
};

/* Make an empty table; false when there is no memory. */
bool hpm_sites_init(struct hpm_sites *sites);
void hpm_sites_clear(struct hpm_sites *sites);

/* Forget all sites.  From now on all sites are found in this place, if there is
 * room there: for a calibration.  The default is HPM_SITES_FIRST_SLOT. */
void hpm_sites_restart(struct hpm_sites *sites, enum hpm_sites_place place);

/* The slot of a site.  Multiples of 2^32 over the golden ratio, or of another
 * irrational number (the salt), are spread as evenly as possible in their
 * topmost bits. */
static inline uint32_t
hpm_sites_slot(const struct hpm_sites *sites, uint32_t salt, unsigned number,
               int instance)
{
    uint32_t spread = (uint32_t)instance * 0x9e3779b1u + salt;

    return (number + (spread >> sites->slot_shift)) & sites->slot_mask;
}

/* The other slot of a site, in the other half. */
static inline uint32_t
hpm_sites_second_slot(const struct hpm_sites *sites, uint32_t slot)
{
    return slot ^ (sites->slot_mask + 1) / 2;
}

/* The salt of the n-th node: n times the fractional part of the square root of
 * 2.  No two nodes have the same salt, and no node has that of the ground,
 * 0. */
static inline uint32_t
hpm_site_salt(unsigned n)
{
    return (uint32_t)n * 0x6a09e667u;
}

/* Has the site this key?  On processors with conditional comparisons (arm64)
 * this takes the same number of instructions whatever differs, and fewer than a
 * jump after each comparison.  Elsewhere jumps take fewer; a start that takes
 * the long way then takes two or four instructions less if the first or second
 * comparison fails. */
static inline bool
hpm_site_is(const struct hpm_site *site, const struct hpm_node *parent,
            uint64_t where, int instance)
{
#ifdef __aarch64__
    return (site->where == where) & (site->parent == parent) &
           (site->instance == instance);
#else
    return site->where == where && site->parent == parent &&
           site->instance == instance;
#endif
}

/* Has the slot the site with this number?  If so, and there is a free frame,
 * the start is an ordinary one.  As many instructions as hpm_site_is. */
static inline bool
hpm_slot_is(const struct hpm_slot *slot, uint32_t parent_salt, unsigned number,
            int instance)
{
#ifdef __aarch64__
    return (slot->number == number) & (slot->parent_salt == parent_salt) &
           (slot->instance == instance);
#else
    return slot->number == number && slot->parent_salt == parent_salt &&
           slot->instance == instance;
#endif
}

/* Each multiplication spreads differences in the lower bits; the parent comes
 * last because it is known last.  The two factors differ: the square of the
 * first one would put neighbouring lines into the same buckets. */
static inline uint64_t
hpm_site_hash(const struct hpm_site *key)
{
    const uint64_t golden = 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
    uint64_t h = (uintptr_t)key->label + 8 * (uint64_t)(uintptr_t)key->file;

    h = h * golden + key->where + ((uint64_t)(uint32_t)key->instance << 32);
    return (h * 0xd6e8feb86659fd93u ^ (uintptr_t)key->parent) * golden;
}

static inline uint32_t
hpm_site_tag(uint64_t hash)
{
    return (uint32_t)(hash >> 24);
}

/* Choose one of two by the same number of instructions.  gcc 14 would load a
 * site only after a jump; the empty asm statement uses both values here and so
 * prevents that.  It costs four instructions, so it is left out for older
 * compilers, which do not jump. */
static inline const struct hpm_site *
hpm_site_choose(bool is_first, const struct hpm_site *first,
                const struct hpm_site *second)
{
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 13
    __asm__("" : "+r"(first), "+r"(second));
#endif
    return is_first ? first : second;
}

/* The site in the bucket with this tag, else the last one. */
static inline const struct hpm_site *
hpm_site_tagged(const struct hpm_bucket *bucket, uint32_t tag)
{
    const struct hpm_site *site = bucket->sites[HPM_SITE_TAGS];
    const struct hpm_site *s0 = bucket->sites[0], *s1 = bucket->sites[1];
    const struct hpm_site *s2 = bucket->sites[2], *s3 = bucket->sites[3];

    site = hpm_site_choose(bucket->tags[3] == tag, s3, site);
    site = hpm_site_choose(bucket->tags[2] == tag, s2, site);
    site = hpm_site_choose(bucket->tags[1] == tag, s1, site);
    site = hpm_site_choose(bucket->tags[0] == tag, s0, site);
    return site;
}

/* The node of the site with this key, NULL when it is not known.  Finding any
 * site takes the same number of instructions. */
static inline struct hpm_node *
hpm_sites_find(const struct hpm_sites *sites, const struct hpm_site *key)
{
    uint64_t hash = hpm_site_hash(key);
    const struct hpm_bucket *bucket = &sites->buckets[hash >> sites->shift];
    const struct hpm_site *site = hpm_site_tagged(bucket, hpm_site_tag(hash));
    bool is_it;

    /* usually the node's line that starts and stops write; it is loaded while
     * the site is compared */
    __builtin_prefetch((const char *)site + HPM_SITE_LINE, 1);
    is_it = hpm_site_is(site, key->parent, key->where, key->instance) &&
            site->label == key->label && site->file == key->file;
    return __builtin_expect(is_it, 1) ? site->node : NULL;
}

/* Keep the site, in the memory of its node if room->site has it; the salts in
 * `room` are always set, and 0 for no parent.  Only a site with a number and
 * that memory may have a slot.  When there are very many more sites than nodes
 * (`n_nodes`), all sites are forgotten and learnt anew; when memory runs out
 * this site is not kept. */
void hpm_sites_learn(struct hpm_sites *sites, const struct hpm_site *site,
                     const struct hpm_learnt *room, size_t n_nodes);

/* Hide the site of a node, whose parent has this salt, in its slot if it has
 * one; or show it again. */
void hpm_sites_hide(const struct hpm_sites *sites, struct hpm_site *site,
                    uint32_t salt, bool is_hidden);

#endif
