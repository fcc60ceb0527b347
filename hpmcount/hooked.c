/* SPDX-License-Identifier: BSD-3-Clause
 * --functions, --library: can libraries be loaded into the program, and has it
 * hooks? */
#include "hpmcount/hooked.h"

#include <elf.h>

#include "base/mark.h"
#include "base/string.h"
#include "elf/elffile.h"
#include "study/probe/executable.h"
#include "study/probe/hooks.h"
#include "hpmcount/privilege.h"
#include "hpmcount/say.h"

static bool
can_load(const char *option, const char *word, const struct hpm_elffile *file,
         struct hpm_error *err)
{
    const char *gained;

    if (!hpm_elffile_has_part(file, PT_INTERP))
        return hpm_error_set(err,
                             "%s: '%s' is a static program, into "
                             "which no library can be loaded; link it with "
                             "shared libraries, or mark its sections by calls "
                             "of libhpm",
                             option, word);
    gained = privilege_of(word);
    if (gained != NULL)
        return hpm_error_set(err,
                             "%s: '%s' %s: the system loads no "
                             "library of a user into such a program; measure "
                             "a copy without privileges",
                             option, word, gained);
    return true;
}

static bool
check_program(const char *word, const struct hpm_elffile *file,
              struct hpm_error *err)
{
    if (!can_load("--functions", word, file, err))
        return false;
    if (!hpm_hooks_has(file))
        say("--functions: '%s' is not compiled with -finstrument-functions "
            "(gcc, g++, gfortran, clang) or -fxray-instrument (clang), so none "
            "of its own functions can be measured; compile it with that",
            word);
    return true;
}

bool
hooked_can_load(const char *option, const char *word, struct hpm_error *err)
{
    struct hpm_string path = {0};
    struct hpm_elffile file;
    bool is_good = true;

    if (hpm_executable_find(word, &path) &&
        hpm_elffile_open(&file, hpm_string_text(&path))) {
        is_good = can_load(option, word, &file, err);
        hpm_elffile_close(&file);
    }
    hpm_string_free(&path);
    return is_good;
}

bool
hooked_check(const char *word, struct hpm_error *err)
{
    struct hpm_string path = {0};
    struct hpm_elffile file;
    bool is_good = true;

    if (hpm_executable_find(word, &path) &&
        hpm_elffile_open(&file, hpm_string_text(&path))) {
        is_good = check_program(word, &file, err);
        hpm_elffile_close(&file);
    }
    hpm_string_free(&path);
    return is_good;
}
