/* SPDX-License-Identifier: BSD-3-Clause
 * A section for each argument, labelled with it, byte for byte. */
#include <libhpm.h>

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        hpmTstart(i, argv[i]);
        hpmTstop(i);
    }
    return 0;
}
