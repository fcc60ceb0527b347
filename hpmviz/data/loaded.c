/* SPDX-License-Identifier: BSD-3-Clause
 * What was read of performance files, or made of what was. */
#include "hpmviz/data/loaded.h"

#include "study/survey/surveying.h"

struct hpmviz_loaded *
hpmviz_loaded_ref(struct hpmviz_loaded *loaded)
{
    g_atomic_int_inc(&loaded->n_users);
    return loaded;
}

void
hpmviz_loaded_free(struct hpmviz_loaded *loaded)
{
    if (loaded == NULL || !g_atomic_int_dec_and_test(&loaded->n_users))
        return;
    hpm_survey_free(loaded->sections);
    hpm_survey_free(loaded->paths);
    hpm_survey_free(loaded->brief_sections);
    hpm_survey_free(loaded->brief_paths);
    hpm_hotspots_free(loaded->hotspots);
    hpm_callgraph_clear(&loaded->callgraph);
    hpm_study_free(loaded->study);
    g_free(loaded->kinds);
    g_free(loaded->chosen);
    hpm_kindpictures_clear(&loaded->pictures);
    g_ptr_array_unref(loaded->problems);
    g_ptr_array_unref(loaded->files);
    hpmviz_loaded_free(loaded->whole);
    hpmviz_loaded_free(loaded->sides[0]);
    hpmviz_loaded_free(loaded->sides[1]);
    g_free(loaded);
}

const struct hpmviz_loaded *
hpmviz_loaded_whole(const struct hpmviz_loaded *loaded)
{
    return loaded != NULL && loaded->whole != NULL ? loaded->whole : loaded;
}
