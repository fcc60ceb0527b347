/* SPDX-License-Identifier: BSD-3-Clause
 * How a survey is looked at. */
#include "study/report/view.h"

#include <string.h>

static const struct {
    const char *name;
    enum hpm_grouping grouping;
} views[] = {
    [HPM_VIEW_SECTION] = {"section", HPM_GROUP_SECTIONS},
    [HPM_VIEW_TREE] = {"tree", HPM_GROUP_PATHS},
    [HPM_VIEW_TASK] = {"task", HPM_GROUP_SECTIONS},
    [HPM_VIEW_THREAD] = {"thread", HPM_GROUP_SECTIONS},
    [HPM_VIEW_METRIC] = {"metric", HPM_GROUP_SECTIONS},
    [HPM_VIEW_FILE] = {"file", HPM_GROUP_FILES},
};

enum { N_VIEWS = sizeof views / sizeof views[0] };

bool
hpm_view_find(const char *name, enum hpm_view *ret_view)
{
    for (size_t i = 0; i < N_VIEWS; i++) {
        if (strcmp(views[i].name, name) == 0) {
            *ret_view = (enum hpm_view)i;
            return true;
        }
    }
    return false;
}

const char *
hpm_view_name(enum hpm_view view)
{
    return views[view].name;
}

enum hpm_grouping
hpm_view_grouping(enum hpm_view view)
{
    return views[view].grouping;
}
