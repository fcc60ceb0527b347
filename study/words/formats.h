/* SPDX-License-Identifier: BSD-3-Clause
 * Which formats of sentences the catalogue of gettext has. */
#ifndef HPM_STUDY_WORDS_FORMATS_H
#define HPM_STUDY_WORDS_FORMATS_H

#include <stddef.h>

/* How many; 0 where no catalogue is in use or can be read.  The file is read at
 * the first call, and kept. */
size_t hpm_formats_count(void);

/* The English one, i below that number. */
const char *hpm_formats_get(size_t i);

#endif
