/* SPDX-License-Identifier: BSD-3-Clause
 * Separate debug files. */
#include "functions/separate.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"

static const char all_files[] = "/usr/lib/debug";

struct build_id {
    uint8_t bytes[64]; /* linkers make 16 or 20 */
    size_t n;          /* 0: the file has none */
};

/* A note is a head, the name "GNU", and the ID. */
static struct build_id
find_build_id(const struct hpm_elffile *file)
{
    enum { HEAD = sizeof(ElfW(Nhdr)), NAME = sizeof "GNU" };
    struct build_id id = {.n = 0};
    size_t size = 0;
    char *note = hpm_elffile_read(
        file, hpm_elffile_named(file, ".note.gnu.build-id"), &size);
    ElfW(Nhdr) head;

    if (note != NULL && size > HEAD + NAME) {
        memcpy(&head, note, HEAD);
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == NAME &&
            head.n_descsz <= sizeof id.bytes &&
            head.n_descsz <= size - HEAD - NAME) {
            id.n = head.n_descsz;
            memcpy(id.bytes, note + HEAD + NAME, id.n);
        }
    }
    hpm_memory_free(note);
    return id;
}

static bool
open_if_right(struct hpm_elffile *ret_file, const struct hpm_string *path,
              const struct build_id *id)
{
    struct build_id its;

    if (path->failed || !hpm_elffile_open(ret_file, hpm_string_text(path)))
        return false;
    its = find_build_id(ret_file);
    if (its.n == id->n && memcmp(its.bytes, id->bytes, id->n) == 0)
        return true;
    hpm_elffile_close(ret_file);
    return false;
}

static bool
open_by_id(struct hpm_elffile *ret_file, const struct build_id *id)
{
    struct hpm_string path = {0};
    bool is_open;

    hpm_string_add_format(&path, "%s/.build-id/%02x/", all_files, id->bytes[0]);
    for (size_t i = 1; i < id->n; i++)
        hpm_string_add_format(&path, "%02x", id->bytes[i]);
    hpm_string_add(&path, ".debug");
    is_open = open_if_right(ret_file, &path, id);
    hpm_string_free(&path);
    return is_open;
}

/* The folder of the file itself, with a slash at its end; "" where it is not known. */
static void
add_folder(struct hpm_string *folder, const char *path)
{
    char real[4096];
    ssize_t n = readlink(path, real, sizeof real - 1);
    const char *end;

    real[n > 0 ? n : 0] = '\0';
    if (real[0] == '/') /* another link is as good as its file's name */
        path = real;
    end = strrchr(path, '/');
    if (end != NULL)
        hpm_string_add_bytes(folder, path, (size_t)(end - path) + 1);
}

static bool
open_by_link(struct hpm_elffile *ret_file, const char *link, const char *path,
             const struct build_id *id)
{
    struct hpm_string folder = {0};
    bool is_open = false;

    add_folder(&folder, path);
    for (int i = 0; i < 3 && !is_open; i++) {
        struct hpm_string candidate = {0};

        hpm_string_add_format(&candidate, "%s%s%s%s", i == 2 ? all_files : "",
                              hpm_string_text(&folder), i == 1 ? ".debug/" : "",
                              link);
        is_open = open_if_right(ret_file, &candidate, id);
        hpm_string_free(&candidate);
    }
    hpm_string_free(&folder);
    return is_open;
}

bool
hpm_separate_open(struct hpm_elffile *ret_file, const struct hpm_elffile *of,
                  const char *path)
{
    struct build_id id = find_build_id(of);
    size_t size = 0;
    char *link;
    bool is_open;

    if (id.n == 0)
        return false;
    if (open_by_id(ret_file, &id))
        return true;
    link = hpm_elffile_read(of, hpm_elffile_named(of, ".gnu_debuglink"), &size);
    is_open = link != NULL && strchr(link, '/') == NULL &&
              open_by_link(ret_file, link, path, &id);
    hpm_memory_free(link);
    return is_open;
}
