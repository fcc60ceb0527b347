/* SPDX-License-Identifier: BSD-3-Clause
 * The form of a vendor's file. */
#include "study/vendor/forms.h"

#include <string.h>

#include "host/memory.h"
#include "host/path.h"
#include "study/vendor/notation.h"

static bool
begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

static bool
is_json(const char *text)
{
    text += strspn(text, " \t\r\n");
    return *text == '{' || *text == '[';
}

/* Is it a list of an architecture's events, to which other lists refer by
 * name? */
static bool
is_common(const char *path)
{
    const char *name = hpm_path_base_name(path);

    return begins_with(name, "common-and-microarch.json") ||
           begins_with(name, "recommended.json") ||
           begins_with(name, "arm64-std");
}

bool
hpm_vendor_is_map(const char *path, const char *text)
{
    return begins_with(text, "Family-model") ||
           begins_with(text, "arch\tvendor") || is_common(path);
}

static bool
read_form(struct hpm_vendor *vendor, const char *path, const char *text,
          size_t length, struct hpm_error *err)
{
    text += begins_with(text, "\xef\xbb\xbf") ? 3 : 0;
    if (begins_with(text, "Family-model") || begins_with(text, "arch\tvendor"))
        return hpm_forms_read_map(vendor, path, text, err);
    if (begins_with(text, "name\t"))
        return hpm_forms_read_table(vendor, path, text, err);
    if (is_json(text))
        return hpm_forms_read_json(vendor, path, text, strnlen(text, length),
                                   err);
    return hpm_error_set(err,
                         "%.300s:1: is of no known form; expected JSON of "
                         "Intel, Arm or the kernel, a mapfile.csv, or a table "
                         "with tabs that begins with 'name'",
                         path);
}

bool
hpm_vendor_read(struct hpm_vendor *vendor, const char *path, const char *text,
                size_t length, struct hpm_error *err)
{
    bool is_read = !vendor->lacks_memory || hpm_error_no_memory(err);

    vendor->path = path;
    vendor->n_skipped = 0;
    vendor->n_replaced = 0;
    vendor->n_renamed = 0;
    is_read = is_read && read_form(vendor, path, text, length, err);
    if (!is_read)
        hpm_vendor_note_lack(vendor, err);
    return is_read;
}

bool
hpm_forms_skip(struct hpm_vendor *vendor, struct hpm_error *err)
{
    hpm_vendor_note_lack(vendor, err);
    if (vendor->lacks_memory)
        return hpm_error_no_memory(err);
    return hpm_vendor_add_fault(vendor, &vendor->n_skipped, err) ||
           hpm_error_no_memory(err);
}

bool
hpm_forms_note(struct hpm_vendor *vendor,
               const struct hpm_vendor_source *source, struct hpm_error *err)
{
    struct hpm_vendor_source *added;

    if (!hpm_memory_grow(&vendor->sources, &vendor->sources_capacity,
                         vendor->n_sources + 1, sizeof *added))
        return hpm_error_no_memory(err);
    added = &vendor->sources[vendor->n_sources];
    *added = *source;
    added->n_skipped = vendor->n_skipped;
    added->n_replaced = vendor->n_replaced;
    added->path = hpm_vendor_keep(vendor, source->path);
    added->form = hpm_vendor_keep(vendor, source->form);
    added->copyright = hpm_vendor_keep(vendor, source->copyright);
    added->version = hpm_vendor_keep(vendor, source->version);
    if (vendor->lacks_memory)
        return hpm_error_no_memory(err);
    vendor->n_sources++;
    return true;
}

const char *
hpm_forms_split_scale(const char *scale, double *ret_factor)
{
    size_t length = hpm_notation_number(scale, ret_factor);

    if (length == 0)
        *ret_factor = 1.0;
    return scale + length;
}
