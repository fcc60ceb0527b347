/* SPDX-License-Identifier: BSD-3-Clause
 * Text out of files for widgets: what is no proper character, or would drive
 * the text's direction, is seen as \xHH. */
#ifndef HPMVIZ_WIDGETS_SAFETEXT_H
#define HPMVIZ_WIDGETS_SAFETEXT_H

#include <glib.h>

#include "base/string.h"

/* For g_free.  Line ends are such characters, too. */
char *hpmviz_safe_line(const char *text);

/* The same of lines that were put together, which are freed. */
char *hpmviz_safe_take(struct hpm_string *text);

#endif
