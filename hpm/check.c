/* SPDX-License-Identifier: BSD-3-Clause
 * hpm check: are files of definitions right? */
#include "metric/check.h"

#include "hpm/subcommand.h"
#include "source/eventset.h"

static bool
is_event(const char *event, void *context)
{
    (void)context;
    return hpm_eventset_can_count(event, HPM_DOMAIN_USER,
                                  hpm_source_choose(NULL));
}

/* Appends what is wrong, or that nothing is. */
static bool
check(struct hpm_string *text, const char *path)
{
    size_t n_faults = 1, n_statements = 0;
    struct hpm_error err;

    if (!hpm_check_file(path, is_event, NULL, text, &n_faults, &n_statements,
                        &err))
        subcommand_say("check", err.text);
    else if (n_faults == 0)
        hpm_string_add_format(text, "%s: %zu statements, no fault\n", path,
                              n_statements);
    return n_faults == 0;
}

static enum status
run(int argc, char **argv)
{
    struct hpm_string text = {0};
    enum status status;
    int n_good = 0;

    if (argc < 2 || argv[1][0] == '-') {
        subcommand_say("check", "expected files of definitions; 'hpm help "
                                "check' says more");
        return USAGE;
    }
    for (int i = 1; i < argc; i++)
        n_good += check(&text, argv[i]);
    status =
        subcommand_print("check", &text, n_good == argc - 1 ? GOOD : SOME_BAD);
    hpm_string_free(&text);
    return status;
}

const struct subcommand subcommand_check = {
    .name = "check",
    .summary = "whether files of definitions are right",
    .help = "Usage: hpm check FILE...\n"
            "\n"
            "Read each file of definitions over the shipped ones, choose it "
            "for any machine\n"
            "and for each PMU it names, and print what is wrong, a line each, "
            "with file, line,\n"
            "column, word, and what was expected or meant.\n"
            "\n"
            "Exit status: 0 no fault, 1 faults, 2 wrong usage, 4 they cannot "
            "be written.\n",
    .run = run,
};
