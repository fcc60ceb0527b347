/* SPDX-License-Identifier: BSD-3-Clause
 * Texts for people, in their language. */
#include "study/words/words.h"

#include <libintl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/string.h"

/* Texts of both domains are needed in UTF-8, like all output: in the process's
 * locale "C", gettext would write "?" for an umlaut. */
static const char domain[] = "hpm-toolkit";
static const char system_domain[] = "libc";

static locale_t asked; /* 0: English */
static locale_t paused;

/* ---- which language -------------------------------------------------- */

static const char *
first_set(const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *value = getenv(names[i]);

        if (value != NULL && value[0] != '\0')
            return value;
    }
    return "C";
}

static bool
is_language(const char *locale, const char *language)
{
    size_t length = strlen(language);

    return strncmp(locale, language, length) == 0 &&
           strchr("_.@:", locale[length]) != NULL;
}

/* As gettext reads the variables: LANGUAGE has no effect in the locale C. */
static bool
is_other_asked(void)
{
    static const char *const locales[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    static const char *const languages[] = {"LANGUAGE"};
    const char *locale = first_set(locales, 3);
    const char *language = first_set(languages, 1);

    if (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0)
        return false;
    if (strcmp(language, "C") == 0)
        language = locale;
    return !is_language(language, "C") && !is_language(language, "en");
}

/* As in gettext(1) and its shell functions. */
static const char *
folder(void)
{
    const char *wanted = getenv("TEXTDOMAINDIR");

    return wanted != NULL && wanted[0] != '\0' ? wanted : LOCALEDIR;
}

void
hpm_words_begin(void)
{
    if (!is_other_asked())
        return;
    asked = newlocale(LC_MESSAGES_MASK, "", (locale_t)0);
    if (asked == (locale_t)0)
        return;
    bindtextdomain(domain, folder());
    bind_textdomain_codeset(domain, "UTF-8");
    bind_textdomain_codeset(system_domain, "UTF-8");
}

void
hpm_words_pause(bool is_paused)
{
    if (is_paused) {
        paused = asked;
        asked = (locale_t)0;
    } else {
        asked = paused;
    }
}

bool
hpm_words_are_translated(void)
{
    return asked != (locale_t)0;
}

/* ---- words ----------------------------------------------------------- */

/* The locale is changed only for this call: strerror and getopt stay English in
 * texts that are kept in files. */
static const char *
find(const char *of, const char *text)
{
    locale_t before = uselocale(asked);
    const char *found = dgettext(of, text);

    uselocale(before);
    return found;
}

const char *
hpm_words_get(const char *text)
{
    if (asked == (locale_t)0 || text == NULL || text[0] == '\0')
        return text;
    return find(domain, text);
}

const char *
hpm_words_of(const char *one, const char *several, size_t n)
{
    const char *found = n == 1 ? one : several;
    locale_t before;

    if (asked == (locale_t)0)
        return found;
    before = uselocale(asked);
    found = dngettext(domain, one, several, (unsigned long)n);
    uselocale(before);
    return found;
}

const char *
hpm_words_of_system(const char *text)
{
    return asked == (locale_t)0 || text[0] == '\0' ? text
                                                   : find(system_domain, text);
}

/* The catalogue's own heading tells its language. */
char *
hpm_words_file(void)
{
    static const char word[] = "\nLanguage: ";
    const char *found =
        asked == (locale_t)0 ? NULL : strstr(find(domain, ""), word);
    struct hpm_string path = {0};

    if (found == NULL)
        return NULL;
    found += sizeof word - 1;
    hpm_string_add_format(&path, "%s/%.*s/LC_MESSAGES/%s.mo", folder(),
                          (int)strcspn(found, "\n"), found, domain);
    if (path.failed) {
        hpm_string_free(&path);
        return NULL;
    }
    return path.text;
}
