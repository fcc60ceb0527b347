/* SPDX-License-Identifier: BSD-3-Clause
 * Names of points. */
#include "study/points/pointlabels.h"

static const struct hpm_study_section *
section_of(const struct hpm_points *points, size_t point)
{
    const struct hpm_survey *survey = points->survey;

    return &survey->study->sections[survey->subjects[points->all[point].subject]
                                        .section];
}

void
hpm_pointlabels_add_section(struct hpm_string *string,
                            const struct hpm_points *points, size_t point)
{
    hpm_survey_add_label(points->survey, points->all[point].subject, string);
}

const char *
hpm_pointlabels_file(const struct hpm_points *points, size_t point)
{
    const char *base = section_of(points, point)->base;

    return base != NULL ? base : "";
}

int
hpm_pointlabels_line(const struct hpm_points *points, size_t point)
{
    return section_of(points, point)->line;
}

const char *
hpm_pointlabels_host(const struct hpm_points *points, size_t point)
{
    const struct hpm_study *study = points->survey->study;
    uint32_t task = study->places[points->all[point].place].task;
    const char *host = study->tasks[task].machine.host;

    return host != NULL ? host : "";
}

void
hpm_pointlabels_add(struct hpm_string *string, const struct hpm_points *points,
                    size_t point)
{
    const struct hpm_point *here = &points->all[point];

    hpm_string_add_format(string, "task %d", here->task);
    if (here->thread >= 0)
        hpm_string_add_format(string, " thread %d", here->thread);
    if (here->call > 0)
        hpm_string_add_format(string, " call %d", here->call);
}
