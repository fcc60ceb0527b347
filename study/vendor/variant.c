/* SPDX-License-Identifier: BSD-3-Clause
 * Codes of events, and events with fields of their codes changed. */
#include "study/vendor/variant.h"

#include <string.h>

#include "study/vendor/notation.h"

enum { MOST_NAME = 256 };

/* A name cut in parts. */
struct parts {
    char text[MOST_NAME];
    char *base;
    char *changes; /* with : or , between them; "" */
    char separator;
    const char *pmu; /* NULL: none was named */
};

static char nothing[] = "";

/* Has the word no '=', so that it is an event and not a field? */
static bool
is_event(const char *word)
{
    return strcspn(word, "=,") == strcspn(word, ",");
}

/* "pmu@EVENT,field=1@" or "EVENT@field=1@" or "EVENT:c1". */
static bool
split(struct parts *parts, const char *name, struct hpm_error *err)
{
    char *at, *end;

    if (strlen(name) >= MOST_NAME)
        return hpm_error_set(err,
                             "it needs an event with a name of over %d "
                             "letters",
                             MOST_NAME);
    strcpy(parts->text, name);
    parts->base = parts->text;
    at = strchr(parts->text, '@');
    parts->separator = at != NULL ? ',' : ':';
    if (at == NULL) {
        at = strchr(parts->text, ':');
    } else {
        end = strchr(at + 1, '@');
        if (end != NULL)
            *end = '\0';
    }
    parts->changes = at != NULL ? at + 1 : nothing;
    if (at != NULL)
        *at = '\0';
    if (parts->separator != ',' || !is_event(parts->changes))
        return true;
    parts->pmu = parts->base;
    parts->base = parts->changes;
    parts->changes += strcspn(parts->changes, ",");
    if (*parts->changes != '\0')
        *parts->changes++ = '\0';
    return true;
}

/* ---- fields ---------------------------------------------------------- */

/* One change: "c1", "cmask=0x8", "edge". */
struct change {
    const char *field; /* as sysfs has it */
    const char *shown; /* in the name of the event */
    uint64_t value;
};

/* What Intel's metric files write for short. */
static const struct {
    const char *theirs, *field, *shown;
} shorthands[] = {{"ocr_msr_val=", "offcore_rsp", "rsp"},
                  {"umask=", "umask", "umask"},
                  {"cmask=", "cmask", "c"},
                  {"edge=", "edge", "e"},
                  {"edge", "edge", "e"},
                  {"inv=", "inv", "i"},
                  {"inv", "inv", "i"},
                  {"any=", "any", "t"},
                  {"eq", "eq", "eq"},
                  {"c", "cmask", "c"},
                  {"e", "edge", "e"},
                  {"i", "inv", "i"},
                  {"u", "umask", "umask"}};

static bool
read_change(const char *word, struct change *ret_change)
{
    for (size_t i = 0; i < sizeof shorthands / sizeof shorthands[0]; i++) {
        size_t length = strlen(shorthands[i].theirs);
        uint64_t value = 1;

        if (strncmp(word, shorthands[i].theirs, length) != 0 ||
            (word[length] == '\0' && length == 1) ||
            (word[length] != '\0' && !hpm_notation_code(word + length, &value)))
            continue;
        *ret_change =
            (struct change){shorthands[i].field, shorthands[i].shown, value};
        return true;
    }
    return false;
}

static void
apply(struct hpm_vendor_code *code, const struct change *change)
{
    bool is_set = change->value != 0;

    if (strcmp(change->field, "umask") == 0) {
        code->umask = change->value;
    } else if (strcmp(change->field, "cmask") == 0) {
        code->cmask = change->value;
    } else if (strcmp(change->field, "edge") == 0) {
        code->is_edge = is_set;
    } else if (strcmp(change->field, "inv") == 0) {
        code->is_inverted = is_set;
    } else if (strcmp(change->field, "any") == 0) {
        code->is_any = is_set;
    } else if (strcmp(change->field, "eq") == 0) {
        code->is_equal = is_set;
    } else {
        code->msr = change->field;
        code->msr_value = change->value;
    }
}

static bool
is_domain(const char *word)
{
    static const char *const words[] = {"USER", "SUP", "user", "sup",
                                        "u",    "k",   "uk",   "ku"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0)
            return true;
    }
    return false;
}

/* "" of what changes nothing: that slots are read with the kernel's topdown-*
 * events. */
static bool
is_nothing(const char *word)
{
    return word[0] == '\0' || strcmp(word, "perf_metrics") == 0;
}

static bool
refuse(const char *base, const char *word, struct hpm_error *err)
{
    if (is_domain(word))
        return hpm_error_set(err,
                             "it needs '%.80s' of the kernel or of the program "
                             "by itself, which no formula combines with counts "
                             "of both",
                             base);
    return hpm_error_set(err,
                         "it needs '%.80s' with '%.40s', which no field of "
                         "the kernel stands for",
                         base, word);
}

/* Apply all changes, and append them to the name. */
static bool
change(struct parts *parts, struct hpm_vendor_code *code,
       struct hpm_string *name, struct hpm_error *err)
{
    char *word = parts->changes;

    while (word != NULL && *word != '\0') {
        char *next = strchr(word, parts->separator);
        struct change one;

        if (next != NULL)
            *next++ = '\0';
        if (!is_nothing(word)) {
            if (!read_change(word, &one))
                return refuse(parts->base, word, err);
            apply(code, &one);
            hpm_string_add_format(name,
                                  one.value < 10 ? ":%s=%llu" : ":%s=0x%llx",
                                  one.shown, (unsigned long long)one.value);
        }
        word = next;
    }
    return true;
}

/* ---- events ---------------------------------------------------------- */

static struct hpm_vendor_event *
find_base(struct hpm_vendor_processor *processor, const char *name,
          struct hpm_error *err)
{
    struct hpm_vendor_event *base = hpm_vendor_find_event(processor, name);

    if (base == NULL)
        hpm_error_set(err,
                      "it needs '%.80s', which is no event of the files given",
                      name);
    else if (base->why != NULL)
        hpm_error_set(err, "it needs '%.80s': %s", name, base->why);
    else
        return base;
    return NULL;
}

const struct hpm_vendor_event *
hpm_variant_find(struct hpm_vendor *vendor,
                 struct hpm_vendor_processor *processor, const char *name,
                 struct hpm_error *err)
{
    struct parts parts = {.pmu = NULL};
    struct hpm_string own = {0};
    struct hpm_vendor_event *base, variant, *made = NULL;

    if (!split(&parts, name, err))
        return NULL;
    base = find_base(processor, parts.base, err);
    if (base == NULL)
        return NULL;
    variant = *base;
    variant.is_variant = true;
    hpm_string_add(&own, base->name);
    if (!change(&parts, &variant.code, &own, err)) {
        hpm_string_free(&own);
        return NULL;
    }
    variant.name = hpm_vendor_keep_string(vendor, &own);
    if (variant.name != NULL && strcmp(variant.name, base->name) == 0)
        return base;
    if (variant.name != NULL)
        made = hpm_vendor_add_event(vendor, processor, &variant);
    if (made == NULL)
        hpm_error_no_memory(err);
    return made;
}

static void
add_field(struct hpm_string *text, const char *name, uint64_t value)
{
    char last = text->text[text->length - 1];

    if (value == 0)
        return;
    hpm_string_add_format(text, "%s%s=0x%llx", last == '/' ? "" : ",", name,
                          (unsigned long long)value);
}

static void
add_flag(struct hpm_string *text, const char *name, bool is_set)
{
    if (is_set)
        hpm_string_add_format(text, ",%s", name);
}

void
hpm_variant_add_code(struct hpm_string *text,
                     const struct hpm_vendor_processor *processor,
                     const struct hpm_vendor_code *code)
{
    const char *pmu = code->pmu != NULL        ? code->pmu
                      : processor->pmu != NULL ? processor->pmu
                                               : "cpu";

    hpm_string_add_format(text, "%s/%s=0x%llx", pmu,
                          code->is_config ? "config" : "event",
                          (unsigned long long)code->event);
    add_field(text, "umask", code->umask);
    add_field(text, "cmask", code->cmask);
    add_flag(text, "inv", code->is_inverted);
    add_flag(text, "edge", code->is_edge);
    add_flag(text, "any", code->is_any);
    add_flag(text, "eq", code->is_equal);
    if (code->msr != NULL)
        add_field(text, code->msr, code->msr_value);
    hpm_string_add_char(text, '/');
}
