/* SPDX-License-Identifier: BSD-3-Clause
 * Loads the plug-ins that its arguments name, each of which brings a library for
 * itself alone, calls them, unloads them, and does it again. */
#include <dlfcn.h>
#include <stdio.h>

typedef int call(int n);

int
main(int n, char **words)
{
    for (int i = 1; i < 3 * n; i++) {
        void *opened = dlopen(words[i % n], RTLD_NOW | RTLD_LOCAL);
        call *plugin;

        if (i % n == 0)
            continue;
        plugin = opened != NULL ? (call *)dlsym(opened, "plugin_call") : NULL;
        if (plugin == NULL || plugin(20) != 22 || dlerror() != NULL)
            return 1;
        dlclose(opened);
    }
    printf("demo_add %d\n", 3 * (n - 1));
    return 3;
}
