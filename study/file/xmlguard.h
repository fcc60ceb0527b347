/* SPDX-License-Identifier: BSD-3-Clause
 * A guard around the XML parser: whatever a file holds, reading it opens no
 * other file, asks no network, takes little memory and ends soon.
 *
 * Refused are document types (and so entities), processing instructions,
 * encodings other than UTF-8, elements deeper than 16 levels, tags of more than
 * 64 attributes or 64 KiB, more than 4096 different names.
 */
#ifndef HPM_STUDY_FILE_XMLGUARD_H
#define HPM_STUDY_FILE_XMLGUARD_H

#include <stdbool.h>

#include "base/error.h"

/* An attribute as it stands in the file, references resolved; the value is not
 * terminated.  One with a prefix is not the format's, whatever its name.  These
 * are the parser's own five pointers, for copying them all costs more than most
 * of what is done with them. */
struct hpm_xmlguard_attribute {
    const char *name;
    const char *prefix;     /* NULL mostly */
    const char *name_space; /* that the prefix stands for */
    const char *value;
    const char *end;
};

struct hpm_xmlguard;

/* What is told of a file, in its order.  One that begins with an element `bare`
 * (unless that is NULL) is read as though `root` were around all of it. */
struct hpm_xmlguard_listener {
    const char *bare, *root;
    void (*begin_element)(void *owner, struct hpm_xmlguard *guard,
                          const char *name,
                          const struct hpm_xmlguard_attribute *attributes,
                          int n_attributes);
    void (*end_element)(void *owner, struct hpm_xmlguard *guard);
};

/* Where in the file: lines and columns from 1, columns in characters. */
struct hpm_xmlguard_position {
    long line;
    long column;
};

/* A guard for one file after the other, by one thread at a time; NULL when
 * there is no memory. */
struct hpm_xmlguard *hpm_xmlguard_new(void);

/* NULL is fine. */
void hpm_xmlguard_free(struct hpm_xmlguard *guard);

/* Read the file open at `fd`, packed by gzip or not, which `name` stands for
 * in messages, to its end.  False when it is not well-formed, not within the
 * guard, cannot be read, or the listener has stopped it; err says why, with
 * file, line and column.  What was told before stays true. */
bool hpm_xmlguard_read(struct hpm_xmlguard *guard, int fd, const char *name,
                       const struct hpm_xmlguard_listener *listener,
                       void *owner, struct hpm_error *err);

/* May it read another file?  Names of elements and attributes then have the
 * addresses they had in those before: equal ones have one address.  Not after
 * a file that was not read to its end, nor when it has met many names. */
bool hpm_xmlguard_is_reusable(const struct hpm_xmlguard *guard);

/* Before the first of several threads reads: the parser sets itself up. */
void hpm_xmlguard_prepare(void);

/* Inside begin_element: where this piece of an attribute stands. */
struct hpm_xmlguard_position
hpm_xmlguard_locate(const struct hpm_xmlguard *guard, const char *piece);

/* Inside a call of the listener: stop here, for this reason (printf). */
void hpm_xmlguard_stop(struct hpm_xmlguard *guard, const char *piece,
                       const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
