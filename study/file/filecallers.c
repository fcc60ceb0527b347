/* SPDX-License-Identifier: BSD-3-Clause
 * The callers of a sample in a performance file. */
#include "study/file/filecallers.h"

#include <string.h>

#include "study/columns/callers.h"

enum { MOST_CALLERS = 1024 };

/* ---- reading --------------------------------------------------------- */

/* Read the digits of a number; false where there are none, or too many. */
static bool
read_number(const char **text, uint64_t *ret_number)
{
    const char *c = *text;
    uint64_t number = 0;

    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');

        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = 10 * number + digit;
    }
    if (c == *text)
        return false;
    *text = c;
    *ret_number = number;
    return true;
}

/* Read one word, which ends at a blank or at the end of the text. */
static bool
read_word(const struct hpm_task *task, const char *word, size_t length,
          struct hpm_study_chain *chain)
{
    const char *end = word + length;
    uint64_t module = 0;

    if (length == 3 && memcmp(word, "...", 3) == 0) {
        chain->module = HPM_MODULE_CUT;
        return true;
    }
    chain->module = HPM_MODULE_UNKNOWN;
    if (*word != ':' && (!read_number(&word, &module) || module == 0))
        return false;
    if (module > 0 && module <= task->n_modules)
        chain->module = task->modules[module - 1];
    return *word++ == ':' && read_number(&word, &chain->offset) && word == end;
}

/* The end of the first n_most words, or of the text. */
static const char *
find_end(const char *text, unsigned n_most)
{
    for (; n_most > 0 && *text != '\0'; n_most--) {
        text += strcspn(text, " ");
        if (n_most > 1)
            text += *text == ' ';
    }
    return text;
}

/* The last word is the outermost caller, whose chain is needed first.  Words
 * beyond the longest chain of any kernel are dropped. */
const char *
hpm_filecallers_read(struct hpm_study *study, const struct hpm_task *task,
                     const char *text, uint32_t *ret_chain, bool *ret_is_full)
{
    const char *end = text != NULL ? find_end(text, MOST_CALLERS) : NULL;

    *ret_is_full = false;
    *ret_chain = 0;
    if (end > text && *end != '\0')
        *ret_chain = hpm_callers_add(
            study, &(struct hpm_study_chain){.module = HPM_MODULE_CUT});
    while (end > text) {
        struct hpm_study_chain chain = {.caller = *ret_chain};
        const char *word = end;

        while (word > text && word[-1] != ' ')
            word--;
        if (!read_word(task, word, (size_t)(end - word), &chain)) {
            *ret_chain = 0;
            return word;
        }
        *ret_chain = hpm_callers_add(study, &chain);
        if (*ret_chain == 0) {
            *ret_is_full = true;
            return NULL;
        }
        end = word > text ? word - 1 : text;
    }
    return NULL;
}

/* ---- writing --------------------------------------------------------- */

uint64_t
hpm_filecallers_module(const struct hpm_task *task, uint32_t module)
{
    for (size_t i = 0; i < task->n_modules; i++) {
        if (task->modules[i] == module)
            return i + 1;
    }
    return 0;
}

void
hpm_filecallers_add(struct hpm_string *string, const struct hpm_study *study,
                    const struct hpm_task *task, uint32_t number)
{
    const char *blank = "";

    for (; number != 0; number = study->chains[number - 1].caller) {
        const struct hpm_study_chain *chain = &study->chains[number - 1];
        uint64_t module = hpm_filecallers_module(task, chain->module);

        hpm_string_add(string, blank);
        if (module > 0)
            hpm_string_add_format(string, "%llu", (unsigned long long)module);
        if (chain->module == HPM_MODULE_CUT)
            hpm_string_add(string, "...");
        else
            hpm_string_add_format(string, ":%llu",
                                  (unsigned long long)chain->offset);
        blank = " ";
    }
}
