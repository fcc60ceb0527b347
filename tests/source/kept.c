/* SPDX-License-Identifier: BSD-3-Clause
 * Facts about this machine that hpm doctor has kept in a file. */
#include "source/machine/kept.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tap.h"

static struct utsname machine;
static char folder[256];

/* Is the path this folder's? */
static void
is_path(const char *expected, const char *sentence)
{
    struct hpm_string path = {0};
    char whole[512];

    snprintf(whole, sizeof whole, "%s/%s.machine", expected, machine.nodename);
    ok(hpm_kept_add_path(&path), sentence);
    is_text(hpm_string_text(&path), whole, sentence);
    hpm_string_free(&path);
}

static void
test_path(void)
{
    struct hpm_string path = {0};

    unsetenv("HPM_MACHINE");
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", "/home/me", 1);
    is_path("/home/me/.local/state/hpm-toolkit", "in the user's home");
    setenv("XDG_STATE_HOME", "state", 1);
    is_path("/home/me/.local/state/hpm-toolkit",
            "a folder for states without its whole path is none");
    setenv("XDG_STATE_HOME", "/state", 1);
    is_path("/state/hpm-toolkit", "in the user's folder for states");
    setenv("HPM_MACHINE", "/mine", 1);
    is_path("/mine", "in the folder that the user has named");
    unsetenv("HPM_MACHINE");
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", "me", 1);
    ok(!hpm_kept_add_path(&path), "a home without its whole path is none");
    unsetenv("HOME");
    ok(!hpm_kept_add_path(&path), "without a home there is no folder");
    hpm_string_free(&path);
}

/* The facts of a file with this processor and these lines. */
static void
is_facts(const char *processor, const char *lines, const char *expected,
         const char *sentence)
{
    struct hpm_string path = {0}, facts = {0};
    FILE *file;

    hpm_kept_add_path(&path);
    file = fopen(hpm_string_text(&path), "w");
    if (file == NULL)
        abort();
    fprintf(file, "%s\n%s", processor, lines);
    fclose(file);
    hpm_kept_add_facts(&facts);
    is_text(hpm_string_text(&facts), expected, sentence);
    remove(hpm_string_text(&path));
    hpm_string_free(&facts);
    hpm_string_free(&path);
}

static void
test_facts(void)
{
    struct hpm_string ours = {0}, longer = {0}, none = {0};
    const char *own;

    setenv("HPM_MACHINE", folder, 1);
    hpm_kept_add_processor(&ours);
    own = hpm_string_text(&ours);
    hpm_kept_add_processor(&longer);
    hpm_string_add(&longer, "x");
    is_facts(own, "fact A\nnote\nfact B since May\nfact C", " A B C",
             "each fact's first word, from the first line on");
    is_facts(own, "note of a fact D\nfacts\n", "", "other lines are none");
    is_facts(own, "", "", "a file without facts");
    is_facts("processor another", "fact A\n", "", "those of another processor");
    is_facts(hpm_string_text(&longer), "fact A\n", "",
             "or of one whose name begins as this one's");
    hpm_kept_add_facts(&none);
    is_text(hpm_string_text(&none), "", "no facts without a file");
    hpm_string_free(&ours);
    hpm_string_free(&longer);
    hpm_string_free(&none);
}

int
main(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/keptXXXXXX",
             parent != NULL ? parent : "/tmp");
    if (uname(&machine) != 0 || mkdtemp(folder) == NULL)
        abort();
    test_path();
    test_facts();
    rmdir(folder);
    return done();
}
