/* SPDX-License-Identifier: BSD-3-Clause
 * Reading many performance files, by several threads at once. */
#ifndef HPM_STUDY_FILE_COLLECT_H
#define HPM_STUDY_FILE_COLLECT_H

#include "study/file/reader.h"

/* What became of a file. */
struct hpm_collected {
    size_t i; /* of the paths */
    const char *path;
    struct hpm_study *study; /* NULL where nothing of it can be used */
    struct hpm_reader_report report;
    struct hpm_error err; /* why there is no study */
};

/* Called in the thread that collects, in the order of the paths.  The study is
 * the callee's from now on; the rest is gone when it returns.  False to stop
 * here. */
typedef bool hpm_collect_take(void *owner, struct hpm_collected *collected);

/* Read n files by `n_threads` threads (0: as many as there are processors to
 * run on, at most 8); each study takes at most `most_bytes` (0: no bound).  A
 * few studies at a time wait to be taken.  However many threads there are,
 * and if none can be had, the same is taken in the same order. */
void hpm_collect(const char *const *paths, size_t n, int n_threads,
                 size_t most_bytes, hpm_collect_take *take, void *owner);

#endif
