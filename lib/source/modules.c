/* SPDX-License-Identifier: BSD-3-Clause
 * The modules of this process. */
#include "source/modules.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"

void
hpm_modules_init(struct hpm_modules *modules)
{
    *modules = (struct hpm_modules){.lock = PTHREAD_MUTEX_INITIALIZER};
}

void
hpm_modules_clear(struct hpm_modules *modules)
{
    for (size_t i = 0; i < modules->n_modules; i++)
        hpm_memory_free(modules->modules[i].path);
    hpm_memory_free(modules->modules);
    hpm_memory_free(modules->parts);
    hpm_modules_init(modules);
}

/* ---- adding, with the lock held -------------------------------------- */

static void
write_build_id(struct hpm_module *module, const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n && i < HPM_BUILD_ID_BYTES; i++)
        snprintf(module->build_id + 2 * i, 3, "%02x", bytes[i]);
}

/* Two files of one path are two modules if both build ids are known and differ:
 * a file may be replaced while the program runs. */
static bool
is_module(const struct hpm_module *module, const struct hpm_module *wanted)
{
    return strcmp(module->path, wanted->path) == 0 &&
           (module->build_id[0] == '\0' || wanted->build_id[0] == '\0' ||
            strcmp(module->build_id, wanted->build_id) == 0);
}

/* The module's number; it is added if it is new.  False if there is no memory
 * for that. */
static bool
get_module(struct hpm_modules *modules, const struct hpm_mapped *mapped,
           size_t *ret_module)
{
    struct hpm_module wanted = {.path = (char *)mapped->path};
    struct hpm_module *module;

    write_build_id(&wanted, mapped->build_id, mapped->n_build_id);
    for (size_t i = 0; i < modules->n_modules; i++) {
        if (is_module(&modules->modules[i], &wanted)) {
            if (wanted.build_id[0] != '\0')
                memcpy(modules->modules[i].build_id, wanted.build_id,
                       sizeof wanted.build_id);
            *ret_module = i;
            return true;
        }
    }
    if (!hpm_memory_grow(&modules->modules, &modules->modules_capacity,
                         modules->n_modules + 1, sizeof *modules->modules))
        return false;
    module = &modules->modules[modules->n_modules];
    *module = wanted;
    module->path = hpm_memory_copy_text(mapped->path);
    if (module->path == NULL)
        return false;
    *ret_module = modules->n_modules++;
    return true;
}

static bool
is_in(const struct hpm_module_part *part, uint64_t address)
{
    return address >= part->start && address < part->end;
}

static const struct hpm_module_part *
find_part(const struct hpm_modules *modules, uint64_t address)
{
    for (size_t i = modules->n_parts; i-- > 0;) {
        if (is_in(&modules->parts[i], address))
            return &modules->parts[i];
    }
    return NULL;
}

/* The maps of a process have no build ids, and a removed file is "/usr/bin/x
 * (deleted)" there. */
static bool
is_same_path(const char *path, const char *mapped)
{
    size_t length = strlen(path);

    return strncmp(path, mapped, length) == 0 &&
           (mapped[length] == '\0' ||
            strcmp(mapped + length, " (deleted)") == 0);
}

/* A part that is known at this address has its module already: do not look for
 * another module with that path, which may be an earlier file's. */
static bool
find_module(struct hpm_modules *modules, const struct hpm_mapped *mapped,
            const struct hpm_module_part *known, size_t *ret_module)
{
    if (known == NULL || mapped->n_build_id > 0 ||
        !is_same_path(modules->modules[known->module].path, mapped->path))
        return get_module(modules, mapped, ret_module);
    *ret_module = known->module;
    return true;
}

/* If there is no memory for the part, its samples have no module. */
static void
add(struct hpm_modules *modules, const struct hpm_mapped *mapped)
{
    const struct hpm_module_part *known = find_part(modules, mapped->start);
    size_t module;

    if (!find_module(modules, mapped, known, &module))
        return;
    if (known != NULL && known->module == module &&
        known->start == mapped->start && known->end == mapped->end &&
        known->offset == mapped->offset)
        return;
    modules->last = NULL;
    if (!hpm_memory_grow(&modules->parts, &modules->parts_capacity,
                         modules->n_parts + 1, sizeof *modules->parts))
        return;
    modules->parts[modules->n_parts++] = (struct hpm_module_part){
        mapped->start, mapped->end, mapped->offset, module};
}

/* ---- maps ------------------------------------------------------------ */

/* The thread's own maps: if the main thread has ended, those of the process are
 * empty. */

/* Reads "5581-5592 r-xp 00002000 08:01 131 /usr/bin/x": address, protection,
 * offset, device, inode, path. */
static void
add_line(struct hpm_modules *modules, char *line)
{
    struct hpm_mapped mapped = {.path = "[anonymous]"};
    unsigned long start, end, offset;
    char protection[8];
    int at = 0;

    if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %n", &start, &end, protection,
               &offset, &at) < 4 ||
        strchr(protection, 'x') == NULL)
        return;
    mapped.start = start;
    mapped.end = end;
    mapped.offset = offset;
    if (at > 0 && line[at] != '\0')
        mapped.path = line + at;
    if (mapped.path[0] == '[')
        mapped.offset = 0;
    add(modules, &mapped);
}

/* Add all complete lines of `text`; move the rest of the last line to the
 * front. */
static size_t
add_lines(struct hpm_modules *modules, char *text, size_t length)
{
    char *line = text, *end;

    text[length] = '\0';
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        add_line(modules, line);
    }
    length -= (size_t)(line - text);
    memmove(text, line, length);
    return length;
}

static void
read_maps(struct hpm_modules *modules, int fd, char *text, size_t size)
{
    size_t length = 0;
    ssize_t n;

    while (length < size - 1 &&
           (n = read(fd, text + length, size - 1 - length)) > 0)
        length = add_lines(modules, text, length + (size_t)n);
}

/* ---- the kernel ------------------------------------------------------ */

enum {
    BYTES = 16 << 10,
    MOST_BYTES = 1 << 20 /* of the kernel's symbols are read at most */
};

static bool
is_of_kernel(uint64_t address)
{
    return address >> 63 != 0;
}

/* `text` has complete lines, and perhaps a part of the last one. */
static bool
find_text_line(const char *text, uint64_t *ret_start)
{
    const char *line = strstr(text, " _text\n");

    if (line == NULL)
        return false;
    while (line > text && line[-1] != '\n')
        line--;
    *ret_start = strtoull(line, NULL, 16);
    return true;
}

/* Move the rest of the last line to the front. */
static size_t
keep_last_line(char *text, size_t length)
{
    char *end = strrchr(text, '\n'), *line = end != NULL ? end + 1 : text;

    length -= (size_t)(line - text);
    memmove(text, line, length);
    return length;
}

/* Find "ffffffff81000000 T _text", usually one of the first lines, because they
 * are sorted by address.  The addresses are 0 if this user may not know
 * them. */
static uint64_t
find_kernel_text(char *text)
{
    int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
    size_t length = 0, n_read = 0;
    uint64_t start = 0;
    ssize_t n;

    while (fd >= 0 && n_read < MOST_BYTES && length < BYTES - 1 &&
           (n = read(fd, text + length, BYTES - 1 - length)) > 0) {
        n_read += (size_t)n;
        length += (size_t)n;
        text[length] = '\0';
        if (find_text_line(text, &start))
            break;
        length = keep_last_line(text, length);
    }
    if (fd >= 0)
        close(fd);
    return start;
}

/* Loaded kernel modules are at addresses of their own, and their symbols are
 * not looked for.  The kernel's code takes at most half a gigabyte. */
static void
add_kernel(struct hpm_modules *modules, uint64_t text)
{
    const uint64_t half = UINT64_C(1) << 63;
    struct hpm_mapped kernel = {
        .start = half, .end = UINT64_MAX, .offset = half, .path = "[kernel]"};

    add(modules, &kernel);
    kernel.start = text;
    kernel.end = kernel.start + (UINT64_C(512) << 20);
    kernel.offset = 0;
    if (is_of_kernel(kernel.start) && kernel.end > kernel.start)
        add(modules, &kernel);
}

/* Reads the kernel's symbols without the lock. */
static void
look_at_kernel(struct hpm_modules *modules, char *text)
{
    bool wants_kernel;

    pthread_mutex_lock(&modules->lock);
    wants_kernel = modules->wants_kernel;
    modules->wants_kernel = false;
    pthread_mutex_unlock(&modules->lock);
    if (wants_kernel) {
        uint64_t start = find_kernel_text(text);

        pthread_mutex_lock(&modules->lock);
        add_kernel(modules, start);
        pthread_mutex_unlock(&modules->lock);
    }
}

static void
look_at_maps(struct hpm_modules *modules, char *text)
{
    int fd = open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return;
    pthread_mutex_lock(&modules->lock);
    read_maps(modules, fd, text, BYTES);
    pthread_mutex_unlock(&modules->lock);
    close(fd);
}

/* Take the next module whose file was not read yet; as a copy, because the
 * array may move meanwhile. */
static bool
take_unknown(struct hpm_modules *modules, size_t *ret_number,
             struct hpm_module *ret_copy)
{
    *ret_copy = (struct hpm_module){.path = NULL};
    pthread_mutex_lock(&modules->lock);
    for (; *ret_number < modules->n_modules; ++*ret_number) {
        struct hpm_module *module = &modules->modules[*ret_number];

        if (module->build_id[0] == '\0' && !module->is_looked_at) {
            module->is_looked_at = true;
            ret_copy->path = hpm_memory_copy_text(module->path);
            break;
        }
    }
    pthread_mutex_unlock(&modules->lock);
    return ret_copy->path != NULL;
}

static void
put_back(struct hpm_modules *modules, size_t number,
         const struct hpm_module *copy)
{
    struct hpm_module *module;

    pthread_mutex_lock(&modules->lock);
    module = &modules->modules[number];
    if (module->build_id[0] == '\0')
        memcpy(module->build_id, copy->build_id, sizeof module->build_id);
    pthread_mutex_unlock(&modules->lock);
}

/* Reads each file once, and without the lock: a file may be on a disk that does
 * not answer, and each sampled thread needs the lock. */
static void
look_at_files(struct hpm_modules *modules)
{
    struct hpm_module copy;

    for (size_t i = 0; take_unknown(modules, &i, &copy); i++) {
        hpm_modules_identify(&copy);
        put_back(modules, i, &copy);
        hpm_memory_free(copy.path);
    }
}

void
hpm_modules_look(struct hpm_modules *modules)
{
    char *text = hpm_memory_new_apart(BYTES);

    if (text != NULL) {
        look_at_kernel(modules, text);
        look_at_maps(modules, text);
    }
    look_at_files(modules);
    hpm_memory_free(text);
}

/* ---- calls ----------------------------------------------------------- */

void
hpm_modules_lock(struct hpm_modules *modules)
{
    pthread_mutex_lock(&modules->lock);
}

void
hpm_modules_unlock(struct hpm_modules *modules)
{
    pthread_mutex_unlock(&modules->lock);
}

/* The kernel names memory without a file "//anon", or "[vdso]" and the like. */
void
hpm_modules_add(struct hpm_modules *modules, const struct hpm_mapped *mapped)
{
    struct hpm_mapped named = *mapped;

    if (named.path[0] == '\0' || strncmp(named.path, "//", 2) == 0)
        named.path = "[anonymous]";
    if (named.path[0] == '[')
        named.offset = 0;
    add(modules, &named);
}

size_t
hpm_modules_count_parts(struct hpm_modules *modules)
{
    size_t n;

    pthread_mutex_lock(&modules->lock);
    n = modules->n_parts;
    pthread_mutex_unlock(&modules->lock);
    return n;
}

uint32_t
hpm_modules_find_part(struct hpm_modules *modules, uint64_t address)
{
    const struct hpm_module_part *part;
    uint32_t found = HPM_MODULES_NO_PART;

    part = modules->last;
    if (part == NULL || !is_in(part, address))
        part = modules->last = find_part(modules, address);
    if (part != NULL)
        found = (uint32_t)(part - modules->parts);
    else if (is_of_kernel(address))
        modules->wants_kernel = true;
    return found;
}

/* In memory without a file the offset is the address itself. */
bool
hpm_modules_find(struct hpm_modules *modules, uint64_t address, uint32_t number,
                 size_t *ret_module, uint64_t *ret_offset)
{
    const struct hpm_module_part *part;

    pthread_mutex_lock(&modules->lock);
    part = number != HPM_MODULES_NO_PART ? &modules->parts[number]
                                         : find_part(modules, address);
    if (part != NULL) {
        bool is_anonymous =
            strcmp(modules->modules[part->module].path, "[anonymous]") == 0;

        *ret_module = part->module;
        *ret_offset =
            is_anonymous ? address : address - part->start + part->offset;
    }
    pthread_mutex_unlock(&modules->lock);
    return part != NULL;
}

/* ---- build ids ------------------------------------------------------- */

static bool
read_at(int fd, void *to, size_t n, uint64_t offset)
{
    return pread(fd, to, n, (off_t)offset) == (ssize_t)n;
}

/* A note is: name length, content length, type, name, content; name and content
 * are padded to four bytes. */
static bool
find_in_notes(struct hpm_module *module, int fd, uint64_t begin,
              const ElfW(Phdr) * notes)
{
    uint64_t at = begin + notes->p_offset, end = at + notes->p_filesz;
    ElfW(Nhdr) head;

    for (; at + sizeof head <= end && read_at(fd, &head, sizeof head, at);) {
        uint64_t content = at + sizeof head + ((head.n_namesz + 3u) & ~3u);
        unsigned char bytes[HPM_BUILD_ID_BYTES];
        size_t n = head.n_descsz < sizeof bytes ? head.n_descsz : sizeof bytes;

        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
            read_at(fd, bytes, n, content)) {
            write_build_id(module, bytes, n);
            return true;
        }
        at = content + ((head.n_descsz + 3u) & ~3u);
    }
    return false;
}

static void
find_build_id(struct hpm_module *module, int fd, uint64_t begin)
{
    ElfW(Ehdr) head;

    if (!read_at(fd, &head, sizeof head, begin) ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_phentsize != sizeof(ElfW(Phdr)))
        return;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        ElfW(Phdr) part;

        if (!read_at(fd, &part, sizeof part,
                     begin + head.e_phoff + i * sizeof part))
            return;
        if (part.p_type == PT_NOTE && find_in_notes(module, fd, begin, &part))
            return;
    }
}

/* The path may now be something else than a file, such as a pipe: do not wait
 * for it. */
static int
open_regular(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;

    if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

void
hpm_modules_identify(struct hpm_module *module)
{
    static const ElfW(Phdr) kernel_notes = {.p_filesz = 4096};
    bool is_vdso = strcmp(module->path, "[vdso]") == 0;
    bool is_kernel = strcmp(module->path, "[kernel]") == 0;
    int fd;

    if (module->build_id[0] != '\0' ||
        (module->path[0] != '/' && !is_vdso && !is_kernel))
        return;
    if (is_kernel) {
        fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
            find_in_notes(module, fd, 0, &kernel_notes);
            close(fd);
        }
        return;
    }
    fd = open_regular(is_vdso ? "/proc/self/mem" : module->path);
    if (fd < 0)
        return;
    find_build_id(module, fd, is_vdso ? getauxval(AT_SYSINFO_EHDR) : 0);
    close(fd);
}
