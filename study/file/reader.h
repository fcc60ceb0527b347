/* SPDX-License-Identifier: BSD-3-Clause
 * A performance file as a study: our own files of any kind, and records as the
 * HPM Toolkit paper prints them (its Figure 3), with or without a root.
 *
 * Files packed by gzip are unpacked.
 *
 * A file that is cut off or damaged gives its complete records, in tasks marked
 * incomplete.  What cannot be understood in an otherwise good file is noted: a
 * number that is none is left out, a record with the same fields as another one
 * is set apart.  Unknown attributes and elements of newer files of this version
 * are ignored and counted.
 */
#ifndef HPM_STUDY_FILE_READER_H
#define HPM_STUDY_FILE_READER_H

#include "study/columns/study.h"
#include "study/file/notes.h"

/* What was found beside the study.  Start from {0}, end with
 * hpm_notes_free(&report.notes). */
struct hpm_reader_report {
    struct hpm_notes notes; /* empty: the file is good */
    bool is_cut;            /* only records before a certain place were read */
    size_t n_unknown;       /* elements and attributes ignored */
};

/* Read the regular file at `path`, which is used as it is: "-" is a file of
 * that name.  The study takes at most `most_bytes` (0: no bound).  NULL when
 * nothing of the file is usable: err gives the reason and the place
 * (file:line:column). */
struct hpm_study *hpm_reader_read(const char *path, size_t most_bytes,
                                  struct hpm_reader_report *report,
                                  struct hpm_error *err);

/* The same from an open descriptor of any kind, up to its end; `name` is used
 * in messages and as the source. */
struct hpm_study *hpm_reader_read_open(int fd, const char *name,
                                       size_t most_bytes,
                                       struct hpm_reader_report *report,
                                       struct hpm_error *err);

/* The same from `length` bytes of a text, not packed, without a descriptor. */
struct hpm_study *hpm_reader_read_text(const char *text, size_t length,
                                       const char *name, size_t most_bytes,
                                       struct hpm_reader_report *report,
                                       struct hpm_error *err);

/* A reader for a thread that reads many files: it keeps the parser and the
 * names known to it, which saves a tenth of the time for a small file.  One
 * thread at a time; NULL when there is no memory. */
struct hpm_reader *hpm_reader_new(void);

/* NULL is allowed. */
void hpm_reader_free(struct hpm_reader *reader);

/* As hpm_reader_read, with the same result whatever the reader read before. */
struct hpm_study *hpm_reader_read_next(struct hpm_reader *reader,
                                       const char *path, size_t most_bytes,
                                       struct hpm_reader_report *report,
                                       struct hpm_error *err);

#endif
