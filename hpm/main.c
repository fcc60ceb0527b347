/* SPDX-License-Identifier: BSD-3-Clause
 * hpm: one program for all work before and after measuring; each task is a
 * subcommand. */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "hpm/frame/helptext.h"
#include "hpm/frame/machine.h"
#include "hpm/frame/subcommand.h"
#include "inquiry/definer.h"
#include "metric/language/definitions.h"
#include "study/words/words.h"

#define POINT_TO(name) &subcommand_##name,
static const struct subcommand *const subcommands[] = {
    SUBCOMMANDS(POINT_TO)
#ifdef HAVE_STUDY
        FILE_SUBCOMMANDS(POINT_TO)
#endif
};

enum { N_SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

static const struct subcommand *
find_subcommand(const char *name)
{
    for (size_t i = 0; i < N_SUBCOMMANDS; i++) {
        if (strcmp(subcommands[i]->name, name) == 0)
            return subcommands[i];
    }
    return NULL;
}

/* The subcommand that was probably meant; NULL where no name is near. */
static const struct subcommand *
find_nearest(const char *name)
{
    const struct subcommand *nearest = NULL;
    unsigned best = 3; /* with more edits it is not a typing error */

    for (size_t i = 0; i < N_SUBCOMMANDS; i++) {
        unsigned distance =
            hpm_string_distance(subcommands[i]->name, name, best);

        if (distance < best) {
            best = distance;
            nearest = subcommands[i];
        }
    }
    return nearest;
}

/* Is this the name of a subcommand that this build lacks? */
static bool
is_left_out(const char *name)
{
#define NAME(name) #name,
    static const char *const names[] = {FILE_SUBCOMMANDS(NAME)};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static enum status
refuse(const char *name)
{
    const struct subcommand *nearest = find_nearest(name);
    struct hpm_error err;

    if (is_left_out(name))
        hpm_error_set(&err,
                      "'%.40s' reads performance files, for which this hpm "
                      "lacks libxml2; install libxml2-dev and zlib1g-dev, and "
                      "build it again",
                      name);
    else if (nearest != NULL)
        hpm_error_set(&err, "'%.40s' is no subcommand; did you mean '%s'?",
                      name, nearest->name);
    else
        hpm_error_set(&err, "'%.40s' is no subcommand; 'hpm help' lists them",
                      name);
    return subcommand_fail("", &err, USAGE);
}

static void
add_overview(struct hpm_string *text)
{
    hpm_string_add(text, _("Usage: hpm SUBCOMMAND [options]\n"
                           "       hpm help [SUBCOMMAND]\n"
                           "       hpm --version\n"
                           "\n"
                           "Subcommands:\n"));
    for (size_t i = 0; i < N_SUBCOMMANDS; i++)
        hpm_string_add_format(text, "  %-10s %s\n", subcommands[i]->name,
                              _(subcommands[i]->summary));
    hpm_string_add_format(text, "  %-10s %s\n", "help",
                          _("this list, or what a subcommand does"));
    hpm_string_add(text, _("\n"
                           "Exit status: 0 good, 1 in part, 2 wrong usage, "
                           "3 nothing usable, 4 output\n"
                           "failed; 'hpm help SUBCOMMAND' and 'man "
                           "hpm-SUBCOMMAND' say more.\n"));
}

static enum status
help(const char *name)
{
    const struct subcommand *subcommand = NULL;
    struct hpm_string text = {0};

    if (name != NULL && strcmp(name, "help") != 0) {
        subcommand = find_subcommand(name);
        if (subcommand == NULL)
            return refuse(name);
    }
    if (subcommand != NULL)
        helptext_add(&text, subcommand->help);
    else
        add_overview(&text);
    return subcommand_print("", &text, GOOD);
}

static enum status
version(void)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, "hpm (" PACKAGE_NAME ") " PACKAGE_VERSION "\n");
    return subcommand_print("", &text, GOOD);
}

static bool
is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

int
main(int argc, char **argv)
{
    const struct subcommand *subcommand;

    hpm_definer_serve();
    hpm_words_begin();
    hpm_definitions_read_also("mpi");
    hpm_definitions_read_also("node");
    hpm_definitions_read_also("openmp");
    if (argc < 2) {
        subcommand_say("", "no subcommand; 'hpm help' lists them");
        return USAGE;
    }
    if (is_one_of(argv[1], "--version", "-V"))
        return version();
    if (is_one_of(argv[1], "--help", "-h"))
        return help(NULL);
    if (strcmp(argv[1], "help") == 0)
        return help(argv[2]);
    subcommand = find_subcommand(argv[1]);
    if (subcommand == NULL)
        return refuse(argv[1]);
    if (argc == 3 && is_one_of(argv[2], "--help", "-h"))
        return help(argv[1]);
    machine_check_models(argv[1]);
    return subcommand->run(argc - 1, argv + 1);
}
