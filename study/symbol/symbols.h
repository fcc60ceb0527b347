/* SPDX-License-Identifier: BSD-3-Clause
 * The names of places in programs: functions and source lines, as the files of the
 * modules have them.
 *
 * A module's functions are one sorted table, made when the first of its places is
 * looked up.  Lines come from its debug information, and are looked up for single
 * places.  Nothing is asked of another machine. */
#ifndef HPM_STUDY_SYMBOL_SYMBOLS_H
#define HPM_STUDY_SYMBOL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of a module. */
enum hpm_symbols_state {
    HPM_SYMBOLS_THERE,
    HPM_SYMBOLS_STRIPPED,     /* its file has no table of functions */
    HPM_SYMBOLS_CHANGED,      /* its file is another one now, by its build id */
    HPM_SYMBOLS_GONE,         /* its file is not there, or cannot be read */
    HPM_SYMBOLS_NO_FILE,      /* it was memory without a file */
    HPM_SYMBOLS_OTHER_KERNEL, /* another kernel runs here */
    HPM_SYMBOLS_HIDDEN,      /* this user may not know the kernel's addresses */
    HPM_SYMBOLS_UNSUPPORTED, /* this build cannot read files of programs */
};

struct hpm_symbols;

/* Of one module: its path, and its build id in hexadecimal or "".  Both must live
 * as long as it.  NULL when there is no memory. */
struct hpm_symbols *hpm_symbols_new(const char *path, const char *build_id);
void hpm_symbols_free(struct hpm_symbols *symbols);

enum hpm_symbols_state hpm_symbols_state(const struct hpm_symbols *symbols);

/* In words, for people: "its file is not there", and what to do. */
const char *hpm_symbols_explain(enum hpm_symbols_state state);

/* No function. */
#define HPM_SYMBOLS_NONE SIZE_MAX

/* The number of the function at that offset of the module's file. */
size_t hpm_symbols_find(const struct hpm_symbols *symbols, uint64_t offset);

/* Its name, as a person writes it. */
const char *hpm_symbols_name(struct hpm_symbols *symbols, size_t function);

/* The source line at an offset; false where there is no debug information of
 * it.  *ret_file lives as long as `symbols`. */
bool hpm_symbols_line(struct hpm_symbols *symbols, uint64_t offset,
                      const char **ret_file, int *ret_line);

#endif
