/* SPDX-License-Identifier: BSD-3-Clause
 * Bytes as text that any document may contain. */
#ifndef HPM_STUDY_HTML_BASE64_H
#define HPM_STUDY_HTML_BASE64_H

#include "base/string.h"

/* RFC 4648, without line breaks, padded with "=". */
void hpm_base64_add(struct hpm_string *string, const void *bytes,
                    size_t length);

#endif
