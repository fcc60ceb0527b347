/* SPDX-License-Identifier: BSD-3-Clause
 * hpm report, or hpm import-definitions, with lack of memory:
 *     lackingmemory N [once] SUBCOMMAND ARGUMENT...
 * The N-th allocation fails, and each one after it unless `once` is given. */
#include <stdlib.h>
#include <string.h>

#include "hpm/frame/subcommand.h"
#include "host/memory.h"
#include "metric/language/definitions.h"

int
main(int argc, char **argv)
{
    bool is_once = argc > 2 && strcmp(argv[2], "once") == 0;
    int first = is_once ? 3 : 2;

    if (argc <= first)
        return USAGE;
    hpm_definitions_read_also("mpi");
    hpm_definitions_read_also("node");
    hpm_definitions_read_also("openmp");
    hpm_memory_fail_at(strtoul(argv[1], NULL, 10), !is_once);
    return (int)(strcmp(argv[first], subcommand_report.name) == 0
                     ? subcommand_report.run(argc - first, argv + first)
                     : subcommand_import_definitions.run(argc - first,
                                                         argv + first));
}
