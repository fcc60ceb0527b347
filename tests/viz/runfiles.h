/* SPDX-License-Identifier: BSD-3-Clause
 * Files of runs in a folder of the test, and a session that opens them. */
#ifndef TESTS_VIZ_RUNFILES_H
#define TESTS_VIZ_RUNFILES_H

#include "hpmviz/data/runs.h"
#include "scratch.h"
#include "settling.h"

static char *folder;

static inline char *
path_of(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static inline void
add_section(GString *text, int number, const char *label, int line,
            double seconds)
{
    g_string_append_printf(
        text,
        "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"0\" label=\"%s\" "
        "file=\"a.f\" linestart=\"%d\" lineend=\"%d\" scope=\"thread\" "
        "inst=\"1\" id=\"%d\">"
        "<data name=\"Count\" value=\"1\" kind=\"counter\"/>"
        "<data name=\"ExcSec\" value=\"%.9f\" kind=\"time\" unit=\"s\"/>"
        "<data name=\"IncSec\" value=\"%.9f\" kind=\"time\" unit=\"s\"/>"
        "<data name=\"PM_CYC\" value=\"%.0f\" exclusive=\"%.0f\" "
        "kind=\"counter\"/>"
        "<data name=\"PM_INST_CMPL\" value=\"2000000000\" "
        "exclusive=\"2000000000\" kind=\"counter\"/>",
        label, line, line + 5, number, seconds, seconds, 1e9 * seconds,
        1e9 * seconds);
    if (seconds == 4.0)
        g_string_append(text, "<data name=\"PM_B\" value=\"7\" "
                              "exclusive=\"7\" kind=\"counter\"/>");
    g_string_append(text, "</InstrumentationPt>");
}

/* Sections "both" and one more; other lines in each run.  Of 1 s a section has 2
 * instructions per cycle, of 4 s one half, which is bad; of 4 s PM_B, too. */
static inline void
put(const char *name, double seconds, const char *more)
{
    g_autoptr(GString) text = g_string_new(
        "<HPMPerformanceFile version=\"1\" complete=\"yes\" kind=\"run\">"
        "<Run task=\"0\" program=\"p\" job=\"j\" seconds=\"9.0\"></Run>"
        "<Machine task=\"0\" host=\"a\" pmu=\"power4\"/>");
    g_autofree char *path = path_of(name);

    add_section(text, 1, "both", 10 + (int)seconds, seconds);
    add_section(text, 2, more, 50, 1.0);
    g_string_append(text, "</HPMPerformanceFile>");
    g_file_set_contents(path, text->str, -1, NULL);
}

/* a.xml of 1 s, b.xml of 4 s and c.xml of 2 s. */
static inline void
begin_files(void)
{
    folder = g_dir_make_tmp("hpm-runs-XXXXXX", NULL);
    g_setenv("HPM_DEFS", "", TRUE);
    put("a.xml", 1.0, "old");
    put("b.xml", 4.0, "new");
    put("c.xml", 2.0, "newer");
}

static inline void
end_files(void)
{
    remove_all(folder);
    g_free(folder);
}

/* ---- a session of them ------------------------------------------------- */

static inline void
open_runs(HpmvizSession *session, const char *a, const char *b, const char *c)
{
    char *words[] = {path_of(a), path_of(b), c != NULL ? path_of(c) : NULL,
                     NULL};

    hpmviz_session_open_runs(session, words);
    settle(session);
    for (int i = 0; words[i] != NULL; i++)
        g_free(words[i]);
}

static inline size_t
find(const HpmvizSession *session, const char *label)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);

    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (g_strcmp0(hpmviz_session_section(session, i)->label, label) == 0)
            return i;
    }
    return HPM_NO_SUBJECT;
}

static inline guint
id_at(const HpmvizSession *session, guint index)
{
    return hpmviz_run_id(hpmviz_runs_at(hpmviz_session_runs(session), index));
}

#endif
