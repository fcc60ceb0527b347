/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a program's options. */
#include "study/tool/option.h"

#include <getopt.h>
#include <string.h>

#include "base/string.h"

/* getopt's code for an option without a letter: this plus its index in the
 * table. */
enum { NO_LETTER = 256 };

bool
hpm_option_has_value(const struct hpm_option *option)
{
    return option->kind != HPM_OPTION_IS_FLAG &&
           option->kind != HPM_OPTION_IS_CHOICE &&
           option->kind != HPM_OPTION_IS_FREE;
}

static int
argument_of(const struct hpm_option *option)
{
    if (option->kind == HPM_OPTION_IS_FREE)
        return optional_argument;
    return hpm_option_has_value(option) ? required_argument : no_argument;
}

static int
code_of(const struct hpm_option *table, size_t i)
{
    return table[i].letter != 0 ? table[i].letter : NO_LETTER + (int)i;
}

/* Convert the table for getopt.  "+": options end at the first other word; ":":
 * a missing value has its own code. */
static void
prepare_getopt(const struct hpm_option *table, size_t n, bool is_strict,
               struct option *ret_long, char *ret_short)
{
    if (is_strict)
        *ret_short++ = '+';
    *ret_short++ = ':';
    for (size_t i = 0; i < n; i++) {
        ret_long[i] = (struct option){.name = table[i].name,
                                      .has_arg = argument_of(&table[i]),
                                      .val = code_of(table, i)};
        if (table[i].letter == 0)
            continue;
        *ret_short++ = (char)table[i].letter;
        if (hpm_option_has_value(&table[i]))
            *ret_short++ = ':';
    }
    ret_long[n] = (struct option){0};
    *ret_short = '\0';
}

/* List the options that begin with the word up to its "=": "--per-thread or
 * --per-core"; returns their number. */
static size_t
list_beginnings(const struct hpm_option *table, size_t n, const char *word,
                struct hpm_string *ret_list)
{
    size_t length = strcspn(word, "="), n_found = 0;

    for (size_t i = 0; i < n; i++) {
        if (strncmp(table[i].name, word, length) == 0)
            hpm_string_add_format(ret_list, "%s--%s",
                                  n_found++ > 0 ? " or " : "", table[i].name);
    }
    return n_found;
}

/* The option that is probably meant, with few letters changed; or NULL.  All
 * after the word's "=" is a value. */
static const char *
find_meant(const struct hpm_option *table, size_t n, const char *word)
{
    size_t length = strcspn(word, "=");
    unsigned least = length < 5 ? 2 : 3;
    const char *found = NULL;
    struct hpm_string name = {0};

    hpm_string_add_bytes(&name, word, length);
    for (size_t i = 0; i < n; i++) {
        unsigned distance =
            hpm_string_distance(hpm_string_text(&name), table[i].name, least);

        if (distance < least) {
            least = distance;
            found = table[i].name;
        }
    }
    hpm_string_free(&name);
    return found;
}

static bool
refuse_long(const char *command, const struct hpm_option *table, size_t n,
            const char *word, struct hpm_error *err)
{
    struct hpm_string list = {0};
    const char *name = strncmp(word, "--", 2) == 0 ? word + 2 : word;
    const char *meant = find_meant(table, n, name);

    if (list_beginnings(table, n, name, &list) > 1)
        hpm_error_set(err,
                      "option '%.40s' is ambiguous; expected %s, try '%s "
                      "--help'",
                      word, hpm_string_text(&list), command);
    else if (meant != NULL)
        hpm_error_set(err,
                      "option '%.40s' is unknown; did you mean '--%s'? "
                      "'%s --help' lists all",
                      word, meant, command);
    else
        hpm_error_set(err, "option '%.40s' is unknown; try '%s --help'", word,
                      command);
    hpm_string_free(&list);
    return false;
}

/* The option that getopt knows but refuses because of its value, "--list=x"; or
 * NULL. */
static const struct hpm_option *
find_valued(const struct hpm_option *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (optopt == code_of(table, i))
            return &table[i];
    }
    return NULL;
}

/* Report the wrong word, and how to get help. */
static bool
refuse(const char *command, const struct hpm_option *table, size_t n, int argc,
       char **argv, bool lacks_argument, struct hpm_error *err)
{
    const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";
    const struct hpm_option *valued = find_valued(table, n);

    if (lacks_argument)
        return hpm_error_set(err, "option '%s' needs a value; try '%s --help'",
                             word, command);
    if (valued != NULL)
        return hpm_error_set(err,
                             "option '--%s' takes no value; try '%s --help'",
                             valued->name, command);
    if (optopt != 0 && optopt < NO_LETTER)
        return hpm_error_set(err, "option '-%c' is unknown; try '%s --help'",
                             optopt, command);
    return refuse_long(command, table, n, word, err);
}

/* ---- values ---------------------------------------------------------- */

static bool
take_name(const struct hpm_option *option, const char *word,
          unsigned *ret_place, struct hpm_error *err)
{
    const char *const *names = option->names;
    struct hpm_string list = {0};

    for (unsigned i = 0; names[i] != NULL; i++) {
        if (strcmp(word, names[i]) == 0) {
            *ret_place = i;
            return true;
        }
    }
    for (size_t i = 0; names[i] != NULL; i++)
        hpm_string_add_format(&list, "%s%s",
                              i == 0                 ? ""
                              : names[i + 1] == NULL ? " or "
                                                     : ", ",
                              names[i]);
    hpm_error_set(err, "--%s '%.40s' is unknown; expected %s", option->name,
                  word, hpm_string_text(&list));
    hpm_string_free(&list);
    return false;
}

/* The unit of a number, where its name in the usage is a unit. */
static const char *
unit_of(const struct hpm_option *option)
{
    return option->argument != NULL && strcmp(option->argument, "MS") == 0
               ? " of milliseconds"
               : "";
}

static bool
take_number(const struct hpm_option *option, const char *word,
            uint64_t *ret_number, struct hpm_error *err)
{
    uint64_t number;

    if (!hpm_string_to_count(word, &number) || number < option->least ||
        number > option->most)
        return hpm_error_set(err,
                             "--%s '%.40s': expected a whole number%s from "
                             "%llu to %llu",
                             option->name, word, unit_of(option),
                             (unsigned long long)option->least,
                             (unsigned long long)option->most);
    *ret_number = number;
    return true;
}

/* Read 500M, 2G; a plain number is in bytes. */
static bool
take_size(const struct hpm_option *option, const char *word, size_t *ret_bytes,
          struct hpm_error *err)
{
    static const char units[] = "kMGT";
    size_t length = strlen(word);
    char last = length > 0 ? word[length - 1] : '\0';
    const char *unit = strchr(units, last == 'K' ? 'k' : last);
    int shift = last != '\0' && unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    struct hpm_string digits = {0};
    uint64_t number = 0;
    bool is_good;

    hpm_string_add_bytes(&digits, word, length - (shift > 0));
    is_good = hpm_string_to_count(hpm_string_text(&digits), &number) &&
              number > 0 && number <= SIZE_MAX >> shift;
    hpm_string_free(&digits);
    *ret_bytes = (size_t)number << shift;
    return is_good || hpm_error_set(err,
                                    "--%s '%.40s': expected a size, such as "
                                    "500M or 2G",
                                    option->name, word);
}

static bool
take(const struct hpm_option *option, void *options, struct hpm_error *err)
{
    void *member = (char *)options + option->at;

    switch (option->kind) {
    case HPM_OPTION_IS_FLAG:
        return *(bool *)member = true;
    case HPM_OPTION_IS_CHOICE:
        *(unsigned *)member = option->value;
        return true;
    case HPM_OPTION_IS_WORD:
        *(const char **)member = optarg;
        return option->check == NULL || option->check(optarg, err);
    case HPM_OPTION_IS_NAME:
        return take_name(option, optarg, member, err);
    case HPM_OPTION_IS_NUMBER:
        return take_number(option, optarg, member, err);
    case HPM_OPTION_IS_SIZE:
        return take_size(option, optarg, member, err);
    default:
        return option->read(options, optarg, err);
    }
}

/* ---- the whole command line ------------------------------------------ */

bool
hpm_options_read(const char *command, const struct hpm_option *table, size_t n,
                 bool is_strict, int argc, char **argv, void *options,
                 struct hpm_error *err)
{
    struct option long_options[HPM_MAX_OPTIONS + 1];
    char short_options[2 * HPM_MAX_OPTIONS + 3];
    int code, at;

    prepare_getopt(table, n, is_strict, long_options, short_options);
    opterr = 0;
    optind = 0; /* getopt may have read another line before */
    while ((code = getopt_long(argc, argv, short_options, long_options,
                               NULL)) != -1) {
        if (code == '?' || code == ':')
            return refuse(command, table, n, argc, argv, code == ':', err);
        for (at = 0; long_options[at].val != code; at++)
            ;
        if (!take(&table[at], options, err))
            return false;
    }
    return true;
}
