/* SPDX-License-Identifier: BSD-3-Clause
 * The options of a program: a table says what each takes, and where that goes. */
#ifndef HPM_STUDY_TOOL_OPTION_H
#define HPM_STUDY_TOOL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum hpm_option_kind {
    HPM_OPTION_IS_FLAG,   /* takes no value; a bool becomes true */
    HPM_OPTION_IS_CHOICE, /* takes no value; an unsigned becomes `value` */
    HPM_OPTION_IS_WORD,   /* any value that passes `check`, as it stands */
    HPM_OPTION_IS_NAME,   /* one of `names`; an unsigned becomes its place */
    HPM_OPTION_IS_NUMBER, /* a whole number, from `least` to `most` */
    HPM_OPTION_IS_SIZE,   /* bytes: 500M, 2G */
    HPM_OPTION_IS_READ,   /* what `read` makes of it */
};

struct hpm_option {
    int letter; /* -x; 0: none */
    const char *name;
    enum hpm_option_kind kind;
    size_t at; /* the member of the struct that is filled */
    unsigned value;
    const char *const *names; /* NULL-ended */
    uint64_t least, most;
    bool (*read)(void *options, const char *word, struct hpm_error *err);
    bool (*check)(const char *word, struct hpm_error *err); /* NULL: any */
    /* for a program whose help is made of its table: what stands for the value
     * there; the heading from here on, or NULL: the same; lines of text */
    const char *argument, *group, *help;
};

/* The members that say what an option takes; `member`, of the struct `type`, must
 * be of the type named above. */
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

/* For the help of a program. */
bool hpm_option_has_value(const struct hpm_option *option);

/* At most so many options are in one table. */
enum { HPM_MAX_OPTIONS = 48 };

/* Read a command line by a table of n, and fill the struct `options`; optind is
 * then the first word that is no option.  With `is_strict` the options end at the
 * first such word: what follows is another program's.  False when an option is
 * unknown or its value wrong; `command` is what the user typed, "hpm report". */
bool hpm_options_read(const char *command, const struct hpm_option *table,
                      size_t n, bool is_strict, int argc, char **argv,
                      void *options, struct hpm_error *err);

#endif
