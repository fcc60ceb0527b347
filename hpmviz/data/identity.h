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

#endif
