/* SPDX-License-Identifier: BSD-3-Clause
 * A table of numbers embedded in a page. */
#include "study/html/block.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "host/memory.h"
#include "study/html/base64.h"
#include "study/report/format.h"

/* ---- packing --------------------------------------------------------- */

void
hpm_block_add_packed(struct hpm_string *page, const void *bytes, size_t length)
{
    uLongf n = compressBound(length);
    Bytef *packed = hpm_memory_take(n + 1);

    if (packed == NULL ||
        compress2(packed, &n, bytes, length, Z_DEFAULT_COMPRESSION) != Z_OK)
        page->failed = true;
    else
        hpm_base64_add(page, packed, n);
    hpm_memory_free(packed);
}

/* ---- columns --------------------------------------------------------- */

/* What a column must be able to hold: the smallest kind is used that holds all
 * its numbers exactly as a report writes them. */
struct need {
    bool has_any, has_minus, has_real, has_seconds, has_count;
    uint64_t most;
};

static struct need
find_need(const struct hpm_number *numbers, size_t stride, size_t n)
{
    struct need need = {0};

    for (size_t i = 0; i < n; i++) {
        struct hpm_number number = numbers[i * stride];

        need.has_any |= number.kind != HPM_NUMBER_NONE;
        need.has_real |= number.kind == HPM_NUMBER_REAL;
        need.has_seconds |= hpm_number_is_seconds(number);
        need.has_count |=
            number.kind == HPM_NUMBER_COUNT || number.kind == HPM_NUMBER_MINUS;
        need.has_minus |= number.kind == HPM_NUMBER_MINUS ||
                          number.kind == HPM_NUMBER_MINUS_SECONDS;
        if (number.kind != HPM_NUMBER_REAL && number.kind != HPM_NUMBER_NONE &&
            number.amount > need.most)
            need.most = number.amount;
    }
    return need;
}

static char
choose_kind(const struct need *need)
{
    if (need->has_real || (need->has_seconds && need->has_count) ||
        need->most > (uint64_t)INT64_MAX)
        return 'f';
    if (need->has_seconds)
        return 's';
    if (need->has_minus || need->most >= (UINT64_C(1) << 48) - 1)
        return 'c';
    if (need->most >= UINT32_MAX)
        return 'd';
    return need->most < UINT8_MAX ? 'b' : 'w';
}

/* The bits of a number in a column of this kind. */
static uint64_t
to_bits(struct hpm_number number, char kind)
{
    bool is_none = number.kind == HPM_NUMBER_NONE;
    uint64_t bits = 0;
    double real;

    if (kind == 'f') {
        real = is_none ? NAN : hpm_number_to_real(number);
        memcpy(&bits, &real, sizeof bits);
        return bits;
    }
    if (is_none)
        return kind == 'c' || kind == 's' ? UINT64_C(1) << 63 : UINT64_MAX;
    if (number.kind == HPM_NUMBER_MINUS ||
        number.kind == HPM_NUMBER_MINUS_SECONDS)
        return -number.amount;
    return number.amount;
}

void
hpm_block_add_column(struct hpm_block *block, const char *name,
                     const struct hpm_number *numbers, size_t stride)
{
    struct need need = find_need(numbers, stride, block->n_rows);
    char kind = choose_kind(&need);
    size_t n_bytes = kind == 'b' ? 1 : kind == 'w' ? 4 : kind == 'd' ? 6 : 8;
    size_t n = block->n_rows;
    unsigned char *bytes;

    if (!need.has_any)
        return;
    bytes = hpm_memory_take(n * n_bytes);
    if (bytes == NULL) {
        block->bytes.failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = to_bits(numbers[i * stride], kind);

        for (size_t j = 0; j < n_bytes; j++)
            bytes[j * n + i] = (unsigned char)(bits >> 8 * j);
    }
    hpm_string_add_bytes(&block->bytes, (const char *)bytes, n * n_bytes);
    hpm_memory_free(bytes);
    hpm_string_add(&block->names, block->names.length > 0 ? ",[" : "[");
    hpm_json_add_text(&block->names, name);
    hpm_string_add_format(&block->names, ",\"%c\"]", kind);
}

/* Is `json` the last text?  The quote that begins a text stands at the start or
 * after a comma; a quote inside a text has a backslash before it. */
static bool
ends_with(const struct hpm_string *texts, const struct hpm_string *json)
{
    size_t start = texts->length - json->length;

    return texts->length >= json->length &&
           (start == 0 || texts->text[start - 1] == ',') &&
           memcmp(hpm_string_text(texts) + start, hpm_string_text(json),
                  json->length) == 0;
}

struct hpm_number
hpm_block_add_text(struct hpm_block *block, const char *text)
{
    struct hpm_string json = {0};
    struct hpm_string *texts = &block->texts;

    hpm_json_add_text(&json, text);
    if (!ends_with(texts, &json)) {
        hpm_string_add(texts, block->n_texts > 0 ? "," : "");
        hpm_string_add_bytes(texts, hpm_string_text(&json), json.length);
        block->n_texts++;
    }
    hpm_string_finish(&json, &texts->failed);
    return hpm_number_count(block->n_texts - 1);
}

void
hpm_block_clear(struct hpm_block *block)
{
    hpm_string_free(&block->names);
    hpm_string_free(&block->texts);
    hpm_string_free(&block->bytes);
}

void
hpm_block_add(struct hpm_string *page, struct hpm_block *block)
{
    struct hpm_string head = {0}, whole = {0};

    hpm_string_add_format(&head, "{\"n\":%zu,\"columns\":[", block->n_rows);
    hpm_string_add(&head, hpm_string_text(&block->names));
    hpm_string_add(&head, "],\"texts\":[");
    hpm_string_add(&head, hpm_string_text(&block->texts));
    hpm_string_add(&head, "]}");
    hpm_string_reserve(&whole, head.length + block->bytes.length + 8);
    for (size_t i = 0; i < 4; i++)
        hpm_string_add_char(&whole, (char)(head.length >> 8 * i));
    hpm_string_add_bytes(&whole, hpm_string_text(&head), head.length);
    hpm_string_add_bytes(&whole, hpm_string_text(&block->bytes),
                         block->bytes.length);
    page->failed |=
        block->names.failed || block->texts.failed || block->bytes.failed;
    hpm_block_add_packed(page, hpm_string_text(&whole), whole.length);
    hpm_string_finish(&head, &page->failed);
    hpm_string_finish(&whole, &page->failed);
    hpm_block_clear(block);
}
