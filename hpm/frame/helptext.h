/* SPDX-License-Identifier: BSD-3-Clause
 * The output of `hpm help NAME` in the reader's language. */
#ifndef HPM_HELPTEXT_H
#define HPM_HELPTEXT_H

#include "base/string.h"

/* Append a help text: unchanged in English, else each paragraph, option and
 * example by its translation (po/helps.c has them), broken at 80 columns. */
void helptext_add(struct hpm_string *text, const char *help);

#endif
