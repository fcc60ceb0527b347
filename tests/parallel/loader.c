/* SPDX-License-Identifier: BSD-3-Clause
 * A program without MPI, as Python is: it loads the modules that are its arguments,
 * each for itself alone, and calls their functions. */
#include <dlfcn.h>
#include <stdio.h>

static int
run(const char *file)
{
    void *module = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void (*run_module)(void) =
        module != NULL ? dlsym(module, "run_module") : NULL;

    if (run_module == NULL) {
        fprintf(stderr, "loader: %s\n", dlerror());
        return 1;
    }
    run_module();
    return 0;
}

int
main(int argc, char **argv)
{
    int status = argc > 1 ? 0 : 1;

    for (int i = 1; i < argc && status == 0; i++)
        status = run(argv[i]);
    return status;
}
