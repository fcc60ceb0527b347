/* SPDX-License-Identifier: BSD-3-Clause
 * What a library that brings libhpm a source keeps of each thread. */
#include "brought/parts.h"

#include "host/memory.h"

void
hpm_parts_begin(struct hpm_parts *parts, size_t size, void (*begin)(void *part),
                void (*leave)(void *part), void (*after_fork)(void))
{
    parts->size = size;
    parts->begin = begin;
    parts->has_key = pthread_key_create(&parts->key, leave) == 0 &&
                     pthread_atfork(NULL, NULL, after_fork) == 0;
}

/* A part that no thread and no counting uses any more. */
static struct hpm_part *
take_free(const struct hpm_parts *parts)
{
    for (struct hpm_part *each = parts->first; each != NULL;
         each = each->next) {
        unsigned none = 0;

        if (atomic_compare_exchange_strong(&each->users, &none, 1))
            return each;
    }
    return NULL;
}

static struct hpm_part *
make(struct hpm_parts *parts)
{
    struct hpm_part *made = hpm_memory_new_apart(parts->size);

    if (made == NULL)
        return NULL;
    atomic_init(&made->users, 1);
    parts->begin(made);
    made->next = atomic_load(&parts->first);
    while (!atomic_compare_exchange_weak(&parts->first, &made->next, made))
        continue;
    return made;
}

struct hpm_part *
hpm_parts_take(struct hpm_parts *parts)
{
    struct hpm_part *taken = parts->has_key ? take_free(parts) : NULL;

    if (taken == NULL && parts->has_key)
        taken = make(parts);
    if (taken != NULL && pthread_setspecific(parts->key, taken) != 0) {
        hpm_part_release(taken);
        return NULL;
    }
    return taken;
}

void
hpm_part_hold(struct hpm_part *part)
{
    atomic_fetch_add(&part->users, 1);
}

void
hpm_part_release(struct hpm_part *part)
{
    atomic_fetch_sub(&part->users, 1);
}
