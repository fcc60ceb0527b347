/* SPDX-License-Identifier: BSD-3-Clause
 * What the names in the open files mean. */
#ifndef HPMVIZ_DATA_GLOSSARY_H
#define HPMVIZ_DATA_GLOSSARY_H

#include "metric/language/threshold.h"
#include "study/survey/survey.h"

/* Append what is known of a quantity of the survey: its name and unit, what it
 * means, how it is worked out, its limits, what raises and lowers it, what to
 * do where it is bad. */
void hpmviz_glossary_add(const struct hpm_survey *survey, size_t quantity,
                         enum hpm_precision precision,
                         struct hpm_string *string);

#endif
