/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites: a start as the program makes it again and again, the same place
 * in the code with the same strings at the same addresses.
 *
 * Finding one takes the same number of instructions every time, whatever is
 * in the table: that number is part of what a section costs, and is measured
 * once and taken off ever after.
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
 * A node has room for one site, so that finding it brings what a start touches
 * next into the cache; the line behind it is what both edges write.
 *
 * Call sites with a number (record/callsite.h) are found before that in a slot,
 * which has all that a start has to know of the node: so what the start waits for
 * is the slot, and the node's line comes meanwhile.  Nor does it ask there
 * whether the node is open.  So a slot leads only to a child of the parent, and
 * while a start of that may be no ordinary one, the slot has a number that no
 * site has: it is hidden.
 *
 * Sites with one id and one parent have slots next to each other; one site with
 * many ids, or below many parents, has them far apart from each other.  Where
 * two meet nevertheless the later one has a second slot, and where that is taken
 * as well it is found in its bucket, as all sites without a number are.
 */
#ifndef HPM_RECORD_SITE_H
#define HPM_RECORD_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hpm_node;

enum { HPM_SITE_LINE = 64 }; /* bytes of a line of the cache */

/* The key, its strings by address, and what is known of it.  A site with a
 * number has that in `where`, and instead of a label hpm_site_numbered. */
struct hpm_site {
    const struct hpm_node *parent;
    const char *label;
    const char *file;
    uint64_t where; /* hpm_site_where */
    int instance;
    bool is_in_node; /* its memory is a node's: not to be freed alone */
    bool has_slot;   /* it may be in one, */
    bool is_hidden;  /* but is not to be found there now */
    struct hpm_node *node;
};

/* Strings that end in NUL have length 0 here; others must be shorter than
 * HPM_SITE_MAX_LENGTH, for one address can begin many of them. */
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

/* In which of its places is a site found? */
enum hpm_sites_place {
    HPM_SITES_FIRST_SLOT,
    HPM_SITES_SECOND_SLOT, /* for the first one is another's */
    HPM_SITES_BUCKET       /* for both are */
};

extern const char hpm_site_numbered[];

/* A site in a table, and the salts of its parent and its node. */
struct hpm_learnt {
    struct hpm_site *site;
    uint32_t salt;
    uint32_t own_salt;
};

/* Half a line of the cache, in none of which there are parts of two lines.  A
 * parent is known by its salt, which no other node of the table has. */
struct hpm_slot {
    _Alignas(32) uint32_t number;
    uint32_t parent_salt;
    int instance;
    uint32_t salt; /* the node's */
    struct hpm_node *node;
};

struct hpm_sites {
    struct hpm_slot *slots; /* never NULL */
    uint32_t slot_mask;     /* their number is 2^(32 - slot_shift) */
    unsigned slot_shift;
    unsigned shift; /* the topmost bits of the hash are the bucket's number */
    struct hpm_bucket *buckets;
    void *memory;             /* in which the buckets are */
    struct hpm_learnt *sites; /* all */
    size_t n_sites;
    size_t n_numbered; /* of these, so many have a number */
    size_t capacity;
    enum hpm_sites_place first_place;
};

/* An empty table; false when there is no memory. */
bool hpm_sites_init(struct hpm_sites *sites);
void hpm_sites_clear(struct hpm_sites *sites);

/* Forget all.  From now on, as far as there is room, all are found in this
 * place: for a calibration.  At first it is the first one. */
void hpm_sites_restart(struct hpm_sites *sites, enum hpm_sites_place place);

/* Multiples of 2^32 over the golden ratio, or of another irrational number (the
 * salt), lie in their topmost bits as far apart as may be. */
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

/* The salt of the n-th node: the fractional part of the square root of 2.  No two
 * nodes have the same, and none that of the ground, which is 0. */
static inline uint32_t
hpm_site_salt(unsigned n)
{
    return (uint32_t)n * 0x6a09e667u;
}

/* Is it the one looked for?  Where there are comparisons under a condition
 * (arm64) that is seen by as many instructions whatever differs, fewer than by a
 * jump after each.  Elsewhere jumps are fewer, and a start that is not quick
 * takes two or four less where the first or the second one decides. */
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

/* Has the slot the site with this number?  Then an ordinary start is all there is
 * to do, where there is a frame for it.  As many instructions as hpm_site_is. */
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

/* Each multiplication spreads what differs in the lower bits; the parent comes
 * last, for it is known last.  Not by one number twice: by the square of this
 * one, lines next to each other come into the same buckets. */
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

/* One of two, by as many instructions as the other one.  gcc 14 would move the
 * load of a site behind a jump; it cannot when that is told to be used here,
 * which costs four instructions that older ones, who do not jump, do
 * without. */
static inline const struct hpm_site *
hpm_site_choose(bool is_first, const struct hpm_site *first,
                const struct hpm_site *second)
{
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 13
    __asm__("" : "+r"(first), "+r"(second));
#endif
    return is_first ? first : second;
}

/* The site in the bucket that has this tag, or else the last one. */
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

/* The node of the site with this key, NULL when it is not known.  What is found
 * is found by as many instructions as anything else. */
static inline struct hpm_node *
hpm_sites_find(const struct hpm_sites *sites, const struct hpm_site *key)
{
    uint64_t hash = hpm_site_hash(key);
    const struct hpm_bucket *bucket = &sites->buckets[hash >> sites->shift];
    const struct hpm_site *site = hpm_site_tagged(bucket, hpm_site_tag(hash));
    bool is_it;

    /* in most cases what both edges write, which comes while the site does */
    __builtin_prefetch((const char *)site + HPM_SITE_LINE, 1);
    is_it = hpm_site_is(site, key->parent, key->where, key->instance) &&
            site->label == key->label && site->file == key->file;
    return __builtin_expect(is_it, 1) ? site->node : NULL;
}

/* Keep the site, in the memory of its node, where `room` has that; its salts are
 * there in any case, that of no parent is 0.  Only what has a number and room may
 * have a slot.  When there are very many more sites than nodes (`n_nodes`), all
 * are forgotten and learnt anew; when memory runs out this one is not kept. */
void hpm_sites_learn(struct hpm_sites *sites, const struct hpm_site *site,
                     const struct hpm_learnt *room, size_t n_nodes);

/* From now on the site of a node, whose parent has that salt, is not found in its
 * slot, where it has one; or is again. */
void hpm_sites_hide(const struct hpm_sites *sites, struct hpm_site *site,
                    uint32_t salt, bool is_hidden);

#endif
