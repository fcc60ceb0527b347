/* SPDX-License-Identifier: BSD-3-Clause
 * The callers of a sample in a performance file: "2:4711 :815 ..." */
#ifndef HPM_STUDY_FILE_FILECALLERS_H
#define HPM_STUDY_FILE_FILECALLERS_H

#include "base/string.h"
#include "study/columns/study.h"

/* Read the text (NULL: no callers) with the modules of a task.  Returns NULL,
 * or the first word that is wrong where the text is not a chain.  `ret_is_full`
 * is set when there is no memory. */
const char *hpm_filecallers_read(struct hpm_study *study,
                                 const struct hpm_task *task, const char *text,
                                 uint32_t *ret_chain, bool *ret_is_full);

/* The number in the task's list of a module of the study; 0: not in the
 * list. */
uint64_t hpm_filecallers_module(const struct hpm_task *task, uint32_t module);

/* Append a chain's text. */
void hpm_filecallers_add(struct hpm_string *string,
                         const struct hpm_study *study,
                         const struct hpm_task *task, uint32_t chain);

#endif
