/* SPDX-License-Identifier: BSD-3-Clause
 * Codes of events, and events with changed fields of their codes. */
#include "study/vendor/variant.h"

#include <string.h>

#include "study/vendor/notation.h"
#include "study/vendor/words.h"

enum { MOST_NAME = 256 };

/* A name, cut into parts. */
struct parts {
    char text[MOST_NAME];
    char *base;
    char *changes; /* with : or , between them; may be "" */
    char separator;
    const char *pmu; /* NULL: the name has no PMU */
};

static char nothing[] = "";

/* Is the word an event?  A field has '='. */
static bool
is_event(const char *word)
{
    return strcspn(word, "=,") == strcspn(word, ",");
}

/* Split "pmu@EVENT,field=1@" or "EVENT@field=1@" or "EVENT:c1". */
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
    const char *field; /* the name in sysfs */
    const char *shown; /* the name in the name of the event */
    uint64_t value;
};

struct shorthand {
    const char *theirs, *field, *shown;
};

/* Short forms in Intel's metric files. */
static const struct shorthand shorthands[] = {
    {"ocr_msr_val=", "offcore_rsp", "rsp"},
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

/* Short forms for units that cores share; these are tried first.  The second
 * filter of Intel's caches is the upper half of a field. */
static const struct shorthand of_node[] = {
    {"opc=", "filter_opc", "opc"},      {"filter_opc=", "filter_opc", "opc"},
    {"tid=", "filter_tid", "tid"},      {"filter_tid=", "filter_tid", "tid"},
    {"filter1=", "config1", "filter1"}, {"config1=", "config1", "config1"},
    {"thresh=", "cmask", "c"}};

static bool
read_by(const struct shorthand *list, size_t n, const char *word,
        struct change *ret_change)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(list[i].theirs);
        uint64_t value = 1;

        if (strncmp(word, list[i].theirs, length) != 0 ||
            (word[length] == '\0' && length == 1) ||
            (word[length] != '\0' && !hpm_notation_code(word + length, &value)))
            continue;
        *ret_change = (struct change){list[i].field, list[i].shown, value};
        return true;
    }
    return false;
}

static bool
read_change(const char *word, bool is_of_node, struct change *ret_change)
{
    return (is_of_node && read_by(of_node, sizeof of_node / sizeof of_node[0],
                                  word, ret_change)) ||
           read_by(shorthands, sizeof shorthands / sizeof shorthands[0], word,
                   ret_change);
}

static void
apply_to_unit(struct hpm_string *terms, const struct change *change)
{
    bool is_half = strcmp(change->shown, "filter1") == 0;

    hpm_string_add_format(
        terms, "%s%s=0x%llx", terms->length > 0 ? "," : "", change->field,
        (unsigned long long)change->value << (is_half ? 32 : 0));
}

/* `terms` gets the fields that only units shared by cores have. */
static void
apply(struct hpm_vendor_code *code, struct hpm_string *terms,
      const struct change *change)
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
    } else if (code->is_of_node) {
        apply_to_unit(terms, change);
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

/* Words that change no field; perf_metrics says that slots are read with the
 * kernel's topdown-* events. */
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
    if (strcmp(word, "one_unit") == 0)
        return hpm_error_set(
            err,
            "it needs '%.80s' of one unit of several, of which "
            "only the sum is counted here",
            base);
    return hpm_error_set(err,
                         "it needs '%.80s' with '%.40s', which no field of "
                         "the kernel stands for",
                         base, word);
}

/* Apply all changes, and append them to the name. */
static bool
change(struct parts *parts, struct hpm_vendor_code *code,
       struct hpm_string *terms, struct hpm_string *name, struct hpm_error *err)
{
    char *word = parts->changes;

    while (word != NULL && *word != '\0') {
        char *next = strchr(word, parts->separator);
        struct change one;

        if (next != NULL)
            *next++ = '\0';
        if (!is_nothing(word)) {
            if (!read_change(word, code->is_of_node, &one))
                return refuse(parts->base, word, err);
            apply(code, terms, &one);
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

/* Is the PMU one unit of several, as in "cha_0@...@"? */
static bool
is_one_unit(const char *pmu)
{
    const char *last = pmu != NULL ? strrchr(pmu, '_') : NULL;

    return last != NULL && last[1] >= '0' && last[1] <= '9';
}

static bool
is_of_other_kind(const struct parts *parts,
                 const struct hpm_vendor_processor *processor)
{
    return parts->pmu != NULL && hpm_words_of_kind(parts->pmu)[0] != '\0' &&
           (processor->pmu == NULL || strcmp(parts->pmu, processor->pmu) != 0);
}

const struct hpm_vendor_event *
hpm_variant_find(struct hpm_vendor *vendor,
                 struct hpm_vendor_processor *processor, const char *name,
                 struct hpm_error *err)
{
    struct parts parts = {.pmu = NULL};
    struct hpm_string own = {0}, terms = {0};
    struct hpm_vendor_event *base, variant, *made = NULL;
    bool is_good;

    if (!split(&parts, name, err))
        return NULL;
    if (is_of_other_kind(&parts, processor)) {
        hpm_error_set(err, "it needs '%.80s' of the other cores, which are %s",
                      parts.base, parts.pmu);
        return NULL;
    }
    base = find_base(processor, parts.base, err);
    if (base == NULL)
        return NULL;
    if (base->code.is_of_node && is_one_unit(parts.pmu)) {
        refuse(base->name, "one_unit", err);
        return NULL;
    }
    variant = *base;
    variant.is_variant = true;
    hpm_string_add(&own, base->name);
    if (base->code.terms != NULL)
        hpm_string_add(&terms, base->code.terms);
    is_good = change(&parts, &variant.code, &terms, &own, err);
    variant.code.terms = hpm_vendor_keep_string(vendor, &terms);
    variant.name = hpm_vendor_keep_string(vendor, &own);
    if (!is_good)
        return NULL;
    if (variant.name != NULL && strcmp(variant.name, base->name) == 0)
        return base;
    if (variant.name != NULL && variant.code.terms != NULL)
        made = hpm_vendor_add_event(vendor, processor, &variant);
    if (made == NULL)
        hpm_error_no_memory(err);
    return made;
}

static void
add_field(struct hpm_string *text, const char *name, uint64_t value)
{
    char last;

    if (value == 0 || text->failed)
        return;
    last = text->text[text->length - 1];
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
    add_field(text, code->is_of_node ? "thresh" : "cmask", code->cmask);
    add_flag(text, "inv", code->is_inverted);
    add_flag(text, "edge", code->is_edge);
    add_flag(text, "any", code->is_any);
    add_flag(text, "eq", code->is_equal);
    if (code->msr != NULL)
        add_field(text, code->msr, code->msr_value);
    if (code->terms != NULL && code->terms[0] != '\0')
        hpm_string_add_format(text, ",%s", code->terms);
    hpm_string_add_char(text, '/');
}
