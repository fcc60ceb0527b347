/* SPDX-License-Identifier: BSD-3-Clause
 * A program without MPI, as Python is: it loads the module that is its argument,
 * for itself alone, and calls the module's function. */
#include <dlfcn.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void (*run)(void) = module != NULL ? dlsym(module, "run_module") : NULL;

    if (run == NULL) {
        fprintf(stderr, "loader: %s\n", dlerror());
        return 1;
    }
    run();
    return 0;
}
