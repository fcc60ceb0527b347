/* SPDX-License-Identifier: BSD-3-Clause
 * Reading many performance files with several threads at once. */
#ifndef HPM_STUDY_FILE_COLLECT_H
#define HPM_STUDY_FILE_COLLECT_H

#include "study/file/reader.h"

/* The result of reading one file. */
struct hpm_collected {
    size_t i; /* index in the paths */
    const char *path;
    struct hpm_study *study; /* NULL where nothing of the file is usable */
    struct hpm_reader_report report;
    struct hpm_error err; /* why there is no study */
};

/* Called in the collecting thread, in the order of the paths.  The study now
 * belongs to the callee; the rest is freed when it returns.  False to stop
 * here. */
typedef bool hpm_collect_take(void *owner, struct hpm_collected *collected);

/* Read n files with `n_threads` threads (0: as many as there are processors to
 * run on, at most 8); each study takes at most `most_bytes` (0: no bound).  A
 * few studies at a time wait to be taken.  With any number of threads, even
 * where none can be started, the result and its order are the same. */
void hpm_collect(const char *const *paths, size_t n, int n_threads,
                 size_t most_bytes, hpm_collect_take *take, void *owner);

#endif
