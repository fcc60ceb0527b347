/* SPDX-License-Identifier: BSD-3-Clause
 * A program without libhpm, to be sampled from outside: its arguments are steps
 * that it does one after the other, each in a function of its own.
 *
 *     unchanged PLUGIN WORD...
 *
 *     main       in_program
 *     plugin     in_plugin of tests/programs/unchangedplugin, loaded now
 *     thread     in_thread, in a thread
 *     fork       in_fork, in a child
 *     exec       the program again, in a child, which does in_exec
 *     jit        code that is made now, with a perf-PID.map
 *     vdso       clock_gettime
 *     read       read /dev/zero: the kernel's */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "worked.h"

static volatile double sink;

/* Work of WORK_NS of its thread's processor time, on a machine of any speed, so that
 * a period of cpu-clock has the same number of samples in each of these functions.
 * Where another virtual machine takes the processor, the clock goes on without
 * samples, but for one at the end: such a gap counts as GAP_NS, about a period.  The
 * name in the assembly prevents compilers from merging all functions. */
#define WORK(name)                                                             \
    static __attribute__((noinline)) void name(void)                           \
    {                                                                          \
        double sum = 0.0;                                                      \
                                                                               \
        for (struct worked worked = begin_work(); goes_on(&worked);) {         \
            for (long i = 0; i < WORK_ROUNDS; i++) {                           \
                sum += (double)i;                                              \
                __asm__ volatile("# " #name : "+r"(i));                        \
            }                                                                  \
        }                                                                      \
        sink = sum;                                                            \
    }

WORK(in_program)
WORK(in_thread)
WORK(in_fork)
WORK(in_exec)

static void *
work(void *context)
{
    in_thread();
    return context;
}

static int
wait_for(pid_t child)
{
    int status = 1;

    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int
load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    void (*function)(void) = NULL;

    if (library != NULL)
        *(void **)&function = dlsym(library, "in_plugin");
    if (function == NULL)
        return 1;
    function();
    return dlclose(library);
}

/* mov ecx, 300000000; dec ecx; jnz back; ret */
static int
compile(void)
{
#ifdef __x86_64__
    static const unsigned char code[] = {0xb9, 0x00, 0xa3, 0xe1, 0x11,
                                         0xff, 0xc9, 0x75, 0xfc, 0xc3};
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*function)(void) = NULL;
    char path[64];
    FILE *file;

    if (memory == MAP_FAILED)
        return 1;
    memcpy(memory, code, sizeof code);
    mprotect(memory, 4096, PROT_READ | PROT_EXEC);
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    file = fopen(path, "w");
    if (file == NULL)
        return 1;
    fprintf(file, "%llx %zx made now\n", (unsigned long long)(size_t)memory,
            sizeof code);
    fclose(file);
    *(void **)&function = memory;
    function();
#endif
    return 0;
}

static int
ask_time(void)
{
    struct timespec time = {0};

    for (long i = 0; i < 3000000; i++)
        clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec < 0;
}

static int
read_zeros(void)
{
    static char bytes[1 << 20];
    int fd = open("/dev/zero", O_RDONLY);

    for (int i = 0; fd >= 0 && i < 2000; i++) {
        if (read(fd, bytes, sizeof bytes) != (ssize_t)sizeof bytes)
            return 1;
    }
    return fd < 0;
}

static int
run_child(const char *self, const char *plugin, const char *word)
{
    pid_t child = fork();

    if (child == 0) {
        if (strcmp(word, "fork") == 0) {
            in_fork();
            _exit(0);
        }
        execl(self, self, plugin, "exec-last", (char *)NULL);
        _exit(1);
    }
    return wait_for(child) != (strcmp(word, "fork") == 0 ? 0 : 7);
}

static int
act(const char *self, const char *plugin, const char *word)
{
    pthread_t thread;

    if (strcmp(word, "plugin") == 0)
        return load(plugin);
    if (strcmp(word, "thread") == 0)
        return pthread_create(&thread, NULL, work, NULL) != 0 ||
               pthread_join(thread, NULL) != 0;
    if (strcmp(word, "fork") == 0 || strcmp(word, "exec") == 0)
        return run_child(self, plugin, word);
    if (strcmp(word, "jit") == 0)
        return compile();
    if (strcmp(word, "vdso") == 0)
        return ask_time();
    if (strcmp(word, "read") == 0)
        return read_zeros();
    if (strcmp(word, "exec-last") == 0)
        in_exec();
    else
        in_program();
    return 0;
}

int
main(int argc, char **argv)
{
    int n_failed = 0;

    for (int i = 2; i < argc; i++)
        n_failed += act("/proc/self/exe", argv[1], argv[i]);
    puts("done");
    return n_failed > 0 ? 1 : 7;
}
