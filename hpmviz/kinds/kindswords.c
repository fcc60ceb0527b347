/* SPDX-License-Identifier: BSD-3-Clause
 * Sentences and words of study/analysis for widgets. */
#include "hpmviz/kinds/kindswords.h"

#include "hpmviz/widgets/safetext.h"
#include "study/words/sentence.h"

char *
hpmviz_kindswords_line(const char *text)
{
    struct hpm_string shown = {0};
    char *line;

    hpm_sentence_add(&shown, text != NULL ? text : "");
    line = hpmviz_safe_line(hpm_string_text(&shown));
    hpm_string_free(&shown);
    return line;
}
