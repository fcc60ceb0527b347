/* SPDX-License-Identifier: BSD-3-Clause
 * Hot spots: where in a program its samples are, in all of it and in each section
 * (CMSSW's symbol analysis and modular symbol analysis, section 5 of the paper).
 *
 * Tasks, threads and call paths of a section are taken together.  Each sample of
 * a thread is in one section of it, or outside all; it is also in the section of
 * the process that was open.  These two are never added. */
#ifndef HPM_STUDY_HOTSPOT_HOTSPOTS_H
#define HPM_STUDY_HOTSPOT_HOTSPOTS_H

#include "base/error.h"
#include "base/names.h"
#include "study/columns/study.h"
#include "study/hotspot/naming.h"

/* A share of fewer samples says nothing. */
enum { HPM_HOTSPOTS_LEAST = 30 };

struct hpm_hotspot {
    const char *name; /* function, "file.c:12", or module; in brackets what has
                           no name */
    const char *module; /* base name of its file */
    const char *line;   /* HPM_NAMING_PLACE: "/path/file.c:12", "": not known;
                           else NULL */
    uint64_t n;         /* samples */
};

/* The samples of one event in one section. */
struct hpm_hotspots_part {
    uint32_t sampled; /* of the study */
    uint32_t section; /* one of the study's; HPM_NO_INDEX: of all */
    uint64_t n_taken, n_lost;
    struct hpm_hotspot *spots; /* most samples first */
    size_t n_spots;
};

/* A module whose places have no names, with how many samples they have. */
struct hpm_hotspots_lack {
    const char *path, *reason;
    uint64_t n;
};

struct hpm_hotspots {
    const struct hpm_study *study;
    enum hpm_naming_kind naming;
    struct hpm_hotspots_part
        *parts; /* by event; the part of all first, then the
                                        section with most samples */
    size_t n_parts;
    struct hpm_hotspots_lack *lacks;
    size_t n_lacks;
    struct hpm_arena arena; /* all of it is there */
    struct hpm_names names;
};

/* Find them: no part where the study has no samples; NULL when there is no memory.
 *  The study must outlive them. */
struct hpm_hotspots *hpm_hotspots_new(const struct hpm_study *study,
                                      enum hpm_naming_kind naming,
                                      struct hpm_error *err);
void hpm_hotspots_free(struct hpm_hotspots *hotspots);

/* How much of the event a sample stands for in one run: of a mean, which has the
 * samples of all its runs, less than a period. */
double hpm_hotspots_scale(const struct hpm_hotspots *hotspots,
                          const struct hpm_study_sampled *sampled);

/* Was the event sampled in several ways: with other periods, or in another domain? */
bool hpm_hotspots_is_one_of_several(const struct hpm_study *study,
                                    const struct hpm_study_sampled *sampled);

/* Are these one section, but for their call paths? */
bool hpm_hotspots_is_same_section(const struct hpm_study_section *a,
                                  const struct hpm_study_section *b);

#endif
