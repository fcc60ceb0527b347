/* SPDX-License-Identifier: BSD-3-Clause
 * The names of places in programs. */
#include "study/symbol/symbols.h"

#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"
#include "host/path.h"
#include "study/kernel/kernelcode.h"
#include "study/probe/demangled.h"
#include "study/symbol/debugfile.h"
#include "study/symbol/symboltext.h"

struct function {
    uint64_t start, end; /* addresses; where the size is not known the end is
                          * the start of the next one, or `limit` */
    uint64_t limit;      /* end of the section of the file */
    const char *name;    /* in the file's string table */
    char *shown;         /* for people, made when first needed */
    int rank;            /* at one address the smallest rank is taken */
};

struct segment {
    uint64_t offset, bytes, address;
};

struct hpm_symbols {
    const char *path;
    char *text; /* holds names that are not from an ELF file */
    enum hpm_symbols_state state;
    int fd, debug_fd;
    Elf *elf, *debug_elf; /* the second only for debug information */
    char *debug_path;     /* NULL: no separate file */
    struct function *functions;
    size_t n_functions, functions_capacity;
    struct segment *segments; /* of the file: executable ones */
    size_t n_segments, segments_capacity;
    Dwfl *lines;
    Dwfl_Module *module; /* of `lines`, or NULL */
};

/* ---- reading a file -------------------------------------------------- */

static Elf *
open_elf(const char *path, int *ret_fd)
{
    Elf *elf;

    *ret_fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*ret_fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
        return NULL;
    elf = elf_begin(*ret_fd, ELF_C_READ_MMAP, NULL);
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
        return elf;
    elf_end(elf);
    return NULL;
}

static bool
read_segments(struct hpm_symbols *symbols)
{
    size_t n = 0;

    elf_getphdrnum(symbols->elf, &n);
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr head;

        if (gelf_getphdr(symbols->elf, (int)i, &head) == NULL ||
            head.p_type != PT_LOAD || (head.p_flags & PF_X) == 0)
            continue;
        if (!hpm_memory_grow(&symbols->segments, &symbols->segments_capacity,
                             symbols->n_segments + 1,
                             sizeof *symbols->segments))
            return false;
        symbols->segments[symbols->n_segments++] =
            (struct segment){head.p_offset, head.p_filesz, head.p_vaddr};
    }
    return true;
}

/* The preferred name of several at one address is the one that people write: a
 * global one, with few underscores at its begin. */
static int
rank_of(const GElf_Sym *symbol, const char *name)
{
    int binding = GELF_ST_BIND(symbol->st_info);

    return 8 * (binding == STB_GLOBAL ? 0
                : binding == STB_WEAK ? 1
                                      : 2) +
           (int)strspn(name, "_") % 8;
}

static bool
add_from_text(void *context, uint64_t start, uint64_t size, const char *name)
{
    struct hpm_symbols *symbols = context;

    if (!hpm_memory_grow(&symbols->functions, &symbols->functions_capacity,
                         symbols->n_functions + 1, sizeof *symbols->functions))
        return false;
    symbols->functions[symbols->n_functions++] = (struct function){
        .start = start,
        .end = size < UINT64_MAX - start ? start + size : UINT64_MAX,
        .limit = UINT64_MAX,
        .name = name};
    return true;
}

/* The end of the section in which the symbol is: behind _init, whose size is not
 * known, the next section begins. */
static uint64_t
find_limit(Elf *elf, const GElf_Sym *symbol)
{
    GElf_Shdr head;

    return gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &head) != NULL
               ? head.sh_addr + head.sh_size
               : UINT64_MAX;
}

static bool
add_function(struct hpm_symbols *symbols, Elf *elf, const GElf_Sym *symbol,
             const char *name)
{
    int type = GELF_ST_TYPE(symbol->st_info);

    if ((type != STT_FUNC && type != STT_GNU_IFUNC) ||
        symbol->st_shndx == SHN_UNDEF || name == NULL || name[0] == '\0')
        return true;
    if (!hpm_memory_grow(&symbols->functions, &symbols->functions_capacity,
                         symbols->n_functions + 1, sizeof *symbols->functions))
        return false;
    symbols->functions[symbols->n_functions++] =
        (struct function){.start = symbol->st_value,
                          .end = symbol->st_value + symbol->st_size,
                          .limit = find_limit(elf, symbol),
                          .name = name,
                          .rank = rank_of(symbol, name)};
    return true;
}

static bool
read_table(struct hpm_symbols *symbols, Elf *elf, Elf_Scn *section,
           const GElf_Shdr *head)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t n = head->sh_entsize > 0 ? head->sh_size / head->sh_entsize : 0;

    for (size_t i = 0; data != NULL && i < n; i++) {
        GElf_Sym symbol;

        if (gelf_getsym(data, (int)i, &symbol) != NULL &&
            !add_function(symbols, elf, &symbol,
                          elf_strptr(elf, head->sh_link, symbol.st_name)))
            return false;
    }
    return true;
}

/* False also where the file has no such table. */
static bool
read_tables(struct hpm_symbols *symbols, Elf *elf, unsigned type)
{
    Elf_Scn *section = NULL;

    while (elf != NULL && (section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr head;

        if (gelf_getshdr(section, &head) != NULL && head.sh_type == type &&
            !read_table(symbols, elf, section, &head))
            return false;
    }
    return symbols->n_functions > 0;
}

static int
compare_functions(const void *first, const void *second)
{
    const struct function *a = first, *b = second;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->rank != b->rank ? a->rank - b->rank : strcmp(a->name, b->name);
}

/* Keep one function for each address. */
static void
settle(struct hpm_symbols *symbols)
{
    struct function *functions = symbols->functions;
    size_t n = 0;

    if (symbols->n_functions == 0)
        return;
    qsort(functions, symbols->n_functions, sizeof *functions,
          compare_functions);
    for (size_t i = 1; i < symbols->n_functions; i++) {
        if (functions[i].start != functions[n].start)
            functions[++n] = functions[i];
        else if (functions[i].end > functions[n].end)
            functions[n].end = functions[i].end;
    }
    symbols->n_functions = n + 1;
    for (size_t i = 0; i < symbols->n_functions; i++) {
        uint64_t next =
            i + 1 < symbols->n_functions ? functions[i + 1].start : UINT64_MAX;

        if (functions[i].end == functions[i].start)
            functions[i].end =
                next < functions[i].limit ? next : functions[i].limit;
    }
}

/* A linker makes code without symbols, through which calls of other modules go
 * (procedure linkage table), in sections of its own: .plt, .plt.sec, .plt.got. */
static void
add_linkage(struct hpm_symbols *symbols)
{
    Elf_Scn *section = NULL;
    size_t names;

    if (elf_getshdrstrndx(symbols->elf, &names) != 0)
        return;
    while ((section = elf_nextscn(symbols->elf, section)) != NULL) {
        const char *name;
        GElf_Shdr head;

        if (gelf_getshdr(section, &head) == NULL)
            continue;
        name = elf_strptr(symbols->elf, names, head.sh_name);
        if (name != NULL && strncmp(name, ".plt", 4) == 0)
            add_from_text(symbols, head.sh_addr, head.sh_size, "(plt)");
    }
}

/* Read the full symbol table, which may be in a separate debug file, else the
 * table of dynamic symbols. */
static enum hpm_symbols_state
read_functions(struct hpm_symbols *symbols)
{
    if (!read_tables(symbols, symbols->elf, SHT_SYMTAB)) {
        symbols->debug_path = hpm_debugfile_find(symbols->elf, symbols->path);
        if (symbols->debug_path != NULL)
            symbols->debug_elf =
                open_elf(symbols->debug_path, &symbols->debug_fd);
        if (!read_tables(symbols, symbols->debug_elf, SHT_SYMTAB))
            read_tables(symbols, symbols->elf, SHT_DYNSYM);
    }
    if (symbols->n_functions > 0)
        add_linkage(symbols);
    settle(symbols);
    return symbols->n_functions > 0 ? HPM_SYMBOLS_THERE : HPM_SYMBOLS_STRIPPED;
}

/* ---- places outside program files ------------------------------------- */

static bool
add_segment(struct hpm_symbols *symbols, uint64_t bytes, uint64_t address)
{
    if (!hpm_memory_grow(&symbols->segments, &symbols->segments_capacity,
                         symbols->n_segments + 1, sizeof *symbols->segments))
        return false;
    symbols->segments[symbols->n_segments++] =
        (struct segment){0, bytes, address};
    return true;
}

static enum hpm_symbols_state
read_map(struct hpm_symbols *symbols)
{
    if (!hpm_symboltext_read_map(symbols->path, add_from_text, symbols,
                                 &symbols->text) ||
        !add_segment(symbols, UINT64_MAX, 0))
        return HPM_SYMBOLS_GONE;
    settle(symbols);
    return HPM_SYMBOLS_THERE;
}

static enum hpm_symbols_state
read_kernel(struct hpm_symbols *symbols, const char *build_id)
{
    struct hpm_kernelcode kernel;

    hpm_kernelcode_find(&kernel);
    if (strcmp(kernel.build_id, build_id) != 0)
        return HPM_SYMBOLS_OTHER_KERNEL;
    if (kernel.end == 0 ||
        !hpm_symboltext_read_kernel(add_from_text, symbols, &symbols->text) ||
        !add_segment(symbols, kernel.end - kernel.begin, kernel.begin))
        return HPM_SYMBOLS_HIDDEN;
    settle(symbols);
    return HPM_SYMBOLS_THERE;
}

/* The vDSO: memory that the kernel gives to each process; this process has the
 * same. */
static Elf *
open_vdso(void)
{
    char *image = (char *)getauxval(AT_SYSINFO_EHDR);
    const ElfW(Ehdr) *head = (const void *)image;

    if (image == NULL || elf_version(EV_CURRENT) == EV_NONE)
        return NULL;
    return elf_memory(image, head->e_shoff +
                                 (size_t)head->e_shnum * head->e_shentsize);
}

static bool
is_map(const char *path)
{
    const char *base = hpm_path_base_name(path);
    size_t length = strlen(base);

    return strncmp(base, "perf-", 5) == 0 && length > 4 &&
           strcmp(base + length - 4, ".map") == 0;
}

/* ---- all symbols of a module ------------------------------------------ */

static enum hpm_symbols_state
read_file(struct hpm_symbols *symbols, const char *build_id)
{
    bool is_vdso = strcmp(symbols->path, "[vdso]") == 0 && build_id[0] != '\0';
    char found[HPM_DEBUGFILE_BUILD_ID];

    if (strcmp(symbols->path, "[kernel]") == 0)
        return read_kernel(symbols, build_id);
    if (symbols->path[0] != '/' && !is_vdso)
        return HPM_SYMBOLS_NO_FILE;
    if (is_map(symbols->path))
        return read_map(symbols);
    symbols->elf =
        is_vdso ? open_vdso() : open_elf(symbols->path, &symbols->fd);
    if (symbols->elf == NULL || !read_segments(symbols))
        return HPM_SYMBOLS_GONE;
    hpm_debugfile_build_id(symbols->elf, found);
    if (build_id[0] != '\0' && strcmp(found, build_id) != 0)
        return HPM_SYMBOLS_CHANGED;
    return read_functions(symbols);
}

struct hpm_symbols *
hpm_symbols_new(const char *path, const char *build_id)
{
    struct hpm_symbols *symbols = hpm_memory_new(1, sizeof *symbols);

    if (symbols == NULL)
        return NULL;
    symbols->path = path;
    symbols->fd = symbols->debug_fd = -1;
    symbols->state = read_file(symbols, build_id);
    return symbols;
}

void
hpm_symbols_free(struct hpm_symbols *symbols)
{
    if (symbols == NULL)
        return;
    for (size_t i = 0; i < symbols->n_functions; i++)
        hpm_memory_free(symbols->functions[i].shown);
    dwfl_end(symbols->lines);
    elf_end(symbols->debug_elf);
    elf_end(symbols->elf);
    if (symbols->debug_fd >= 0)
        close(symbols->debug_fd);
    if (symbols->fd >= 0)
        close(symbols->fd);
    hpm_memory_free(symbols->text);
    hpm_memory_free(symbols->debug_path);
    hpm_memory_free(symbols->functions);
    hpm_memory_free(symbols->segments);
    hpm_memory_free(symbols);
}

enum hpm_symbols_state
hpm_symbols_state(const struct hpm_symbols *symbols)
{
    return symbols->state;
}

/* ---- functions ------------------------------------------------------- */

static bool
find_address(const struct hpm_symbols *symbols, uint64_t offset,
             uint64_t *ret_address)
{
    for (size_t i = 0; i < symbols->n_segments; i++) {
        const struct segment *segment = &symbols->segments[i];

        if (offset >= segment->offset &&
            offset - segment->offset < segment->bytes) {
            *ret_address = offset - segment->offset + segment->address;
            return true;
        }
    }
    return false;
}

size_t
hpm_symbols_find(const struct hpm_symbols *symbols, uint64_t offset)
{
    size_t low = 0, high = symbols->n_functions;
    uint64_t address;

    if (!find_address(symbols, offset, &address))
        return HPM_SYMBOLS_NONE;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (symbols->functions[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || address >= symbols->functions[low - 1].end)
        return HPM_SYMBOLS_NONE;
    return low - 1;
}

/* The name without the version "@@GLIBC_2.34" of a library's interface. */
static char *
name_for_people(const char *name)
{
    size_t length = strcspn(name, "@");
    struct hpm_string plain = {0};
    char *shown = hpm_demangled_name(name);

    if (shown != NULL || name[length] == '\0')
        return shown;
    hpm_string_add_bytes(&plain, name, length);
    return plain.text;
}

const char *
hpm_symbols_name(struct hpm_symbols *symbols, size_t i)
{
    struct function *function = &symbols->functions[i];

    if (function->shown == NULL)
        function->shown = name_for_people(function->name);
    return function->shown != NULL ? function->shown : function->name;
}

/* ---- lines ----------------------------------------------------------- */

/* Open only this module, at the addresses of its own file. */
static void
open_lines(struct hpm_symbols *symbols)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo =
                                                 dwfl_standard_find_debuginfo};

    unsetenv("DEBUGINFOD_URLS"); /* never fetch files from a server */
    symbols->lines = dwfl_begin(&callbacks);
    if (symbols->lines == NULL)
        return;
    dwfl_report_begin(symbols->lines);
    symbols->module = dwfl_report_elf(symbols->lines, symbols->path,
                                      symbols->path, -1, 0, false);
    dwfl_report_end(symbols->lines, NULL, NULL);
}

bool
hpm_symbols_line(struct hpm_symbols *symbols, uint64_t offset,
                 const char **ret_file, int *ret_line)
{
    uint64_t address;
    Dwfl_Line *line;

    if (symbols->state != HPM_SYMBOLS_THERE ||
        !find_address(symbols, offset, &address))
        return false;
    if (symbols->lines == NULL && symbols->elf != NULL && symbols->fd >= 0)
        open_lines(symbols);
    if (symbols->module == NULL)
        return false;
    line = dwfl_module_getsrc(symbols->module, address);
    if (line == NULL)
        return false;
    *ret_file = dwfl_lineinfo(line, NULL, ret_line, NULL, NULL, NULL);
    return *ret_file != NULL;
}
