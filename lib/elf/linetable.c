/* SPDX-License-Identifier: BSD-3-Clause
 * The source file and line of each function, or of one instruction.
 *
 * A table of lines is a program for a small machine, which makes rows (address, file,
 * line).  There is one for each source that was compiled:
 *
 *     | length | version | sizes | opcodes | folders | files | program ... |
 *
 * See the DWARF standard, version 5, section 6.2. */
#include "elf/linetable.h"

#include "elf/dwarf.h"
#include "host/memory.h"

/* What a file's entry in the header consists of (content types and forms). */
enum { CONTENT_PATH = 1, CONTENT_FOLDER = 2 };

enum {
    FORM_BLOCK = 0x09,
    FORM_DATA1 = 0x0b,
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_DATA8 = 0x07,
    FORM_DATA16 = 0x1e,
    FORM_LINE_STRP = 0x1f,
    FORM_STRING = 0x08,
    FORM_STRP = 0x0e,
    FORM_UDATA = 0x0f
};

enum {
    OP_EXTENDED,
    OP_COPY,
    OP_ADVANCE_PC,
    OP_ADVANCE_LINE,
    OP_SET_FILE,
    OP_SET_COLUMN,
    OP_NEGATE_STMT,
    OP_SET_BASIC_BLOCK,
    OP_CONST_ADD_PC,
    OP_FIXED_ADVANCE_PC
};

enum { OP_END_SEQUENCE = 1, OP_SET_ADDRESS = 2 };

enum { MAX_FORMATS = 16, MAX_FILES = 1 << 16, MAX_LENGTHS = 256 };

/* A file or folder of a header. */
struct entry {
    const char *name;
    uint64_t folder;
};

struct entries {
    struct entry *list;
    size_t n;
    size_t capacity;
};

/* The symbols by address: 1 + their place in the list, 0 for free. */
struct index {
    uint32_t *places;
    size_t mask;
};

/* A row of the table. */
struct row {
    uintptr_t address;
    uint64_t file;
    int64_t line;
    bool is_loaded; /* the sequence of rows begins in code that is loaded */
};

/* An instruction that is looked for, which the row before it is about. */
struct search {
    uintptr_t address;
    struct row before; /* of the same sequence */
    const char *path;  /* NULL: not found yet */
    int line;
};

struct reading {
    const struct hpm_elffile *file;
    struct hpm_elfsymbols *symbols; /* NULL: a search */
    struct index index;
    struct search search;
    const char *texts; /* .debug_line_str */
    size_t texts_size;
    struct entries folders, files;
    const char **paths; /* of `files`, those that were made */
};

/* A header's numbers. */
struct unit {
    unsigned version;
    unsigned offset_size;
    unsigned least_step;
    int line_base;
    unsigned line_range;
    unsigned opcode_base;
    unsigned char lengths[MAX_LENGTHS]; /* operands of unknown opcodes */
    struct hpm_dwarf program;
};

/* ---- symbols by address ------------------------------------------------ */

static size_t
first_place(const struct index *index, uintptr_t address)
{
    return (size_t)((uint64_t)address * 0x9e3779b97f4a7c15u >> 20) &
           index->mask;
}

static bool
make_index(struct index *index, const struct hpm_elfsymbols *symbols)
{
    size_t n = 64;

    if (symbols->n >= UINT32_MAX)
        return false;
    while (n < 4 * symbols->n)
        n *= 2;
    index->mask = n - 1;
    index->places = hpm_memory_new(n, sizeof *index->places);
    for (size_t i = 0; index->places != NULL && i < symbols->n; i++) {
        size_t place = first_place(index, symbols->list[i].address);

        while (index->places[place] != 0)
            place = (place + 1) & index->mask;
        index->places[place] = (uint32_t)i + 1;
    }
    return index->places != NULL;
}

static struct hpm_symbol *
symbol_at(const struct reading *reading, uintptr_t address)
{
    const struct index *index = &reading->index;
    size_t place = first_place(index, address);

    for (; index->places[place] != 0; place = (place + 1) & index->mask) {
        struct hpm_symbol *symbol =
            &reading->symbols->list[index->places[place] - 1];

        if (symbol->address == address)
            return symbol;
    }
    return NULL;
}

/* ---- files -------------------------------------------------------------- */

static bool
add_entry(struct entries *entries, struct entry entry)
{
    if (entries->n == MAX_FILES ||
        !hpm_memory_grow(&entries->list, &entries->capacity, entries->n + 1,
                         sizeof *entries->list))
        return false;
    entries->list[entries->n++] = entry;
    return true;
}

/* Before DWARF 5 the folder 0 is the one of the compilation, which is noted
 * elsewhere, and files count from 1. */
static bool
read_old_names(struct reading *reading, struct hpm_dwarf *bytes)
{
    const char *name;

    add_entry(&reading->folders, (struct entry){"", 0});
    while ((name = hpm_dwarf_text(bytes))[0] != '\0') {
        if (!add_entry(&reading->folders, (struct entry){name, 0}))
            return false;
    }
    add_entry(&reading->files, (struct entry){"", 0});
    while ((name = hpm_dwarf_text(bytes))[0] != '\0') {
        struct entry file = {name, hpm_dwarf_unsigned(bytes)};

        hpm_dwarf_unsigned(bytes); /* time */
        hpm_dwarf_unsigned(bytes); /* size */
        if (!add_entry(&reading->files, file))
            return false;
    }
    return !bytes->failed;
}

static const char *
text_of(const struct reading *reading, uint64_t offset)
{
    return offset < reading->texts_size ? reading->texts + offset : "";
}

/* Read one value; false for a form that no compiler uses here. */
static bool
read_form(const struct reading *reading, struct hpm_dwarf *bytes,
          const struct unit *unit, uint64_t form, struct entry *value)
{
    *value = (struct entry){"", 0};
    switch (form) {
    case FORM_STRING:
        value->name = hpm_dwarf_text(bytes);
        return true;
    case FORM_LINE_STRP:
        value->name =
            text_of(reading, hpm_dwarf_number(bytes, unit->offset_size));
        return true;
    case FORM_STRP:
        hpm_dwarf_skip(bytes, unit->offset_size);
        return true;
    case FORM_UDATA:
        value->folder = hpm_dwarf_unsigned(bytes);
        return true;
    case FORM_DATA1:
        value->folder = hpm_dwarf_number(bytes, 1);
        return true;
    case FORM_DATA2:
        value->folder = hpm_dwarf_number(bytes, 2);
        return true;
    case FORM_DATA4:
        value->folder = hpm_dwarf_number(bytes, 4);
        return true;
    case FORM_DATA8:
        value->folder = hpm_dwarf_number(bytes, 8);
        return true;
    case FORM_DATA16:
        hpm_dwarf_skip(bytes, 16);
        return true;
    case FORM_BLOCK:
        hpm_dwarf_skip(bytes, hpm_dwarf_unsigned(bytes));
        return true;
    default:
        return false;
    }
}

/* Of folders or files: how each is described, and their list (DWARF 5). */
static bool
read_names(struct reading *reading, struct hpm_dwarf *bytes,
           const struct unit *unit, struct entries *entries)
{
    size_t n_formats = (size_t)hpm_dwarf_number(bytes, 1);
    uint64_t contents[MAX_FORMATS], forms[MAX_FORMATS], n;

    if (n_formats > MAX_FORMATS)
        return false;
    for (size_t i = 0; i < n_formats; i++) {
        contents[i] = hpm_dwarf_unsigned(bytes);
        forms[i] = hpm_dwarf_unsigned(bytes);
    }
    n = hpm_dwarf_unsigned(bytes);
    for (uint64_t i = 0; i < n && !bytes->failed; i++) {
        struct entry entry = {"", 0}, value;

        for (size_t k = 0; k < n_formats; k++) {
            if (!read_form(reading, bytes, unit, forms[k], &value))
                return false;
            if (contents[k] == CONTENT_PATH)
                entry.name = value.name;
            else if (contents[k] == CONTENT_FOLDER)
                entry.folder = value.folder;
        }
        if (!add_entry(entries, entry))
            return false;
    }
    return !bytes->failed;
}

/* "first/second", or the second alone where that is absolute. */
static char *
join(const char *first, const char *second)
{
    size_t length = strlen(first);
    char *path;

    if (second[0] == '/' || length == 0)
        return hpm_memory_copy_text(second);
    path = hpm_memory_new(length + strlen(second) + 2, 1);
    if (path == NULL)
        return NULL;
    memcpy(path, first, length);
    path[length] = '/';
    strcpy(path + length + 1, second);
    return path;
}

static const char *
make_path(const struct reading *reading, const struct entry *file)
{
    const struct entries *folders = &reading->folders;
    const char *folder =
        file->folder < folders->n ? folders->list[file->folder].name : "";
    char *path = join(folder, file->name), *whole;

    if (path == NULL || path[0] == '/' || folders->n == 0)
        return path;
    whole = join(folders->list[0].name, path);
    hpm_memory_free(path);
    return whole;
}

/* NULL for none. */
static const char *
path_of(struct reading *reading, uint64_t file)
{
    if (file >= reading->files.n || reading->paths == NULL ||
        reading->files.list[file].name[0] == '\0')
        return NULL;
    if (reading->paths[file] == NULL)
        reading->paths[file] = make_path(reading, &reading->files.list[file]);
    return reading->paths[file];
}

/* ---- the program --------------------------------------------------------- */

static const struct row first_row = {.file = 1, .line = 1};

/* Damaged numbers may be of any size. */
static void
add_lines(struct row *row, int64_t n)
{
    row->line = (int64_t)((uint64_t)row->line + (uint64_t)n);
}

/* Addresses only grow in a sequence. */
static void
search_before(struct reading *reading, const struct row *row)
{
    struct search *search = &reading->search;
    const struct row *before = &search->before;

    if (search->path == NULL && before->is_loaded && before->line > 0 &&
        before->line <= INT32_MAX && search->address >= before->address &&
        search->address < row->address) {
        search->path = path_of(reading, before->file);
        search->line = (int)before->line;
    }
    search->before = *row;
}

/* The first line at an address is that of the function. */
static void
note(struct reading *reading, const struct row *row)
{
    struct hpm_symbol *symbol;

    if (reading->symbols == NULL) {
        search_before(reading, row);
        return;
    }
    symbol = row->is_loaded ? symbol_at(reading, row->address) : NULL;

    if (symbol == NULL || symbol->line != 0 || row->line <= 0 ||
        row->line > INT32_MAX)
        return;
    symbol->file = path_of(reading, row->file);
    symbol->line = symbol->file != NULL ? (int)row->line : 0;
}

/* Linkers give the address 0, or -1, to code that they have left out
 * (--gc-sections), whose rows would else be those of other functions. */
static bool
is_in_code(const struct hpm_elffile *file, uintptr_t address)
{
    for (size_t i = 0; i < file->n_parts; i++) {
        const ElfW(Phdr) *part = &file->parts[i];

        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0 &&
            address - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

static void
run_extended(struct reading *reading, struct hpm_dwarf *bytes, struct row *row)
{
    uint64_t length = hpm_dwarf_unsigned(bytes);
    struct hpm_dwarf operands = {bytes->at, bytes->at, false};

    hpm_dwarf_skip(bytes, length);
    operands.end = bytes->at;
    switch (hpm_dwarf_number(&operands, 1)) {
    case OP_END_SEQUENCE:
        search_before(reading, row);
        reading->search.before = first_row;
        *row = first_row;
        break;
    case OP_SET_ADDRESS:
        row->address = (uintptr_t)hpm_dwarf_number(
            &operands, hpm_dwarf_left(&operands) < sizeof row->address
                           ? hpm_dwarf_left(&operands)
                           : sizeof row->address);
        row->is_loaded = is_in_code(reading->file, row->address);
        break;
    default:
        break;
    }
}

static void
run_special(struct reading *reading, const struct unit *unit, unsigned opcode,
            struct row *row)
{
    unsigned step = opcode - unit->opcode_base;

    row->address += step / unit->line_range * unit->least_step;
    add_lines(row, unit->line_base + (int)(step % unit->line_range));
    note(reading, row);
}

static void
run_standard(struct reading *reading, struct unit *unit, unsigned opcode,
             struct row *row)
{
    struct hpm_dwarf *bytes = &unit->program;

    switch (opcode) {
    case OP_EXTENDED:
        run_extended(reading, bytes, row);
        break;
    case OP_COPY:
        note(reading, row);
        break;
    case OP_ADVANCE_PC:
        row->address +=
            (uintptr_t)(hpm_dwarf_unsigned(bytes) * unit->least_step);
        break;
    case OP_ADVANCE_LINE:
        add_lines(row, hpm_dwarf_signed(bytes));
        break;
    case OP_SET_FILE:
        row->file = hpm_dwarf_unsigned(bytes);
        break;
    case OP_CONST_ADD_PC:
        row->address +=
            (255 - unit->opcode_base) / unit->line_range * unit->least_step;
        break;
    case OP_FIXED_ADVANCE_PC:
        row->address += (uintptr_t)hpm_dwarf_number(bytes, 2);
        break;
    default:
        for (unsigned i = 0; i < unit->lengths[opcode]; i++)
            hpm_dwarf_unsigned(bytes);
        break;
    }
}

static void
run(struct reading *reading, struct unit *unit)
{
    struct row row = first_row;

    while (hpm_dwarf_left(&unit->program) > 0 && !unit->program.failed) {
        unsigned opcode = (unsigned)hpm_dwarf_number(&unit->program, 1);

        if (opcode >= unit->opcode_base)
            run_special(reading, unit, opcode, &row);
        else
            run_standard(reading, unit, opcode, &row);
    }
}

/* ---- units ---------------------------------------------------------------- */

/* The numbers of the header, up to the names. */
static bool
read_header(struct hpm_dwarf *bytes, struct unit *unit)
{
    uint64_t length;

    unit->version = (unsigned)hpm_dwarf_number(bytes, 2);
    if (unit->version < 2 || unit->version > 5)
        return false;
    if (unit->version == 5)
        hpm_dwarf_skip(bytes, 2); /* sizes of addresses and selectors */
    length = hpm_dwarf_number(bytes, unit->offset_size);
    unit->program = *bytes;
    hpm_dwarf_skip(&unit->program, length);
    unit->least_step = (unsigned)hpm_dwarf_number(bytes, 1);
    if (unit->version >= 4)
        hpm_dwarf_skip(bytes, 1); /* operations of an instruction */
    hpm_dwarf_skip(bytes, 1);     /* whether rows are statements at first */
    unit->line_base = (signed char)hpm_dwarf_number(bytes, 1);
    unit->line_range = (unsigned)hpm_dwarf_number(bytes, 1);
    unit->opcode_base = (unsigned)hpm_dwarf_number(bytes, 1);
    for (unsigned i = 1; i < unit->opcode_base; i++)
        unit->lengths[i] = (unsigned char)hpm_dwarf_number(bytes, 1);
    return !bytes->failed && !unit->program.failed && unit->line_range > 0 &&
           unit->opcode_base > 0;
}

static void
read_unit(struct reading *reading, struct hpm_dwarf bytes, unsigned offset_size)
{
    struct unit unit = {.offset_size = offset_size};
    bool is_good;

    reading->folders.n = reading->files.n = 0;
    if (!read_header(&bytes, &unit))
        return;
    is_good = unit.version < 5
                  ? read_old_names(reading, &bytes)
                  : read_names(reading, &bytes, &unit, &reading->folders) &&
                        read_names(reading, &bytes, &unit, &reading->files);
    if (!is_good)
        return;
    reading->paths =
        hpm_memory_new(reading->files.n + 1, sizeof *reading->paths);
    run(reading, &unit);
    hpm_memory_free(reading->paths);
}

static void
read_units(struct reading *reading, struct hpm_dwarf bytes)
{
    while (hpm_dwarf_left(&bytes) > 0 && !bytes.failed) {
        unsigned offset_size = 4;
        uint64_t length = hpm_dwarf_number(&bytes, 4);
        struct hpm_dwarf unit;

        if (length == 0xffffffff) {
            offset_size = 8;
            length = hpm_dwarf_number(&bytes, 8);
        }
        unit = bytes;
        hpm_dwarf_skip(&bytes, length);
        unit.end = bytes.at;
        read_unit(reading, unit, offset_size);
    }
}

static void
read_table(struct reading *reading)
{
    size_t size = 0;
    unsigned char *lines = hpm_elffile_read(
        reading->file, hpm_elffile_named(reading->file, ".debug_line"), &size);
    char *texts;

    if (lines == NULL)
        return;
    texts = hpm_elffile_read(
        reading->file, hpm_elffile_named(reading->file, ".debug_line_str"),
        &reading->texts_size);
    reading->texts = texts;
    if (texts == NULL)
        reading->texts_size = 0;
    read_units(reading, (struct hpm_dwarf){lines, lines + size, false});
    hpm_memory_free(reading->folders.list);
    hpm_memory_free(reading->files.list);
    hpm_memory_free(texts);
    hpm_memory_free(lines);
}

void
hpm_linetable_fill(struct hpm_elfsymbols *symbols,
                   const struct hpm_elffile *file)
{
    struct reading reading = {.file = file, .symbols = symbols};

    if (symbols->n == 0)
        return;
    if (make_index(&reading.index, symbols))
        read_table(&reading);
    hpm_memory_free(reading.index.places);
}

bool
hpm_linetable_find(const struct hpm_elffile *file, uintptr_t address,
                   const char **ret_path, int *ret_line)
{
    struct reading reading = {.file = file, .search = {.address = address}};

    read_table(&reading);
    if (reading.search.path == NULL)
        return false;
    *ret_path = reading.search.path;
    *ret_line = reading.search.line;
    return true;
}
