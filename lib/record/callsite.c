/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of call sites. */
#include "record/callsite.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "host/forklock.h"
#include "host/memory.h"

enum { N_CHAINS = 1024 };

/* A label, file and line that have a number. */
struct entry {
    struct entry *next;
    uint64_t hash;
    const char *file; /* points behind the label, in this entry */
    int line;
    unsigned number;
    char label[];
};

/* A child may be forked while another thread adds an entry: an entry that is
 * not chained yet is lost in the child, and all others are whole. */
static struct {
    struct hpm_forklock lock;
    unsigned n;
    struct entry *chains[N_CHAINS];
} known;

static uint64_t
hash_text(uint64_t hash, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u; /* FNV-1a */
    return (hash ^ 0xff) * 0x100000001b3u;
}

static struct entry *
find(uint64_t hash, const char *label, const char *file, int line)
{
    struct entry *entry = known.chains[hash % N_CHAINS];

    while (entry != NULL &&
           (entry->hash != hash || entry->line != line ||
            strcmp(entry->label, label) != 0 || strcmp(entry->file, file) != 0))
        entry = entry->next;
    return entry;
}

static struct entry *
add(uint64_t hash, const char *label, const char *file, int line)
{
    struct entry **chain = &known.chains[hash % N_CHAINS];
    size_t label_size = strlen(label) + 1, file_size = strlen(file) + 1;
    struct entry *entry;

    if (known.n == HPM_MAX_CALL_SITES)
        return NULL;
    entry = hpm_memory_new(1, sizeof *entry + label_size + file_size);
    if (entry == NULL)
        return NULL;
    memcpy(entry->label, label, label_size);
    entry->file = memcpy(entry->label + label_size, file, file_size);
    entry->hash = hash;
    entry->line = line;
    entry->number = ++known.n;
    entry->next = *chain;
    __atomic_store_n(chain, entry, __ATOMIC_RELEASE);
    return entry;
}

unsigned
hpm_callsite_register(const struct hpm_callsite *site)
{
    const char *label = site->label != NULL ? site->label : "";
    const char *file = site->file != NULL ? site->file : "";
    uint64_t hash = hash_text(hash_text(0xcbf29ce484222325u, label), file);
    struct entry *entry;
    unsigned number;

    hash = hash * 31 + (unsigned)site->line;
    hpm_forklock_take(&known.lock, getpid());
    entry = find(hash, label, file, site->line);
    if (entry == NULL)
        entry = add(hash, label, file, site->line);
    number = entry != NULL ? entry->number : 0;
    __atomic_store_n(site->number, number, __ATOMIC_RELAXED);
    hpm_forklock_give(&known.lock);
    return number;
}
