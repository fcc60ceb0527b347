/* SPDX-License-Identifier: BSD-3-Clause
 * The functions at which the kernel can set probes. */
#include "study/probe/probeable.h"

#include <elf.h>
#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mark.h"
#include "base/sort.h"
#include "elf/elffile.h"
#include "host/memory.h"

#if __SIZEOF_POINTER__ == 8
#define TYPE_OF(info) ELF64_ST_TYPE(info)
#else
#define TYPE_OF(info) ELF32_ST_TYPE(info)
#endif

/* ---- which functions a return probe would harm ------------------------- */

/* The kernel puts an address of its own in the place of the return address, and
 * puts the right one back when the function returns. */

/* Functions that keep their return address for later, return in two processes, look
 * for their callers, or are jumped to, so that no return address is where the
 * kernel takes it from. */
static const char *const odd_returns[] = {
    "setjmp",        "_setjmp",         "*sigsetjmp",   "vfork",
    "__vfork",       "clone",           "__clone*",     "getcontext",
    "swapcontext",   "__start_context", "__restore_rt", "_dl_runtime_*",
    "_dl_tlsdesc_*", "_dl_start*",      "_Unwind_*",    "backtrace",
    "__backtrace",   "__fentry__",      "*mcount",      "__morestack*",
};

static bool
has_odd_return(const char *name)
{
    for (size_t i = 0; i < sizeof odd_returns / sizeof odd_returns[0]; i++) {
        if (fnmatch(odd_returns[i], name, 0) == 0)
            return true;
    }
    return false;
}

/* Why all functions of the file can have an entry probe only; NULL: no reason. */
static const char *
find_reason_of_file(const struct hpm_elffile *file)
{
    if (hpm_elffile_named(file, ".gopclntab") != NULL)
        return N_("Go moves stacks: with a return probe the program would end");
    if (hpm_elffile_named(file, ".gcc_except_table") != NULL)
        return N_("an exception may leave it: with a return probe the program "
                  "would end then");
    return NULL;
}

/* A call that gives the program another stack.  The kernel takes a function whose
 * stack is deeper than the present place for one that was left, and forgets where
 * it returns to: the program would return to a wrong place, or end by SIGILL. */
static bool
makes_stacks(const char *names, size_t names_size, const ElfW(Sym) * table,
             size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (table[i].st_name < names_size &&
            strcmp(names + table[i].st_name, "makecontext") == 0)
            return true;
    }
    return false;
}

/* ---- one function ------------------------------------------------------ */

struct reading {
    const struct hpm_elffile *file;
    uint64_t entry;          /* address at which the program starts */
    const char *file_reason; /* see find_reason_of_file */
};

static void
set(struct hpm_probeable *function, enum hpm_probe_extent probe,
    const char *why)
{
    function->probe = probe;
    function->why = why;
}

/* The part of the file with the code; NULL where the file does not have it. */
static const ElfW(Phdr) *
    find_segment(const struct hpm_elffile *file, uint64_t address)
{
    for (size_t i = 0; i < file->n_parts; i++) {
        const ElfW(Phdr) *part = &file->parts[i];

        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0 &&
            address >= part->p_vaddr &&
            address - part->p_vaddr < part->p_filesz)
            return part;
    }
    return NULL;
}

/* gcc moves code that is seldom run away from a function, which jumps to it:
 * "solve.cold". */
static bool
is_cold_part(const char *name)
{
    const char *part = strstr(name, ".cold");

    return part != NULL && part > name && (part[5] == '\0' || part[5] == '.');
}

/* Find the place of the probe; false where there is none. */
static bool
place(struct hpm_probeable *function, const struct hpm_elffile *file)
{
    const ElfW(Phdr) *part = find_segment(file, function->address);
    unsigned char code[HPM_INSTRUCTION_MOST];
    ssize_t n_read;
    size_t landing, n;

    if (part == NULL) {
        set(function, HPM_PROBE_NOT, N_("its code is not in this file"));
        return false;
    }
    function->start = function->offset =
        function->address - part->p_vaddr + part->p_offset;
    n_read = pread(file->descriptor, code, sizeof code, (off_t)function->start);
    n = n_read > 0 ? (size_t)n_read : 0;
    landing = hpm_instruction_landing(code, n);
    /* code of another function may begin where a short one ends */
    if (function->size == 0 || landing < function->size)
        function->offset += landing;
    else
        landing = 0;
    function->kind = hpm_instruction_kind(code + landing, n - landing);
    if (hpm_instruction_takes_probe(code + landing, n - landing))
        return true;
    set(function, HPM_PROBE_NOT,
        N_("the kernel sets no probe at its first instruction"));
    return false;
}

static void
judge(struct hpm_probeable *function, const struct reading *reading,
      unsigned type)
{
    if (!place(function, reading->file))
        return;
    if (type == STT_GNU_IFUNC)
        set(function, HPM_PROBE_NOT,
            N_("it chooses another function once, at the start; that one can "
               "be measured"));
    else if (is_cold_part(function->name))
        set(function, HPM_PROBE_NOT,
            N_("it is a part of a function, which jumps to it; that one can be "
               "measured"));
    else if (function->address == reading->entry)
        set(function, HPM_PROBE_ENTRY,
            N_("the program starts here; it never returns"));
    else if (has_odd_return(function->name))
        set(function, HPM_PROBE_ENTRY,
            N_("it needs its return address, which a return probe changes"));
    else if (reading->file_reason != NULL)
        set(function, HPM_PROBE_ENTRY, reading->file_reason);
}

/* ---- the table of symbols ---------------------------------------------- */

static bool
is_function(const ElfW(Sym) * symbol, size_t names_size)
{
    unsigned type = TYPE_OF(symbol->st_info);

    return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
           symbol->st_shndx != SHN_UNDEF && symbol->st_name != 0 &&
           symbol->st_name < names_size;
}

static int
compare(const void *first, const void *second)
{
    const struct hpm_probeable *a = first, *b = second;
    int order = strcmp(a->name, b->name);

    if (order != 0)
        return order;
    return a->address == b->address ? 0 : a->address < b->address ? -1 : 1;
}

/* A name may be in a table twice, with two versions "@GLIBC_2.2". */
static void
keep_one_each(struct hpm_probeables *functions)
{
    size_t n = 0;

    for (size_t i = 0; i < functions->n; i++) {
        if (n == 0 ||
            compare(&functions->list[n - 1], &functions->list[i]) != 0)
            functions->list[n++] = functions->list[i];
    }
    functions->n = n;
}

static bool
fill(struct hpm_probeables *functions, struct reading *reading,
     const ElfW(Sym) * table, size_t n, size_t names_size)
{
    size_t n_functions = 0;

    for (size_t i = 0; i < names_size; i++) {
        if (functions->names[i] == '@')
            functions->names[i] = '\0';
    }
    if (reading->file_reason == NULL &&
        makes_stacks(functions->names, names_size, table, n))
        reading->file_reason =
            N_("the program changes stacks (makecontext): with a return probe "
               "it would go wrong or end");
    for (size_t i = 0; i < n; i++)
        n_functions += is_function(&table[i], names_size);
    functions->list = hpm_memory_new(n_functions + 1, sizeof *functions->list);
    for (size_t i = 0; functions->list != NULL && i < n; i++) {
        struct hpm_probeable *function = &functions->list[functions->n];

        if (!is_function(&table[i], names_size) ||
            functions->names[table[i].st_name] == '\0')
            continue;
        *function =
            (struct hpm_probeable){.name = functions->names + table[i].st_name,
                                   .address = table[i].st_value,
                                   .size = table[i].st_size};
        judge(function, reading, TYPE_OF(table[i].st_info));
        functions->n++;
    }
    if (functions->list == NULL)
        return false;
    hpm_sort(functions->list, functions->n, sizeof *functions->list, compare);
    keep_one_each(functions);
    return true;
}

/* A file without symbols has no functions; false only without memory. */
static bool
read_symbols(struct hpm_probeables *functions, struct reading *reading)
{
    const struct hpm_elffile *file = reading->file;
    const ElfW(Shdr) *section = hpm_elffile_typed(file, SHT_SYMTAB);
    size_t size = 0, names_size = 0;
    ElfW(Sym) * table;
    bool is_good = true;

    functions->is_stripped = section == NULL;
    if (section == NULL)
        section = hpm_elffile_typed(file, SHT_DYNSYM);
    table = hpm_elffile_read(file, section, &size);
    if (table != NULL && section->sh_link < file->n_sections)
        functions->names = hpm_elffile_read(
            file, &file->sections[section->sh_link], &names_size);
    if (functions->names != NULL)
        is_good =
            fill(functions, reading, table, size / sizeof *table, names_size);
    hpm_memory_free(table);
    return is_good;
}

/* ---- the file ---------------------------------------------------------- */

static bool
is_for_this_machine(const ElfW(Ehdr) * header)
{
    ElfW(Ehdr) own;
    struct hpm_elffile self;
    bool is_same = false;

    if (!hpm_elffile_open(&self, "/proc/self/exe"))
        return true;
    is_same = pread(self.descriptor, &own, sizeof own, 0) != sizeof own ||
              own.e_machine == header->e_machine;
    hpm_elffile_close(&self);
    return is_same;
}

static bool
read_file(struct hpm_probeables *functions, const struct hpm_elffile *file,
          const char *path, struct hpm_error *err)
{
    ElfW(Ehdr) header;
    struct reading reading = {.file = file};

    if (pread(file->descriptor, &header, sizeof header, 0) != sizeof header)
        return hpm_error_set(err, "cannot read '%s'", path);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return hpm_error_set(err,
                             "'%s' is neither a program nor a shared library; "
                             "link it first",
                             path);
    if (!is_for_this_machine(&header))
        return hpm_error_set(err,
                             "'%s' is for another kind of processor than "
                             "this machine has",
                             path);
    reading.entry = header.e_entry;
    reading.file_reason = find_reason_of_file(file);
    return read_symbols(functions, &reading) || hpm_error_no_memory(err);
}

/* Why the file could not be opened as an ELF file. */
static bool
explain(const char *path, struct hpm_error *err)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return hpm_error_set(err, "cannot open '%s': %s", path,
                             strerror(errno));
    if (access(path, R_OK) != 0)
        return hpm_error_set(err, "cannot open '%s': %s", path,
                             strerror(errno));
    return hpm_error_set(err,
                         "'%s' is not a program or library of this machine "
                         "(ELF); of a script name its interpreter",
                         path);
}

bool
hpm_probeables_read(struct hpm_probeables *functions, const char *path,
                    struct hpm_error *err)
{
    struct hpm_elffile file;
    bool is_good;

    if (!hpm_elffile_open(&file, path))
        return explain(path, err);
    is_good = read_file(functions, &file, path, err);
    hpm_elffile_close(&file);
    return is_good;
}

void
hpm_probeables_clear(struct hpm_probeables *functions)
{
    hpm_memory_free(functions->list);
    hpm_memory_free(functions->names);
    *functions = (struct hpm_probeables){0};
}
