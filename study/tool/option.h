/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a program's options: a table says what each takes, and where it is
 * stored. */
#ifndef HPM_STUDY_TOOL_OPTION_H
#define HPM_STUDY_TOOL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum hpm_option_kind {
    HPM_OPTION_IS_FLAG,   /* takes no value; a bool becomes true */
    HPM_OPTION_IS_CHOICE, /* takes no value; an unsigned gets `value` */
    HPM_OPTION_IS_WORD,   /* any value that passes `check`, unchanged */
    HPM_OPTION_IS_NAME,   /* one of `names`; an unsigned gets its index */
    HPM_OPTION_IS_NUMBER, /* a whole number, from `least` to `most` */
    HPM_OPTION_IS_SIZE,   /* bytes: 500M, 2G */
    HPM_OPTION_IS_READ,   /* a value that `read` understands */
    HPM_OPTION_IS_FREE,   /* such a value after "=", or none: NULL */
};

struct hpm_option {
    int letter; /* -x; 0: none */
    const char *name;
    enum hpm_option_kind kind;
    size_t at; /* offset of the member that is set */
    unsigned value;
    const char *const *names; /* ends in NULL */
    uint64_t least, most;
    bool (*read)(void *options, const char *word, struct hpm_error *err);
    bool (*check)(const char *word, struct hpm_error *err); /* NULL: any */
    /* for help made of the table: the name of the value; a new heading from
     * this option on, or NULL: the same; lines of text */
    const char *argument, *group, *help;
};

/* Initializers for the members that say what an option takes; `member` of the
 * struct `type` must have the type named above. */
#define HPM_OPTION_AT(kind_, type, member, ctype)                              \
    .kind = HPM_OPTION_IS_##kind_,                                             \
    .at = _Generic(((type *)NULL)->member, ctype                               \
                   : offsetof(type, member))
#define HPM_OPTION_FLAG(type, member) HPM_OPTION_AT(FLAG, type, member, bool)
#define HPM_OPTION_CHOICE(type, member, value_)                                \
    HPM_OPTION_AT(CHOICE, type, member, unsigned), .value = (value_)
#define HPM_OPTION_WORD(type, member)                                          \
    HPM_OPTION_AT(WORD, type, member, const char *)
#define HPM_OPTION_CHECKED(type, member, check_)                               \
    HPM_OPTION_WORD(type, member), .check = (check_)
#define HPM_OPTION_NAME(type, member, names_)                                  \
    HPM_OPTION_AT(NAME, type, member, unsigned), .names = (names_)
#define HPM_OPTION_NUMBER(type, member, least_, most_)                         \
    HPM_OPTION_AT(NUMBER, type, member, uint64_t), .least = (least_),          \
                                                   .most = (most_)
#define HPM_OPTION_SIZE(type, member) HPM_OPTION_AT(SIZE, type, member, size_t)
#define HPM_OPTION_READ(read_) .kind = HPM_OPTION_IS_READ, .read = (read_)
#define HPM_OPTION_FREE(read_) .kind = HPM_OPTION_IS_FREE, .read = (read_)

/* Must the option have a value?  For the help of a program. */
bool hpm_option_has_value(const struct hpm_option *option);

/* The largest number of options in one table. */
enum { HPM_MAX_OPTIONS = 48 };

/* Read a command line by a table of n options, and fill the struct `options`;
 * optind is then the index of the first word that is not an option.  With
 * `is_strict` options end at the first such word: the rest belongs to another
 * program.  False when an option is unknown or its value wrong; `command` is
 * what the user typed, "hpm report". */
bool hpm_options_read(const char *command, const struct hpm_option *table,
                      size_t n, bool is_strict, int argc, char **argv,
                      void *options, struct hpm_error *err);

#endif
