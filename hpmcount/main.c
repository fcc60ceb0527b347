/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount: count a whole run of an unmodified program. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hpmcount/audit.h"
#include "hpmcount/launch.h"
#include "hpmcount/options.h"
#include "hpmcount/say.h"
#include "hpmcount/session.h"
#include "study/words/words.h"

/* The exit status: an error when the output could not be written. */
static int
end_printing(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return 0;
    say("cannot write to standard output: %s", strerror(errno));
    return OWN_FAILURE;
}

int
main(int argc, char **argv)
{
    struct options options;
    struct sources sources;
    struct hpm_error err;
    int status = 0, failure;

    hpm_words_begin();
    if (!options_parse(&options, argc, argv, &err)) {
        say("%s", err.text);
        return OWN_FAILURE;
    }
    switch (options.task) {
    case TASK_HELP:
        options_print_help();
        return end_printing();
    case TASK_VERSION:
        options_print_version();
        return end_printing();
    case TASK_LIST:
    case TASK_RUN:
        break;
    }
    if (options.is_audit) {
        audit_become(&options, &err);
        say("%s", err.text);
        return OWN_FAILURE;
    }
    if (!session_choose_sources(&sources, &err)) {
        say("%s", err.text);
        return OWN_FAILURE;
    }
    if (options.task == TASK_LIST)
        return session_list(&sources);
    failure = session_run(&options, &sources, &status);
    if (failure != 0)
        return failure;
    launch_end_like(status);
}
