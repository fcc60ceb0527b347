/* SPDX-License-Identifier: BSD-3-Clause
 * The sections in a performance file: only what tests need, with an own reader,
 * so that no fault of the toolkit's reader hides one of the writer. */
#ifndef TESTS_RECORD_RECORDFILE_H
#define TESTS_RECORD_RECORDFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECORDFILE_MAX = 4096, RECORDFILE_MAX_DATA = 8 };

struct recordfile_datum {
    char name[64], state[16], reason[128];
    char value[32], exclusive[32], mean[32], sdev[32]; /* "": missing */
};

struct recordfile_record {
    int tid, id, parent, within; /* 0: none */
    int instance, line;
    char label[32], file[32];
    uint64_t outer, skipped; /* SIZE_MAX: missing */
    bool has_overlap, is_open, is_outside;
    size_t n_data;
    struct recordfile_datum data[RECORDFILE_MAX_DATA];
};

struct recordfile {
    uint64_t n_problems;
    char problems[2048]; /* their texts, a line each, as many as fit */
    size_t n;
    struct recordfile_record records[RECORDFILE_MAX];
};

/* False when the file is missing, or not complete. */
bool recordfile_read(struct recordfile *file, const char *path);

/* NULL: missing. */
const struct recordfile_datum *
recordfile_datum(const struct recordfile_record *record, const char *name);

#endif
