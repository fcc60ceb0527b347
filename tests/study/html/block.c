/* SPDX-License-Identifier: BSD-3-Clause
 * Bytes as text, digests by which a policy names scripts, and columns of
 * numbers on a page. */
#include "study/html/block.h"

#include <stdlib.h>
#include <zlib.h>

#include "study/html/base64.h"
#include "study/html/sha256.h"
#include "tap.h"

/* ---- base64 and SHA-256 ---------------------------------------------- */

/* RFC 4648, section 10, and bytes that use each digit. */
static void
test_base64(void)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xfb\xff\xbf", "+/+/"},
        {"\x01\x04\x10\x41\x86\x18", "AQQQQYYY"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hpm_string text = {0};

        hpm_string_add(&text, ">");
        hpm_base64_add(&text, cases[i][0], strlen(cases[i][0]));
        is_text(hpm_string_text(&text) + 1, cases[i][1],
                "bytes are the digits that RFC 4648 has for them");
        hpm_string_free(&text);
    }
}

static void
check_digest(const char *bytes, size_t length, const char *expected)
{
    unsigned char digest[HPM_SHA256_BYTES];
    char text[2 * HPM_SHA256_BYTES + 1];

    hpm_sha256(bytes, length, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    is_text(text, expected, "a digest is the one that FIPS 180-4 asks for");
}

/* The examples of FIPS, and lengths at which the end needs one more block. */
static void
test_sha256(void)
{
    char many[1000];

    memset(many, 'a', sizeof many);
    check_digest("", 0,
                 "e3b0c44298fc1c149afbf4c8996fb924"
                 "27ae41e4649b934ca495991b7852b855");
    check_digest("abc", 3,
                 "ba7816bf8f01cfea414140de5dae2223"
                 "b00361a396177a9cb410ff61f20015ad");
    check_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                 "248d6a61d20638b8e5c026930c3e6039"
                 "a33ce45964ff2167f6ecedd419db06c1");
    check_digest(many, 55,
                 "9f4390f8d30c2dd92ec9f095b65e2b9a"
                 "e9b0a925a5258e241c9f1e910f734318");
    check_digest(many, 64,
                 "ffe054fe7ae0cb6dc65c3af9b61d5209"
                 "f439851db43d0ba5997337df154668eb");
    check_digest(many, 1000,
                 "41edece42d63e8d9bf515a9ba6932e1c"
                 "20cbc9f5a5d134645adb5db1b9737ea3");
}

/* ---- blocks ---------------------------------------------------------- */

/* The bytes of a block on a page; the caller frees them. */
static unsigned char *
unpack(const struct hpm_string *page, uLongf *ret_length)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *packed = calloc(1, page->length + 4), *bytes;
    size_t n = 0;
    unsigned hold = 0, held = 0;

    for (size_t i = 0; i < page->length && page->text[i] != '='; i++) {
        const char *digit = strchr(digits, page->text[i]);

        hold = hold << 6 | (unsigned)(digit - digits);
        held += 6;
        if (held >= 8) {
            held -= 8;
            packed[n++] = (unsigned char)(hold >> held);
        }
    }
    *ret_length = 1 << 16;
    bytes = calloc(1, *ret_length);
    if (uncompress(bytes, ret_length, packed, n) != Z_OK)
        *ret_length = 0;
    free(packed);
    return bytes;
}

/* Check the contents of a block with these numbers: its head, and its bytes in
 * hex. */
static void
check_column(const struct hpm_number *numbers, size_t n, const char *head,
             const char *hex, const char *sentence)
{
    struct hpm_block block = {.n_rows = n};
    struct hpm_string page = {0}, found = {0};
    unsigned char *bytes;
    uLongf length;
    size_t n_head;

    hpm_block_add_column(&block, "x\"y", numbers, 1);
    hpm_block_add(&page, &block);
    bytes = unpack(&page, &length);
    n_head = bytes[0] | (size_t)bytes[1] << 8;
    hpm_string_add_bytes(&found, (const char *)bytes + 4, n_head);
    is_text(hpm_string_text(&found), head, sentence);
    hpm_string_clear(&found);
    for (size_t i = 4 + n_head; i < length; i++)
        hpm_string_add_format(&found, "%02x", bytes[i]);
    is_text(hpm_string_text(&found), hex, sentence);
    ok(!page.failed && block.bytes.length == 0, "and nothing is left behind");
    hpm_string_free(&found);
    hpm_string_free(&page);
    free(bytes);
}

static struct hpm_number
count(uint64_t n)
{
    return hpm_number_count(n);
}

static struct hpm_number
seconds(int64_t ns)
{
    return (struct hpm_number){.amount = (uint64_t)(ns < 0 ? -ns : ns),
                               .kind = ns < 0 ? HPM_NUMBER_MINUS_SECONDS
                                              : HPM_NUMBER_SECONDS};
}

#define HEAD(kind)                                                             \
    "{\"n\":2,\"columns\":[[\"x\\\"y\",\"" kind "\"]],\"texts\":[]}"

/* Each kind up to the largest number that it can hold. */
static void
test_kinds(void)
{
    const struct hpm_number none = {0};
    const struct {
        struct hpm_number numbers[2];
        const char *head, *hex;
    } cases[] = {
        {{none, none}, "{\"n\":2,\"columns\":[],\"texts\":[]}", ""},
        {{count(254), none}, HEAD("b"), "feff"},
        {{count(255), none}, HEAD("w"), "ffff00ff00ff00ff"},
        {{count(0xfffffffe), count(1)}, HEAD("w"), "fe01ff00ff00ff00"},
        {{count(0xffffffff), none}, HEAD("d"), "ffffffffffffffff00ff00ff"},
        {{count(0xfffffffffffe), none}, HEAD("d"), "feffffffffffffffffffffff"},
        {{count(0xffffffffffff), none},
         HEAD("c"),
         "ff00ff00ff00ff00ff00ff0000000080"},
        {{hpm_number_integer(-2), count(3)},
         HEAD("c"),
         "fe03ff00ff00ff00ff00ff00ff00ff00"},
        {{count(INT64_MAX), count(0)},
         HEAD("c"),
         "ff00ff00ff00ff00ff00ff00ff007f00"},
        {{count((uint64_t)INT64_MAX + 1), none},
         HEAD("f"),
         "000000000000000000000000e0f8437f"},
        {{seconds(258), none}, HEAD("s"), "02000100000000000000000000000080"},
        {{seconds(-1), seconds(1)},
         HEAD("s"),
         "ff01ff00ff00ff00ff00ff00ff00ff00"},
        {{seconds(1500000000), count(1)},
         HEAD("f"),
         "000000000000000000000000f8f03f3f"},
        {{hpm_number_real(-0.5), count(2)},
         HEAD("f"),
         "000000000000000000000000e000bf40"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_column(cases[i].numbers, 2, cases[i].head, cases[i].hex,
                     "numbers take the least bytes that hold them all");
}

/* The columns of a row are together, for as many rows as there are. */
static void
test_strides(void)
{
    const struct hpm_number rows[][2] = {
        {count(1), count(300)}, {count(2), count(301)}, {count(3), count(302)}};
    struct hpm_block block = {.n_rows = 3};
    struct hpm_string page = {0};
    unsigned char *bytes;
    uLongf length;
    static const char head[] = "{\"n\":3,\"columns\":[[\"a\",\"b\"],[\"b\","
                               "\"w\"]],\"texts\":[]}";
    static const unsigned char data[] = {1, 2, 3, 44, 45, 46, 1, 1,
                                         1, 0, 0, 0,  0,  0,  0};

    hpm_block_add_column(&block, "a", &rows[0][0], 2);
    hpm_block_add_column(&block, "b", &rows[0][1], 2);
    hpm_block_add(&page, &block);
    bytes = unpack(&page, &length);
    is_count(length, 4 + strlen(head) + sizeof data,
             "a block has its head and columns, no more");
    is_count(bytes[0] + 256u * bytes[1] + 65536u * bytes[2] + bytes[3],
             strlen(head), "it begins with how long its head is");
    ok(memcmp(bytes + 4, head, strlen(head)) == 0, "and its head");
    ok(memcmp(bytes + 4 + strlen(head), data, sizeof data) == 0,
       "then the columns, the least bytes first");
    free(bytes);
    hpm_string_free(&page);
}

/* A text that ends like another one is a different text. */
static void
test_texts(void)
{
    static const char *const texts[] = {"b",    "b",       "a b", "b",
                                        ",\"b", "x\",\"b", "b",   ""};
    static const uint64_t numbers[] = {0, 0, 1, 2, 3, 4, 5, 6};
    struct hpm_block block = {.n_rows = 0};
    bool are_right = true;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct hpm_number number = hpm_block_add_text(&block, texts[i]);

        are_right &=
            number.kind == HPM_NUMBER_COUNT && number.amount == numbers[i];
    }
    ok(are_right, "a text that is the one before is there once");
    is_text(hpm_string_text(&block.texts),
            "\"b\",\"a b\",\"b\",\",\\\"b\",\"x\\\",\\\"b\",\"b\",\"\"",
            "all texts are JSON");
    is_count(block.n_texts, 7, "and counted");
    hpm_block_clear(&block);
    ok(block.texts.text == NULL && block.names.text == NULL &&
           block.bytes.text == NULL,
       "a block that is cleared holds nothing");
}

int
main(void)
{
    test_base64();
    test_sha256();
    test_kinds();
    test_strides();
    test_texts();
    return done();
}
