/* SPDX-License-Identifier: BSD-3-Clause
 * The formats of sentences in gettext's catalogue. gettext looks up a text but
 * has no call to list all texts, so the catalogue's file is read here. */
#include "study/words/formats.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/memory.h"
#include "study/words/words.h"

/* The head of a catalogue file, as in gettext's manual. */
struct head {
    uint32_t magic, revision, n_texts, at_texts;
};

struct text {
    uint32_t length, at;
};

enum { MAGIC = 0x950412de, LARGEST = 64 << 20 };

static char *content;
static const char **formats;
static size_t n_formats;
static bool is_read;

/* Read the whole file, and add a zero byte. */
static char *
read_whole(FILE *file, size_t *ret_size)
{
    char *bytes = NULL;
    long size;

    if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 ||
        size > LARGEST)
        return NULL;
    rewind(file);
    bytes = hpm_memory_new((size_t)size + 1, 1);
    if (bytes != NULL && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        hpm_memory_free(bytes);
        bytes = NULL;
    }
    *ret_size = (size_t)size;
    return bytes;
}

/* Is this a format of a sentence: with an argument and a word besides? */
static bool
is_format(const char *text)
{
    return strchr(text, '%') != NULL && strchr(text, ' ') != NULL;
}

static void
list_formats(size_t size)
{
    struct head head;
    struct text text;

    if (size < sizeof head)
        return;
    memcpy(&head, content, sizeof head);
    if (head.magic != MAGIC || head.at_texts > size ||
        head.n_texts > (size - head.at_texts) / sizeof text)
        return;
    formats = hpm_memory_new(head.n_texts, sizeof *formats);
    for (size_t i = 0; i < head.n_texts && formats != NULL; i++) {
        memcpy(&text, content + head.at_texts + i * sizeof text, sizeof text);
        if (text.at < size && is_format(content + text.at))
            formats[n_formats++] = content + text.at;
    }
}

static void
read_formats(void)
{
    char *path = hpm_words_file();
    FILE *file = path != NULL ? fopen(path, "re") : NULL;
    size_t size = 0;

    is_read = true;
    hpm_memory_free(path);
    if (file == NULL)
        return;
    content = read_whole(file, &size);
    fclose(file);
    if (content != NULL)
        list_formats(size);
}

size_t
hpm_formats_count(void)
{
    if (!is_read)
        read_formats();
    return n_formats;
}

const char *
hpm_formats_get(size_t i)
{
    return formats[i];
}
