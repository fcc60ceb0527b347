/* SPDX-License-Identifier: BSD-3-Clause
 * ELF files and their functions, also of damaged files. */
#include "elf/elffile.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include "elf/elfsymbols.h"
#include "host/memory.h"
#include "elf/image.h"
#include "tap.h"

#define SYMBOL(name, address, length, type, section)                           \
    {                                                                          \
        .st_name = (name), .st_value = (address), .st_size = (length),         \
        .st_info = (type), .st_shndx = (section)                               \
    }

/* Places of names in `strings`. */
enum { NAME_B = 1, NAME_A = 3, NAME_C = 5, NAME_D = 7, NAME_LAST = 9 };
static const char strings[] = "\0b\0a\0c\0d\0last";

static const ElfW(Sym) symbols[] = {
    SYMBOL(0, 0, 0, STT_NOTYPE, SHN_UNDEF),
    SYMBOL(NAME_LAST, 0x1400, 4, STT_FUNC, 1),
    SYMBOL(NAME_B, 0x1100, 16, STT_FUNC, 1),
    SYMBOL(NAME_A, 0x1100, 16, STT_FUNC, 1),        /* of the same address */
    SYMBOL(NAME_C, 0x1200, 8, STT_OBJECT, 1),       /* no function */
    SYMBOL(NAME_D, 0x1300, 8, STT_FUNC, SHN_UNDEF), /* of a library */
    SYMBOL(0, 0x1310, 8, STT_FUNC, 1),              /* without a name */
    SYMBOL(sizeof strings, 0x1320, 8, STT_FUNC, 1), /* behind all names */
    SYMBOL(NAME_C, 0x1000, 32, STT_FUNC, 1),
};

static struct image image;

/* With a table of symbols of that type, unless it is SHT_NULL. */
static void
make(unsigned type)
{
    size_t table, names;

    image_begin(&image);
    image_add(&image, ".text", SHT_PROGBITS, "code", 4);
    if (type != SHT_NULL) {
        table = image_add(&image, ".table", type, symbols, sizeof symbols);
        names =
            image_add(&image, ".names", SHT_STRTAB, strings, sizeof strings);
        image.sections[table].sh_link = (uint32_t)names;
    }
}

static size_t
count_functions(void)
{
    struct hpm_elfsymbols read = {0};
    struct hpm_elffile file;
    size_t n;

    if (!hpm_elffile_open(&file, image_path(&image, SIZE_MAX)))
        return SIZE_MAX;
    hpm_elfsymbols_read(&read, &file);
    hpm_elffile_close(&file);
    n = read.n;
    hpm_elfsymbols_clear(&read);
    return n;
}

static void
test_symbols(unsigned type)
{
    struct hpm_elfsymbols read = {0};
    struct hpm_elffile file;

    make(type);
    image_end(&image, false);
    ok(hpm_elffile_open(&file, image_path(&image, SIZE_MAX)),
       "a program is opened");
    hpm_elfsymbols_read(&read, &file);
    hpm_elffile_close(&file);
    is_count(read.n, 3, "functions that are defined, one for each address");
    if (read.n != 3)
        return;
    is_text(read.list[0].name, "c", "they are in the order of addresses");
    is_text(read.list[1].name, "a", "of two names the first by alphabet");
    is_text(read.list[2].name, "last", "the last one");
    ok(read.list[0].size == 32 && read.list[1].size == 16, "their sizes");
    ok(read.list[0].address == 0x1000 && read.list[0].file == NULL &&
           read.list[0].line == 0,
       "no function has a file and a line yet");
    ok(hpm_elfsymbols_at(&read, 0x1000) == &read.list[0] &&
           hpm_elfsymbols_at(&read, 0x1100) == &read.list[1] &&
           hpm_elfsymbols_at(&read, 0x1400) == &read.list[2],
       "each is found by its address");
    ok(hpm_elfsymbols_at(&read, 0xfff) == NULL &&
           hpm_elfsymbols_at(&read, 0x1001) == NULL &&
           hpm_elfsymbols_at(&read, 0x1401) == NULL,
       "at no other address is one found");
    ok(hpm_elfsymbols_named(&read, "last") == 0x1400, "one is found by name");
    ok(hpm_elfsymbols_named(&read, "d") == 0, "one of a library is not");
    hpm_elfsymbols_clear(&read);
    ok(hpm_elfsymbols_at(&read, 0x1000) == NULL, "none is left when cleared");
}

static void
test_tables(void)
{
    make(SHT_NULL);
    image_end(&image, false);
    is_count(count_functions(), 0, "a program without a table of symbols");
    make(SHT_SYMTAB);
    image.sections[2].sh_link = IMAGE_SECTIONS;
    image_end(&image, false);
    is_count(count_functions(), 0, "a table whose names are in no section");
    make(SHT_SYMTAB);
    image_end(&image, true);
    is_count(count_functions(), 3,
             "the number of sections stands in the first one");
    make(SHT_SYMTAB);
    image.sections[3].sh_flags = SHF_COMPRESSED;
    image_end(&image, false);
    is_count(count_functions(), 0, "names that are compressed are not read");
    make(SHT_SYMTAB);
    image.sections[2].sh_size = sizeof symbols[0] * 4 - 1;
    image_end(&image, false);
    is_count(count_functions(), 2, "a part of a symbol is none");
}

static void
test_sections(void)
{
    struct hpm_elffile file;
    size_t size;
    char *bytes;

    make(SHT_SYMTAB);
    image_add(&image, ".bss", SHT_NOBITS, NULL, 0);
    image.sections[4].sh_size = 4;
    image_add(&image, ".empty", SHT_PROGBITS, NULL, 0);
    image_end(&image, false);
    image.parts[IMAGE_PARTS - 1].p_type = PT_NOTE;
    hpm_elffile_open(&file, image_path(&image, SIZE_MAX));
    bytes = hpm_elffile_read(&file, hpm_elffile_named(&file, ".text"), &size);
    ok(bytes != NULL && size == 4, "a section's bytes are read");
    is_text(bytes, "code", "and a 0 stands behind them");
    hpm_memory_free(bytes);
    ok(hpm_elffile_typed(&file, SHT_SYMTAB) ==
           hpm_elffile_named(&file, ".table"),
       "a section is found by its type");
    ok(hpm_elffile_typed(&file, SHT_DYNSYM) == NULL, "there is no such type");
    ok(hpm_elffile_named(&file, ".shstrtab") != NULL, "the last section");
    ok(hpm_elffile_named(&file, ".tex") == NULL, "no section has that name");
    ok(hpm_elffile_read(&file, NULL, &size) == NULL && size == 0,
       "no section, no bytes");
    ok(hpm_elffile_read(&file, hpm_elffile_named(&file, ".bss"), &size) ==
               NULL &&
           size == 0,
       "a section without bytes in the file has none");
    ok(hpm_elffile_read(&file, hpm_elffile_named(&file, ".empty"), &size) ==
           NULL,
       "an empty section has none");
    ok(hpm_elffile_has_part(&file, PT_LOAD), "the first part's type");
    ok(hpm_elffile_has_part(&file, PT_NOTE), "the last part's type");
    ok(!hpm_elffile_has_part(&file, PT_INTERP), "no part of that type");
    hpm_elffile_close(&file);
    ok(file.descriptor == -1 && file.n_parts == 0, "a closed file is empty");
}

static bool
opens(size_t size)
{
    struct hpm_elffile file;
    bool is_open = hpm_elffile_open(&file, image_path(&image, size));

    if (is_open)
        hpm_elffile_close(&file);
    return is_open;
}

/* Has the file sections? */
static bool
has_sections(size_t size)
{
    struct hpm_elffile file;
    bool has;

    if (!hpm_elffile_open(&file, image_path(&image, size)))
        return false;
    has = file.n_sections > 0 && file.sections != NULL;
    hpm_elffile_close(&file);
    return has;
}

static void
test_damaged(void)
{
    make(SHT_SYMTAB);
    image_end(&image, false);
    ok(!opens(sizeof image.header - 1), "a file shorter than its header");
    ok(!opens(IMAGE_START - 1), "a file without all its parts");
    ok(opens(IMAGE_START), "a file that has its parts and nothing else");
    ok(!has_sections(IMAGE_START), "has no sections");
    ok(!has_sections(IMAGE_START + image.size - 1), "sections that are cut");
    ok(has_sections(SIZE_MAX), "the whole file has sections");
    image.header.e_shstrndx = image.header.e_shnum;
    ok(!has_sections(SIZE_MAX), "the section of names is behind the last one");
    image.header.e_shstrndx--;
    image.header.e_shentsize--;
    ok(!has_sections(SIZE_MAX), "headers of sections of another size");
    image.header.e_shentsize++;
    image.header.e_phentsize--;
    ok(!opens(SIZE_MAX), "headers of parts of another size");
    image.header.e_phentsize++;
    image.header.e_ident[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
    ok(!opens(SIZE_MAX), "a file of another word size");
    image.header.e_ident[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
    image.header.e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
    ok(!opens(SIZE_MAX), "a file of another order of bytes");
    image.header.e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
    image.header.e_ident[EI_MAG3]++;
    ok(!opens(SIZE_MAX), "a file of another kind");
}

/* Each file that cannot be read is closed. */
static void
test_descriptors(void)
{
    int before = dup(0), after;

    close(before);
    image.header.e_ident[EI_MAG3]--;
    has_sections(SIZE_MAX);
    opens(sizeof image.header - 1);
    opens(SIZE_MAX);
    close(open("/dev/null", O_RDONLY));
    after = dup(0);
    close(after);
    ok(before == after, "no descriptor is left open");
    ok(!opens(0), "an empty file");
}

int
main(void)
{
    test_symbols(SHT_SYMTAB);
    test_symbols(SHT_DYNSYM);
    test_tables();
    test_sections();
    test_damaged();
    test_descriptors();
    return done();
}
