/* SPDX-License-Identifier: BSD-3-Clause
 * Bytes as text that any document may contain. */
#include "study/html/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "abcdefghijklmnopqrstuvwxyz0123456789+/";

void
hpm_base64_add(struct hpm_string *string, const void *bytes, size_t length)
{
    const unsigned char *from = bytes;

    hpm_string_reserve(string, string->length + (length + 2) / 3 * 4 + 1);
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned three = (unsigned)from[i] << 16 |
                         (left > 1 ? (unsigned)from[i + 1] << 8 : 0) |
                         (left > 2 ? (unsigned)from[i + 2] : 0);
        char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                        left > 1 ? digits[three >> 6 & 63] : '=',
                        left > 2 ? digits[three & 63] : '='};

        hpm_string_add_bytes(string, four, sizeof four);
    }
}
