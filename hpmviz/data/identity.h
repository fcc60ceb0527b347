/* SPDX-License-Identifier: BSD-3-Clause
 * What a section is known by, to find it again in other data: label, file, line
 * and id of it and, on a call path, of those around it. */
#ifndef HPMVIZ_DATA_IDENTITY_H
#define HPMVIZ_DATA_IDENTITY_H

#include <glib.h>

#include "study/survey/survey.h"

struct hpmviz_identity;

/* Keeps nothing of the survey. */
struct hpmviz_identity *hpmviz_identity_new(const struct hpm_survey *survey,
                                            size_t subject);
void hpmviz_identity_free(struct hpmviz_identity *identity);

/* The subject that is the same; else, as lines move when a source is edited,
 * the one with the same label, file and id whose line is nearest; else
 * HPM_NO_SUBJECT. */
size_t hpmviz_identity_find(const struct hpmviz_identity *identity,
                            const struct hpm_survey *survey);

/* All subjects of a survey, which must stay as long, to find many there without a
 * look at each. */
struct hpmviz_identities;

struct hpmviz_identities *
hpmviz_identities_new(const struct hpm_survey *survey);
void hpmviz_identities_free(struct hpmviz_identities *identities);
size_t hpmviz_identities_find(const struct hpmviz_identities *identities,
                              const struct hpmviz_identity *identity);

#endif
