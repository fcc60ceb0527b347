/* SPDX-License-Identifier: BSD-3-Clause
 * A guard around the XML parser: whatever a file contains, reading it opens no
 * other file, uses no network, takes little memory and ends soon.
 *
 * It refuses document types (and so entities), processing instructions,
 * encodings other than UTF-8, elements deeper than 16 levels, tags of more than
 * 64 attributes or 64 KiB, and more than 4096 different names.
 */
#ifndef HPM_STUDY_FILE_XMLGUARD_H
#define HPM_STUDY_FILE_XMLGUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* An attribute as it is in the file, references resolved; the value does not
 * end in NUL.  An attribute with a prefix does not belong to the format,
 * whatever its name is.  The struct is the parser's own five pointers: copying
 * all of them would cost more than most of the work on them. */
struct hpm_xmlguard_attribute {
    const char *name;
    const char *prefix;     /* NULL in most cases */
    const char *name_space; /* for which the prefix stands */
    const char *value;
    const char *end;
};

struct hpm_xmlguard;

/* Callbacks for a file, in the order of the file.  A file that begins with an
 * element `bare` (unless that is NULL) is read as if an element `root` were
 * around everything. */
struct hpm_xmlguard_listener {
    const char *bare, *root;
    void (*begin_element)(void *owner, struct hpm_xmlguard *guard,
                          const char *name,
                          const struct hpm_xmlguard_attribute *attributes,
                          int n_attributes);
    void (*end_element)(void *owner, struct hpm_xmlguard *guard);
};

/* A place in the file: lines and columns from 1, columns in characters. */
struct hpm_xmlguard_position {
    long line;
    long column;
};

/* A guard for one file after another, by one thread at a time; NULL when there
 * is no memory. */
struct hpm_xmlguard *hpm_xmlguard_new(void);

/* NULL is allowed. */
void hpm_xmlguard_free(struct hpm_xmlguard *guard);

/* What is read: the file open at `fd`, packed by gzip or not, to its end; or, if
 * `text` is not NULL, so many bytes of it, and no descriptor is needed. */
struct hpm_xmlguard_source {
    int fd;
    const char *text;
    size_t length;
};

/* Read the source; messages use `name`.  False when it is not well-formed, exceeds the guard's limits, cannot
 * be read, or the listener stopped the reading; err gives the reason with file,
 * line and column.  What the listener got before stays valid. */
bool hpm_xmlguard_read(struct hpm_xmlguard *guard,
                       const struct hpm_xmlguard_source *source,
                       const char *name,
                       const struct hpm_xmlguard_listener *listener,
                       void *owner, struct hpm_error *err);

/* May the guard read another file?  Then equal names of elements and attributes
 * have the same address in all its files.  False after a file that was not read
 * to its end, or when the guard has met many names. */
bool hpm_xmlguard_is_reusable(const struct hpm_xmlguard *guard);

/* Set the parser up; call before the first of several threads reads. */
void hpm_xmlguard_prepare(void);

/* Inside begin_element: where this part of an attribute is in the file. */
struct hpm_xmlguard_position
hpm_xmlguard_locate(const struct hpm_xmlguard *guard, const char *piece);

/* Inside a call of the listener: stop reading, for this reason (printf). */
void hpm_xmlguard_stop(struct hpm_xmlguard *guard, const char *piece,
                       const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
