/* SPDX-License-Identifier: BSD-3-Clause
 * The names of places in programs: functions and source lines, from the
 * modules' files.
 *
 * A module's functions are one sorted table, made at the first look-up.  Lines
 * come from the module's debug information, and are looked up one by one.  No
 * other machine is asked. */
#ifndef HPM_STUDY_SYMBOL_SYMBOLS_H
#define HPM_STUDY_SYMBOL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a module's names. */
enum hpm_symbols_state {
    HPM_SYMBOLS_THERE,
    HPM_SYMBOLS_STRIPPED,     /* the file has no table of functions */
    HPM_SYMBOLS_CHANGED,      /* the file is a different one, by its build id */
    HPM_SYMBOLS_GONE,         /* the file does not exist or cannot be read */
    HPM_SYMBOLS_NO_FILE,      /* memory without a file */
    HPM_SYMBOLS_OTHER_KERNEL, /* a different kernel runs here */
    HPM_SYMBOLS_HIDDEN,       /* this user may not see kernel addresses */
    HPM_SYMBOLS_UNSUPPORTED,  /* this build cannot read program files */
};

struct hpm_symbols;

/* The symbols of one module: its path, and its build id in hexadecimal or "".
 * Both texts must live longer than the result.  NULL when there is no
 * memory. */
struct hpm_symbols *hpm_symbols_new(const char *path, const char *build_id);
void hpm_symbols_free(struct hpm_symbols *symbols);

enum hpm_symbols_state hpm_symbols_state(const struct hpm_symbols *symbols);

/* The state in words, for people: "its file is not there", and what to do. */
const char *hpm_symbols_explain(enum hpm_symbols_state state);

/* No function. */
#define HPM_SYMBOLS_NONE SIZE_MAX

/* The number of the function at this offset of the module's file. */
size_t hpm_symbols_find(const struct hpm_symbols *symbols, uint64_t offset);

/* The function's name, as people write it. */
const char *hpm_symbols_name(struct hpm_symbols *symbols, size_t function);

/* The source line at an offset; false where there is no debug information for
 * it.  *ret_file lives as long as `symbols`. */
bool hpm_symbols_line(struct hpm_symbols *symbols, uint64_t offset,
                      const char **ret_file, int *ret_line);

#endif
