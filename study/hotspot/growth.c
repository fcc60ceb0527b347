/* SPDX-License-Identifier: BSD-3-Clause
 * Which places of a program take more samples in one result than in another. */
#include "study/hotspot/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/statistics/poisson.h"

/* ---- events ---------------------------------------------------------- */

static bool
is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The period may differ: it is taken into account by what a sample stands
 * for. */
static bool
is_same_event(const struct hpm_study_sampled *a,
              const struct hpm_study_sampled *b)
{
    return is_same_text(a->name, b->name) &&
           is_same_text(a->domain, b->domain) && is_same_text(a->unit, b->unit);
}

/* The part of the same event with the same period, if there is one; else with
 * another period. */
static const struct hpm_hotspots_part *
find_part(const struct hpm_hotspots *hotspots,
          const struct hpm_study_sampled *wanted)
{
    const struct hpm_hotspots_part *found = NULL;

    for (size_t i = 0; i < hotspots->n_parts; i++) {
        const struct hpm_hotspots_part *part = &hotspots->parts[i];
        const struct hpm_study_sampled *sampled =
            &hotspots->study->sampled[part->sampled];

        if (part->section != HPM_NO_INDEX || !is_same_event(sampled, wanted))
            continue;
        if (found == NULL || sampled->period == wanted->period)
            found = part;
    }
    return found;
}

/* ---- places ---------------------------------------------------------- */

static int
compare_places(const void *first, const void *second)
{
    const struct hpm_growth_place *a = first, *b = second;
    int order = strcmp(a->name, b->name);

    return order != 0 ? order : strcmp(a->module, b->module);
}

static double
change_of(const struct hpm_growth_place *place)
{
    return place->after - place->before;
}

static int
compare_changes(const void *first, const void *second)
{
    const struct hpm_growth_place *a = first, *b = second;
    double change_a = fabs(change_of(a)), change_b = fabs(change_of(b));

    if (change_a != change_b)
        return change_a > change_b ? -1 : 1;
    return compare_places(a, b);
}

static void
add_places(struct hpm_growth *growth, const struct hpm_hotspots_part *part,
           bool is_after)
{
    for (size_t i = 0; i < part->n_spots; i++) {
        const struct hpm_hotspot *spot = &part->spots[i];

        growth->places[growth->n_places++] =
            (struct hpm_growth_place){.name = spot->name,
                                      .module = spot->module,
                                      .n_before = is_after ? 0 : spot->n,
                                      .n_after = is_after ? spot->n : 0};
    }
}

static void
put_together(struct hpm_growth *growth)
{
    struct hpm_growth_place *places = growth->places;
    size_t n = 0;

    qsort(places, growth->n_places, sizeof *places, compare_places);
    for (size_t i = 1; i < growth->n_places; i++) {
        if (compare_places(&places[n], &places[i]) == 0) {
            places[n].n_before += places[i].n_before;
            places[n].n_after += places[i].n_after;
        } else {
            places[++n] = places[i];
        }
    }
    growth->n_places = n + 1;
}

static void
work_out(struct hpm_growth *growth)
{
    for (size_t i = 0; i < growth->n_places; i++) {
        struct hpm_growth_place *place = &growth->places[i];

        place->before = (double)place->n_before * growth->before_scale;
        place->after = (double)place->n_after * growth->after_scale;
        hpm_poisson_difference(place->n_before, growth->before_scale,
                               place->n_after, growth->after_scale, &place->low,
                               &place->high);
    }
}

static bool
find_places(struct hpm_growth *growth)
{
    growth->places =
        hpm_memory_new(growth->before->n_spots + growth->after->n_spots + 1,
                       sizeof *growth->places);
    if (growth->places == NULL)
        return false;
    add_places(growth, growth->before, false);
    add_places(growth, growth->after, true);
    if (growth->n_places == 0)
        return true;
    put_together(growth);
    work_out(growth);
    qsort(growth->places, growth->n_places, sizeof *growth->places,
          compare_changes);
    return true;
}

/* ---- public functions ------------------------------------------------ */

static bool
find_all(struct hpm_growths *growths, const struct hpm_hotspots *before,
         const struct hpm_hotspots *after)
{
    for (size_t i = 0; i < before->n_parts; i++) {
        const struct hpm_hotspots_part *part = &before->parts[i];
        const struct hpm_study_sampled *sampled =
            &before->study->sampled[part->sampled];
        struct hpm_growth *growth = &growths->growths[growths->n_growths];

        if (part->section != HPM_NO_INDEX)
            continue;
        growth->before = part;
        growth->before_sampled = sampled;
        growth->before_scale = hpm_hotspots_scale(before, sampled);
        growth->after = find_part(after, sampled);
        if (growth->after == NULL)
            continue;
        growth->after_sampled = &after->study->sampled[growth->after->sampled];
        growth->after_scale = hpm_hotspots_scale(after, growth->after_sampled);
        growths->n_growths++;
        if (!find_places(growth))
            return false;
    }
    return true;
}

bool
hpm_growths_find(struct hpm_growths *ret_growths,
                 const struct hpm_hotspots *before,
                 const struct hpm_hotspots *after, struct hpm_error *err)
{
    *ret_growths = (struct hpm_growths){.naming = before->naming};
    ret_growths->growths =
        hpm_memory_new(before->n_parts + 1, sizeof *ret_growths->growths);
    if (ret_growths->growths != NULL && find_all(ret_growths, before, after))
        return true;
    hpm_growths_clear(ret_growths);
    return hpm_error_no_memory(err);
}

void
hpm_growths_clear(struct hpm_growths *growths)
{
    for (size_t i = 0; i < growths->n_growths; i++)
        hpm_memory_free(growths->growths[i].places);
    hpm_memory_free(growths->growths);
    *growths = (struct hpm_growths){.naming = growths->naming};
}
