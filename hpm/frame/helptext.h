/* SPDX-License-Identifier: BSD-3-Clause
 * What `hpm help NAME` says, in the reader's language. */
#ifndef HPM_HELPTEXT_H
#define HPM_HELPTEXT_H

#include "base/string.h"

/* Append a help text: as it is in English, otherwise each paragraph, option and
 * example of it by its translation (po/helps.c has them), broken at 80 columns. */
void helptext_add(struct hpm_string *text, const char *help);

#endif
