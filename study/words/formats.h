/* SPDX-License-Identifier: BSD-3-Clause
 * The formats of sentences in gettext's catalogue. */
#ifndef HPM_STUDY_WORDS_FORMATS_H
#define HPM_STUDY_WORDS_FORMATS_H

#include <stddef.h>

/* The number of formats; 0 where no catalogue is in use or can be read.  The
 * first call reads the file and keeps it. */
size_t hpm_formats_count(void);

/* The English format i, below that number. */
const char *hpm_formats_get(size_t i);

#endif
