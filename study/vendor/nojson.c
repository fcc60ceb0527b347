/* SPDX-License-Identifier: BSD-3-Clause
 * Replaces the reader of JSON if the toolkit is built without json-c. */
#include "study/vendor/forms.h"

bool
hpm_forms_read_json(struct hpm_vendor *vendor, const char *path,
                    const char *text, size_t length, struct hpm_error *err)
{
    (void)vendor;
    (void)text;
    (void)length;
    return hpm_error_set(err,
                         "%.300s: is JSON, for which this hpm lacks json-c; "
                         "install libjson-c-dev, and build it again",
                         path);
}
