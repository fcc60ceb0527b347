/* SPDX-License-Identifier: BSD-3-Clause
 * A performance file as a study: our own files of any kind, and records as the
 * HPM Toolkit paper prints them (its Figure 3), with or without a root.
 *
 * A file packed by gzip is read as what is in it.
 *
 * A file cut off or damaged gives the records that are whole, in tasks marked
 * incomplete.  What cannot be understood in an otherwise good file (a number
 * that is none, a record that says the same as another) is left out or set
 * apart, and said.  Attributes and elements of newer files of this version are
 * passed over and counted.
 */
#ifndef HPM_STUDY_FILE_READER_H
#define HPM_STUDY_FILE_READER_H

#include "study/columns/study.h"
#include "study/file/notes.h"

/* What was met beside the study.  Start from {0}, end with
 * hpm_notes_free(&report.notes). */
struct hpm_reader_report {
    struct hpm_notes notes; /* none: the file is good */
    bool is_cut;            /* only the records before a place were read */
    size_t n_unknown;       /* elements and attributes passed over */
};

/* Read the regular file at `path`, which is taken as it is: "-" is a file of
 * that name.  The study takes at most `most_bytes` (0: no bound).  NULL when
 * nothing of it can be used: err says why, and where (file:line:column). */
struct hpm_study *hpm_reader_read(const char *path, size_t most_bytes,
                                  struct hpm_reader_report *report,
                                  struct hpm_error *err);

/* The same from an open descriptor of any kind, up to its end; `name` stands
 * for it in messages and as the source. */
struct hpm_study *hpm_reader_read_open(int fd, const char *name,
                                       size_t most_bytes,
                                       struct hpm_reader_report *report,
                                       struct hpm_error *err);

/* For a thread that reads many files: what is kept from one to the next, the
 * parser and the names it knows, is worth a tenth of the time a small file
 * takes.  One thread at a time; NULL when there is no memory. */
struct hpm_reader *hpm_reader_new(void);

/* NULL is fine. */
void hpm_reader_free(struct hpm_reader *reader);

/* As hpm_reader_read does, with the same result whatever was read before. */
struct hpm_study *hpm_reader_read_next(struct hpm_reader *reader,
                                       const char *path, size_t most_bytes,
                                       struct hpm_reader_report *report,
                                       struct hpm_error *err);

#endif
