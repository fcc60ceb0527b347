/* SPDX-License-Identifier: BSD-3-Clause
 * Sentences and words of study/analysis, which are English, for widgets. */
#ifndef HPMVIZ_KINDS_KINDSWORDS_H
#define HPMVIZ_KINDS_KINDSWORDS_H

/* In the language of the window, one safe line, for g_free; "" of NULL. */
char *hpmviz_kindswords_line(const char *text);

#endif
