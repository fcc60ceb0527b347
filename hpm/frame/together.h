/* SPDX-License-Identifier: BSD-3-Clause
 * Several hpm that one launcher has started (mpiexec hpm merge ...) share the
 * reading and merging of the files.
 *
 * Each reads a part of the files, and they hand over along a tree, as the tasks
 * of a job do (mpi/jobtree.h), through files in a folder of the launcher's job
 * in the working directory, which all of them must see.  So hpm needs no MPI,
 * and starts under any launcher that tells each process its number. */
#ifndef HPM_TOGETHER_H
#define HPM_TOGETHER_H

#include "hpm/frame/inputs.h"

/* As inputs_merge, or inputs_summarise.  The first of several hpm gets the study of
 * all; in the others *ret_study is NULL with GOOD: they have nothing more to do. */
enum status together_merge(struct inputs *inputs, bool is_forced,
                           bool is_summary, struct hpm_study **ret_study);

#endif
