/* SPDX-License-Identifier: BSD-3-Clause
 * What a program does with the dynamic linker while functions are called for the first
 * time: loads WAY PLUGIN. */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "counted.h"

static atomic_int is_walking;

/* With the name of a C++ function, in a program without a C++ run time. */
APART static void said(void) __asm__("_Z4saidv");

APART static void
said(void)
{
    const char *message = dlerror();

    puts(message != NULL ? message : "no message");
}

APART static void
fresh(void)
{
    called("fresh");
}

/* The C library's lock is held here. */
static UNSEEN int
visit(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)info, (void)size, (void)context;
    atomic_store(&is_walking, 1);
    usleep(200000);
    fresh();
    return 1;
}

static UNSEEN void *
walk(void *ignored)
{
    dl_iterate_phdr(visit, NULL);
    return ignored;
}

static UNSEEN void
call_meanwhile(void *plugin)
{
    void (*function)(void);
    pthread_t thread;

    *(void **)&function = dlsym(plugin, "run");
    pthread_create(&thread, NULL, walk, NULL);
    while (!atomic_load(&is_walking))
        usleep(1000);
    function();
    pthread_join(thread, NULL);
}

int
main(int argc, char **argv)
{
    void *plugin;

    alarm(300);
    if (argc != 3)
        return 2;
    plugin = dlopen(argv[2], RTLD_NOW);
    if (strcmp(argv[1], "message") == 0)
        said();
    else if (strcmp(argv[1], "walks") == 0)
        call_meanwhile(plugin);
    print_counted();
    return 3;
}
