/* SPDX-License-Identifier: BSD-3-Clause
 * Why the places of a module have no names. */
#include "study/symbol/symbols.h"

#include "base/mark.h"

const char *
hpm_symbols_explain(enum hpm_symbols_state state)
{
    static const char *const texts[] = {
        [HPM_SYMBOLS_THERE] = "",
        [HPM_SYMBOLS_STRIPPED] = N_(
            "its file has no names of functions; install its debug package, or "
            "build it without stripping it"),
        [HPM_SYMBOLS_CHANGED] =
            N_("its file was changed since the run (another build id); run the "
               "program again, or put the old file back"),
        [HPM_SYMBOLS_GONE] = N_(
            "its file is not there; make the report where the program ran, or "
            "put the file back"),
        [HPM_SYMBOLS_NO_FILE] = N_("it was memory without a file"),
        [HPM_SYMBOLS_OTHER_KERNEL] = N_(
            "another kernel runs here; make the report where the program ran"),
        [HPM_SYMBOLS_HIDDEN] =
            N_("this user may not know the kernel's addresses; as root "
               "kernel.kptr_restrict=0 shows them"),
        [HPM_SYMBOLS_UNSUPPORTED] = N_(
            "this hpm was built without elfutils; install libdw-dev, and build "
            "it again"),
    };

    return texts[state];
}
