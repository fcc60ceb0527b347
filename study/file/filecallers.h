/* SPDX-License-Identifier: BSD-3-Clause
 * The callers of a sample, as a file has them: "2:4711 :815 ..." */
#ifndef HPM_STUDY_FILE_FILECALLERS_H
#define HPM_STUDY_FILE_FILECALLERS_H

#include "base/string.h"
#include "study/columns/study.h"

/* Read them, with the modules of a task; NULL: there are none.  Where the text is none
 * of a chain it gives the word that is wrong, else NULL.  `ret_is_full` when there is
 * no memory. */
const char *hpm_filecallers_read(struct hpm_study *study,
                                 const struct hpm_task *task, const char *text,
                                 uint32_t *ret_chain, bool *ret_is_full);

/* The number of a module of the study in the task's list; 0: it is not there. */
uint64_t hpm_filecallers_module(const struct hpm_task *task, uint32_t module);

/* Append a chain's text. */
void hpm_filecallers_add(struct hpm_string *string,
                         const struct hpm_study *study,
                         const struct hpm_task *task, uint32_t chain);

#endif
