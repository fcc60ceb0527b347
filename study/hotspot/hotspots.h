/* SPDX-License-Identifier: BSD-3-Clause
 * Hot spots: where a program's samples are, in the whole program and in each
 * section (CMSSW's symbol analysis and modular symbol analysis, section 5 of
 * the paper).
 *
 * Tasks, threads and call paths of a section are combined.  Each sample of a
 * thread is in one of its sections, or outside all; the same sample is also in
 * the process section that was open.  These two are never added. */
#ifndef HPM_STUDY_HOTSPOT_HOTSPOTS_H
#define HPM_STUDY_HOTSPOT_HOTSPOTS_H

#include "base/error.h"
#include "base/names.h"
#include "study/columns/study.h"
#include "study/hotspot/naming.h"

/* A share of fewer samples is not reliable. */
enum { HPM_HOTSPOTS_LEAST = 30 };

struct hpm_hotspot {
    const char *name;   /* function, "file.c:12", or module; in brackets where
                         * there is no name */
    const char *module; /* base name of the module's file */
    const char *line;   /* HPM_NAMING_PLACE: "/path/file.c:12", or "": not
                         * known; else NULL */
    uint64_t n;         /* samples */
};

/* The samples of one event in one section. */
struct hpm_hotspots_part {
    uint32_t sampled; /* of the study */
    uint32_t section; /* of the study; HPM_NO_INDEX: all sections */
    uint64_t n_taken, n_lost;
    struct hpm_hotspot *spots; /* most samples first */
    size_t n_spots;
};

/* A module whose places have no names, the reason, and their samples. */
struct hpm_hotspots_lack {
    const char *path, *reason;
    uint64_t n;
};

struct hpm_hotspots {
    const struct hpm_study *study;
    enum hpm_naming_kind naming;
    struct hpm_hotspots_part
        *parts; /* by event; the part of all sections first, then the section
                 * with most samples */
    size_t n_parts;
    struct hpm_hotspots_lack *lacks;
    size_t n_lacks;
    struct hpm_arena arena; /* of all this */
    struct hpm_names names;
};

/* Find them: no part where the study has no samples; NULL when there is no
 * memory.  The study must live longer. */
struct hpm_hotspots *hpm_hotspots_new(const struct hpm_study *study,
                                      enum hpm_naming_kind naming,
                                      struct hpm_error *err);
void hpm_hotspots_free(struct hpm_hotspots *hotspots);

/* How much of the event a sample stands for in one run: the period, divided by
 * the number of runs in a mean, which has the samples of all its runs. */
double hpm_hotspots_scale(const struct hpm_hotspots *hotspots,
                          const struct hpm_study_sampled *sampled);

/* Was the event sampled in several ways: with different periods, or in
 * different domains? */
bool hpm_hotspots_is_one_of_several(const struct hpm_study *study,
                                    const struct hpm_study_sampled *sampled);

/* Are these the same section, apart from their call paths? */
bool hpm_hotspots_is_same_section(const struct hpm_study_section *a,
                                  const struct hpm_study_section *b);

#endif
