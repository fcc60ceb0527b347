/* SPDX-License-Identifier: BSD-3-Clause
 * The file and line of each function, of tables of lines made byte by byte as the DWARF
 * standard says (version 5, section 6.2; version 2 to 4 in theirs). */
#include "elf/linetable.h"

#include <elf.h>

#include "host/memory.h"
#include "elf/image.h"
#include "tap.h"

/* ---- a table of lines ----------------------------------------------------- */

static unsigned char table[8192];
static size_t n_bytes;

static void
put(uint64_t number, size_t size)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(table + n_bytes, &number, size);
#else
    memcpy(table + n_bytes, (char *)&number + sizeof number - size, size);
#endif
    n_bytes += size;
}

static void
put_text(const char *text)
{
    strcpy((char *)table + n_bytes, text);
    n_bytes += strlen(text) + 1;
}

static void
put_leb128(uint64_t number)
{
    do {
        put((number & 0x7f) | (number > 0x7f ? 0x80 : 0), 1);
        number >>= 7;
    } while (number != 0);
}

/* A number of -64 to 63 in one byte, another one in two. */
static void
put_signed(int number)
{
    bool is_short = number >= -64 && number < 64;

    put(((uint64_t)number & 0x7f) | (is_short ? 0 : 0x80), 1);
    if (!is_short)
        put((uint64_t)(number >> 7) & 0x7f, 1);
}

static void
put_at(size_t at, uint64_t number, size_t size)
{
    size_t n = n_bytes;

    n_bytes = at;
    put(number, size);
    n_bytes = n;
}

/* How the unit at hand is written. */
static struct {
    unsigned version;
    size_t offset_size;
    unsigned least_step;
    size_t start;  /* behind the unit's length */
    size_t header; /* behind the header's length */
} unit;

enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 14 };
enum {
    ADVANCE_PC = 2,
    ADVANCE_LINE,
    SET_FILE,
    SET_COLUMN,
    NEGATE_STATEMENT,
    SET_BASIC_BLOCK,
    CONST_ADD_PC,
    FIXED_ADVANCE_PC,
    UNKNOWN = 13
};
/* The step of CONST_ADD_PC: that of the opcode 255. */
enum { CONST_STEP = (255 - OPCODE_BASE) / LINE_RANGE };

static void
begin_unit(unsigned version, size_t offset_size, unsigned least_step)
{
    static const unsigned char lengths[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0,
                                                           0, 1, 0, 0, 1, 2};

    unit.version = version;
    unit.offset_size = offset_size;
    unit.least_step = least_step;
    if (offset_size == 8)
        put(0xffffffff, 4);
    put(0, offset_size);
    unit.start = n_bytes;
    put(version, 2);
    if (version == 5) {
        put(sizeof(void *), 1);
        put(0, 1);
    }
    put(0, offset_size);
    unit.header = n_bytes;
    put(least_step, 1);
    if (version >= 4)
        put(1, 1);
    put(1, 1);
    put((uint64_t)LINE_BASE, 1);
    put(LINE_RANGE, 1);
    put(OPCODE_BASE, 1);
    memcpy(table + n_bytes, lengths, sizeof lengths);
    n_bytes += sizeof lengths;
}

static void
end_header(void)
{
    put_at(unit.header - unit.offset_size, n_bytes - unit.header,
           unit.offset_size);
}

static void
end_unit(void)
{
    put_at(unit.start - unit.offset_size, n_bytes - unit.start,
           unit.offset_size);
}

/* Folders "/one" and "two"; files "first.c" of the compilation's folder, "second.c"
 * of "/one", "third.c" of "two", "/fourth.c". */
static void
put_old_names(void)
{
    static const char *const files[] = {"first.c", "second.c", "third.c",
                                        "/fourth.c"};

    put_text("/one");
    put_text("two");
    put(0, 1);
    for (unsigned i = 0; i < 4; i++) {
        put_text(files[i]);
        put_leb128(i % 3);
        put_leb128(200); /* time */
        put_leb128(300); /* size */
    }
    put(0, 1);
    end_header();
}

static void
begin_sequence(uint64_t address)
{
    put(0, 1);
    put_leb128(1 + sizeof(void *));
    put(2, 1);
    put(address, sizeof(void *));
}

static void
end_sequence(void)
{
    put(0, 1);
    put_leb128(1);
    put(1, 1);
}

static void
add_row(unsigned file, int line_step)
{
    put(SET_FILE, 1);
    put_leb128(file);
    put(ADVANCE_LINE, 1);
    put_signed(line_step);
    put(1, 1); /* copy */
}

/* ---- a program with it -------------------------------------------------------- */

static struct image image;
static const char texts[] = "/home\0sub\0a.c\0b.c";
enum { TEXT_HOME, TEXT_SUB = 6, TEXT_A = 10, TEXT_B = 14 };

/* Ten functions, f0 at `IMAGE_CODE`, each 0x10 from the one before, and f10 in data. */
enum { STEP = 0x10, N_FUNCTIONS = 10 };
#define AT(i) (IMAGE_CODE + (i)*STEP)

static struct hpm_elfsymbols functions;

/* Paths live for ever in a measured program.  Functions of one file share theirs. */
static void
free_paths(void)
{
    for (size_t i = 0; i < functions.n; i++) {
        const char *path = functions.list[i].file;

        for (size_t j = i; path != NULL && j < functions.n; j++) {
            if (functions.list[j].file == path)
                functions.list[j].file = NULL;
        }
        hpm_memory_free((char *)(uintptr_t)path);
    }
}

static void
make_functions(void)
{
    static struct hpm_symbol list[N_FUNCTIONS + 1];

    free_paths();
    functions = (struct hpm_elfsymbols){.list = list, .n = N_FUNCTIONS + 1};
    for (size_t i = 0; i < N_FUNCTIONS; i++)
        list[i] = (struct hpm_symbol){.address = AT(i), .name = "f"};
    list[N_FUNCTIONS] = (struct hpm_symbol){
        .address = IMAGE_CODE + IMAGE_CODE_SIZE, .name = "data"};
}

static void
open_image(struct hpm_elffile *file)
{
    image_begin(&image);
    image_add(&image, ".debug_line_str", SHT_PROGBITS, texts, sizeof texts);
    image_add(&image, ".debug_line", SHT_PROGBITS, table, n_bytes);
    image_end(&image, false);
    if (!hpm_elffile_open(file, image_path(&image, SIZE_MAX)))
        abort();
}

static void
fill(void)
{
    struct hpm_elffile file;

    open_image(&file);
    make_functions();
    hpm_linetable_fill(&functions, &file);
    hpm_elffile_close(&file);
}

static void
is_place(size_t i, const char *path, int line, const char *sentence)
{
    const struct hpm_symbol *symbol = &functions.list[i];

    is_text(symbol->file, path, sentence);
    is_count((uint64_t)symbol->line, (uint64_t)line, sentence);
}

/* ---- tests -------------------------------------------------------------------- */

static void
test_old(unsigned version, size_t offset_size)
{
    n_bytes = 0;
    begin_unit(version, offset_size, 1);
    put_old_names();
    begin_sequence(AT(0));
    add_row(1, 9);
    begin_sequence(AT(1));
    add_row(2, 100);
    begin_sequence(AT(2));
    add_row(3, -70);
    begin_sequence(AT(3));
    add_row(4, 0);
    begin_sequence(AT(4));
    add_row(5, 0); /* there is none */
    end_sequence();
    end_unit();
    fill();
    is_place(0, "first.c", 10, "a file of the compilation's folder");
    is_place(1, "/one/second.c", 110, "a file of a folder");
    is_place(2, "two/third.c", 40, "a file of a folder that is not absolute");
    is_place(3, "/fourth.c", 40, "a file with a whole path");
    is_place(4, NULL, 0, "a file that is not listed is not known");
    is_place(5, NULL, 0, "a function without a row is not known");
}

/* All opcodes that move on, with instructions of two bytes. */
static void
test_opcodes(void)
{
    n_bytes = 0;
    begin_unit(4, 4, 2);
    put_old_names();
    begin_sequence(AT(0));
    put(OPCODE_BASE + (3 - LINE_BASE) + 8 * LINE_RANGE, 1); /* 16 bytes, +3 */
    put(ADVANCE_PC, 1);
    put_leb128(STEP / 2);
    put(1, 1);
    put(FIXED_ADVANCE_PC, 1);
    put(STEP, 2);
    put(SET_COLUMN, 1);
    put_leb128(300);
    put(NEGATE_STATEMENT, 1);
    put(SET_BASIC_BLOCK, 1);
    put(UNKNOWN, 1);
    put_leb128(300);
    put_leb128(7);
    add_row(2, 1);
    put(CONST_ADD_PC, 1);
    put(FIXED_ADVANCE_PC, 1);
    put(3 * STEP - 2 * CONST_STEP, 2);
    put(0, 1); /* an extended opcode that nobody knows */
    put_leb128(3);
    put(4, 1);
    put_leb128(300);
    put(1, 1);
    add_row(1, 5); /* the same address again */
    end_sequence();
    begin_sequence(AT(8));
    put(1, 1);
    end_sequence();
    end_unit();
    fill();
    is_place(0, NULL, 0, "no row stands at the begin");
    is_place(1, "first.c", 4, "a special opcode has address and line");
    is_place(2, "first.c", 4, "a number of instructions is of their size");
    is_place(3, "/one/second.c", 5, "a fixed step is of bytes");
    is_place(6, "/one/second.c", 5, "of two rows of one address the first");
    is_place(8, "first.c", 1, "a new sequence begins in file 1, line 1");
}

static void
test_left_out(void)
{
    n_bytes = 0;
    begin_unit(4, 4, 1);
    put_old_names();
    begin_sequence(0); /* left out by the linker */
    put(ADVANCE_PC, 1);
    put_leb128(AT(0));
    add_row(1, 50);
    end_sequence();
    begin_sequence(IMAGE_CODE + IMAGE_CODE_SIZE);
    add_row(1, 60);
    end_sequence();
    begin_sequence(AT(1));
    add_row(1, -1); /* line 0: of no line */
    end_sequence();
    begin_sequence(AT(2));
    add_row(1, 6);
    end_sequence();
    end_unit();
    fill();
    is_place(0, NULL, 0, "rows of code that was left out are nobody's");
    is_place(N_FUNCTIONS, NULL, 0, "data has no lines");
    is_place(1, NULL, 0, "the line 0 is none");
    is_place(2, "first.c", 7, "rows behind them are read");
}

/* Units that cannot be read, and one that can. */
static void
test_damaged(void)
{
    size_t good;

    n_bytes = 0;
    begin_unit(6, 4, 1); /* a version to come */
    put_old_names();
    begin_sequence(AT(0));
    add_row(1, 0);
    end_unit();
    begin_unit(1, 4, 1);
    put_old_names();
    begin_sequence(AT(0));
    add_row(1, 0);
    end_unit();
    begin_unit(4, 4, 1);
    table[n_bytes - OPCODE_BASE + 1 - 2] = 0; /* line_range */
    put_old_names();
    begin_sequence(AT(0));
    add_row(1, 0);
    end_unit();
    good = n_bytes;
    begin_unit(4, 4, 1);
    put_old_names();
    begin_sequence(AT(1));
    add_row(2, 1);
    end_unit();
    fill();
    is_place(0, NULL, 0, "a unit that cannot be read says nothing");
    is_place(1, "/one/second.c", 2, "the unit behind it is read");
    for (size_t end = n_bytes; n_bytes > good;) {
        n_bytes--;
        fill();
        if (functions.list[1].file != NULL &&
            (n_bytes + 1 != end ||
             strcmp(functions.list[1].file, "/one/second.c") != 0))
            break;
    }
    is_count(n_bytes, good, "a unit that is cut says nothing that is wrong");
}

/* ---- version 5 ------------------------------------------------------------- */

enum { PATH = 1, FOLDER, TIME, SIZE, MD5 };
enum {
    FORM_DATA2 = 5,
    FORM_DATA4,
    FORM_DATA8,
    FORM_STRING,
    FORM_BLOCK,
    FORM_DATA1 = 0x0b,
    FORM_STRP = 0x0e,
    FORM_UDATA,
    FORM_DATA16 = 0x1e,
    FORM_LINE_STRP
};

/* A folder's number in that form. */
static void
put_form(unsigned form, unsigned number)
{
    if (form == FORM_UDATA)
        put_leb128(number);
    else
        put(number, form == FORM_DATA1   ? 1
                    : form == FORM_DATA2 ? 2
                    : form == FORM_DATA4 ? 4
                                         : 8);
}

/* "/home" and "sub"; "a.c" of "/home" twice, "b.c" of "sub"; after its path and folder
 * each file has a checksum, a block and a place in .debug_str, which nobody reads. */
static void
put_new_names(unsigned folder_form)
{
    static const unsigned files[][2] = {{TEXT_A, 0}, {TEXT_A, 0}, {TEXT_B, 1}};

    put(1, 1);
    put_leb128(PATH);
    put_leb128(FORM_LINE_STRP);
    put_leb128(2);
    put(TEXT_HOME, unit.offset_size);
    put(TEXT_SUB, unit.offset_size);
    put(5, 1);
    put_leb128(MD5);
    put_leb128(FORM_DATA16);
    put_leb128(PATH);
    put_leb128(FORM_LINE_STRP);
    put_leb128(TIME);
    put_leb128(FORM_BLOCK);
    put_leb128(FOLDER);
    put_leb128(folder_form);
    put_leb128(0x2001); /* a vendor's own */
    put_leb128(FORM_STRP);
    put_leb128(3);
    for (unsigned i = 0; i < 3; i++) {
        put(UINT64_MAX, 8);
        put(UINT64_MAX, 8);
        put(files[i][0], unit.offset_size);
        put_leb128(2);
        put(0xffff, 2);
        put_form(folder_form, files[i][1]);
        put(UINT64_MAX, unit.offset_size);
    }
    end_header();
}

static void
test_new(unsigned folder_form, size_t offset_size)
{
    n_bytes = 0;
    begin_unit(5, offset_size, 1);
    put_new_names(folder_form);
    begin_sequence(AT(0));
    add_row(0, 9);
    begin_sequence(AT(1));
    add_row(2, 1);
    begin_sequence(AT(2));
    add_row(3, 1);
    end_sequence();
    end_unit();
    fill();
    is_place(0, "/home/a.c", 10, "a file counts from 0, its path is whole");
    is_place(1, "/home/sub/b.c", 11, "a folder within the compilation's");
    is_place(2, NULL, 0, "a file that is not listed");
}

/* One file, whose path stands in the header; and a form that nobody knows. */
static void
test_forms(void)
{
    n_bytes = 0;
    for (size_t i = 0; i < 2; i++) {
        begin_unit(5, 4, 1);
        put(1, 1);
        put_leb128(PATH);
        put_leb128(FORM_STRING);
        put_leb128(1);
        put_text("");
        put(2, 1);
        put_leb128(PATH);
        put_leb128(FORM_STRING);
        put_leb128(SIZE);
        put_leb128(i == 0 ? 0x7f : FORM_DATA4);
        put_leb128(1);
        put_text("own.c");
        put(0, 4);
        end_header();
        begin_sequence(AT(i));
        add_row(0, 2);
        end_sequence();
        end_unit();
    }
    fill();
    is_place(0, NULL, 0, "a form that nobody knows: the unit is left out");
    is_place(1, "own.c", 3, "a path that stands in the header");
}

/* ---- one instruction ---------------------------------------------------------- */

static void
is_found(uintptr_t address, const char *path, int line, const char *sentence)
{
    struct hpm_elffile file;
    const char *found = "untouched";
    int found_line = 77;
    bool is_there;

    open_image(&file);
    is_there = hpm_linetable_find(&file, address, &found, &found_line);
    hpm_elffile_close(&file);
    ok(is_there == (path != NULL) &&
           strcmp(found, path != NULL ? path : "untouched") == 0 &&
           found_line == (path != NULL ? line : 77),
       sentence);
    if (is_there)
        hpm_memory_free((char *)(uintptr_t)found);
}

static void
test_find(void)
{
    n_bytes = 0;
    begin_unit(4, 4, 1);
    put_old_names();
    begin_sequence(AT(0));
    add_row(1, 9);
    put(ADVANCE_PC, 1);
    put_leb128(4);
    add_row(2, 10);
    put(ADVANCE_PC, 1);
    put_leb128(4);
    end_sequence();
    begin_sequence(AT(2));
    add_row(1, 29);
    put(ADVANCE_PC, 1);
    put_leb128(4);
    add_row(1, -30); /* of no line */
    put(ADVANCE_PC, 1);
    put_leb128(4);
    end_sequence();
    end_unit();
    is_found(AT(0) - 1, NULL, 0, "before the first row is no line");
    is_found(AT(0), "first.c", 10, "a row's own instruction");
    is_found(AT(0) + 3, "first.c", 10, "the last one before the next row");
    is_found(AT(0) + 4, "/one/second.c", 20, "the next row's own");
    is_found(AT(0) + 7, "/one/second.c", 20, "the last one of a sequence");
    is_found(AT(0) + 8, NULL, 0, "the end of a sequence is not of it");
    is_found(AT(1), NULL, 0, "between sequences is no line");
    is_found(AT(2) + 1, "first.c", 30, "a later sequence");
    is_found(AT(2) + 5, NULL, 0, "a row of line 0 is of no line");
}

int
main(void)
{
    test_old(2, 4);
    test_old(3, 8);
    test_old(4, 4);
    test_opcodes();
    test_left_out();
    test_damaged();
    test_new(FORM_UDATA, 4);
    test_new(FORM_DATA1, 8);
    test_new(FORM_DATA2, 4);
    test_new(FORM_DATA4, 4);
    test_new(FORM_DATA8, 4);
    test_forms();
    test_find();
    return done();
}
