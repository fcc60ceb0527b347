/* SPDX-License-Identifier: BSD-3-Clause
 * What a performance file says of its sections: no more than tests need, read by
 * itself, so that no fault of the toolkit's reader hides one of the writer. */
#ifndef TESTS_RECORD_RECORDFILE_H
#define TESTS_RECORD_RECORDFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RECORDFILE_MAX = 4096, RECORDFILE_MAX_DATA = 8 };

struct recordfile_datum {
    char name[64], state[16], reason[128];
    char value[32], exclusive[32], mean[32], sdev[32]; /* "": is not there */
};

struct recordfile_record {
    int tid, id, parent, within; /* 0: none */
    int instance, line;
    char label[32], file[32];
    uint64_t outer, skipped; /* SIZE_MAX: is not there */
    bool has_overlap, is_open, is_outside;
    size_t n_data;
    struct recordfile_datum data[RECORDFILE_MAX_DATA];
};

struct recordfile {
    uint64_t n_problems;
    char problems[2048]; /* their texts, a line each, as far as there is room */
    size_t n;
    struct recordfile_record records[RECORDFILE_MAX];
};

/* False when it is not there, or not whole. */
bool recordfile_read(struct recordfile *file, const char *path);

/* NULL: is not there. */
const struct recordfile_datum *
recordfile_datum(const struct recordfile_record *record, const char *name);

#endif
