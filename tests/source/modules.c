/* SPDX-License-Identifier: BSD-3-Clause
 * A mapping stays with its module, whatever is mapped later. */
#include "source/modules.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

enum { BYTES = 4096 };

static char path[] = "modules-XXXXXX";
static char *full;

/* How often the test's file was opened, and the other files in which a module
 * is searched, since other parts of the process may open files, too; and a file
 * that replaces the kernel's symbols. */
static int n_opened, n_notes, n_others;
static const char *symbols = "/proc/kallsyms";

int
open(const char *file, int flags, ...)
{
    if (full != NULL && strcmp(file, full) == 0)
        n_opened++;
    n_notes += strcmp(file, "/sys/kernel/notes") == 0;
    n_others += strcmp(file, "[anonymous]") == 0 ||
                strcmp(file, "[kernel]") == 0 || strcmp(file, "/nowhere") == 0;
    if (strcmp(file, "/proc/kallsyms") == 0)
        file = symbols;
    return (int)syscall(SYS_openat, AT_FDCWD, file, flags, 0);
}

/* Map the test's file as executable; NULL if that is not allowed. */
static void *
map_file(void)
{
    int fd = mkstemp(path);
    void *at = MAP_FAILED;

    full = realpath(path, NULL);
    if (fd >= 0 && ftruncate(fd, BYTES) == 0)
        at = mmap(NULL, BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    close(fd);
    return at != MAP_FAILED ? at : NULL;
}

static void
add(struct hpm_modules *modules, uint64_t start, unsigned char id)
{
    const struct hpm_mapped mapped = {.start = start,
                                      .end = start + BYTES,
                                      .path = full,
                                      .build_id = {id},
                                      .n_build_id = 1};

    hpm_modules_add(modules, &mapped);
}

static const char *
build_id_at(struct hpm_modules *modules, uint64_t address)
{
    uint32_t part = hpm_modules_find_part(modules, address);

    return part != HPM_MODULES_NO_PART
               ? modules->modules[modules->parts[part].module].build_id
               : "no part";
}

static void
test_rebuilt(uint64_t start)
{
    struct hpm_modules modules;
    size_t n;

    hpm_modules_init(&modules);
    add(&modules, start + (UINT64_C(1) << 40), 0xaa);
    add(&modules, start, 0xbb);
    hpm_modules_look(&modules);
    is_text(build_id_at(&modules, start), "bb",
            "a file that was built again and loaded again stays that one");
    n = hpm_modules_count_parts(&modules);
    unlink(path);
    hpm_modules_look(&modules);
    is_text(build_id_at(&modules, start), "bb", "also when it is removed");
    is_count(hpm_modules_count_parts(&modules), n, "and has no second part");
    hpm_modules_clear(&modules);
}

/* A file is one module however often it is mapped, and two files are two
 * modules. */
static void
test_files(uint64_t start)
{
    const struct hpm_mapped other = {.start = start + 4 * BYTES,
                                     .end = start + 5 * BYTES,
                                     .path = "/nowhere/other"};
    struct hpm_modules modules;

    hpm_modules_init(&modules);
    add(&modules, start, 0xbb);
    add(&modules, start + 2 * BYTES, 0xbb);
    is_count(modules.n_modules, 1, "a file in two places is one module");
    is_count(modules.n_parts, 2, "of two parts");
    hpm_modules_add(&modules, &other);
    is_count(modules.n_modules, 2, "another file is another one");
    add(&modules, start + 6 * BYTES, 0xaa);
    is_count(modules.n_modules, 3, "as is one of the name, but another build");
    is_text(build_id_at(&modules, start), "bb", "an address is in its part");
    add(&modules, start, 0xcc);
    is_text(build_id_at(&modules, start), "cc",
            "and in the later one, where another file is mapped in its place");
    is_text(build_id_at(&modules, start + BYTES), "no part",
            "behind its end there is none");
    is_text(build_id_at(&modules, start + BYTES - 1), "cc",
            "and its last byte is in it");
    hpm_modules_clear(&modules);
}

/* For a mapping from before the first sample no event tells a build id. */
static void
test_pipe(uint64_t start)
{
    const struct hpm_mapped mapped = {
        .start = start, .end = start + BYTES, .path = full};
    struct hpm_modules modules;

    hpm_modules_init(&modules);
    hpm_modules_add(&modules, &mapped);
    n_opened = 0;
    ok(mkfifo(path, 0600) == 0, "a pipe takes the place of the file");
    alarm(300);
    hpm_modules_look(&modules);
    hpm_modules_look(&modules);
    alarm(0);
    is_text(build_id_at(&modules, start), "", "which is not waited for");
    is_count((uint64_t)n_opened, 1, "nor opened again");
    hpm_modules_clear(&modules);
}

/* The symbol comes after more symbols than are read at once. */
static void
test_kernel(void)
{
    const uint64_t start = UINT64_C(0xffffffff81000000);
    struct hpm_modules modules;
    uint32_t part;
    FILE *file;

    unlink(path);
    file = fopen(path, "w");
    for (int i = 0; file != NULL && i < 20000; i++)
        fprintf(file, "%016x A symbol_%d\n", i, i);
    if (file != NULL) {
        fputs("ffffffff81000000 T _text\nffffffff81000010 T more\n", file);
        fclose(file);
    }
    symbols = path;
    hpm_modules_init(&modules);
    hpm_modules_find_part(&modules, start + 16);
    hpm_modules_look(&modules);
    part = hpm_modules_find_part(&modules, start + 16);
    ok(part != HPM_MODULES_NO_PART && modules.parts[part].start == start,
       "the begin of the kernel's code is found where other symbols come "
       "before");
    hpm_modules_clear(&modules);
}

/* A mapping without a file has addresses, and no offset in a file. */
static void
test_no_file(void)
{
    static const char *const paths[][2] = {{"//anon", "[anonymous]"},
                                           {"", "[anonymous]"},
                                           {"[heap]", "[heap]"},
                                           {"/file", "/file"}};

    for (size_t i = 0; i < 4; i++) {
        const struct hpm_mapped mapped = {
            .start = 4096, .end = 8192, .offset = 48, .path = paths[i][0]};
        struct hpm_modules modules;

        hpm_modules_init(&modules);
        hpm_modules_add(&modules, &mapped);
        is_text(modules.modules[0].path, paths[i][1],
                "what is mapped has a name");
        is_count(modules.parts[0].offset, i < 3 ? 0 : 48, "and an offset");
        hpm_modules_clear(&modules);
    }
}

/* Which files are searched for a build id. */
static void
test_identify(void)
{
    struct hpm_module kernel = {.path = (char *)"[kernel]"},
                      heap = {.path = (char *)"[anonymous]"},
                      known = {.path = (char *)"/nowhere", .build_id = "ab"};

    n_notes = n_others = 0;
    hpm_modules_identify(&kernel);
    is_count((uint64_t)n_notes, 1, "the kernel's notes have its build id");
    hpm_modules_identify(&heap);
    hpm_modules_identify(&known);
    is_count((uint64_t)n_others, 0,
             "memory without a file, and what is known, is not looked at");
    known.build_id[0] = '\0';
    hpm_modules_identify(&known);
    is_count((uint64_t)n_others, 1, "a file is");
}

int
main(void)
{
    void *at = map_file();

    ok(at != NULL && full != NULL, "a file is mapped");
    if (at != NULL && full != NULL) {
        test_files((uint64_t)(uintptr_t)at);
        test_rebuilt((uint64_t)(uintptr_t)at);
        test_pipe((uint64_t)(uintptr_t)at);
    }
    test_kernel();
    test_no_file();
    test_identify();
    unlink(path);
    free(full);
    return done();
}
