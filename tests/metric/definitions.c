/* SPDX-License-Identifier: BSD-3-Clause
 * The places of definitions, and which override which; and the examples of the
 * manual. */
#include "config.h"

#include "metric/language/definitions.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "metric/trial.h"
#include "tap.h"

/* ---- a folder for each test ------------------------------------------ */

static char folder[64];

static void
write_to(const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *c = path + strlen(folder) + 1; *c != '\0'; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        mkdir(path, 0700);
        *c = '/';
    }
    file = fopen(path, "w");
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
}

static int
remove_entry(const char *path, const struct stat *status, int kind,
             struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

static void
begin(void)
{
    char config[128];

    strcpy(folder, "/tmp/hpm-definitions-XXXXXX");
    if (mkdtemp(folder) == NULL)
        folder[0] = '\0';
    snprintf(config, sizeof config, "%s/config", folder);
    setenv("XDG_CONFIG_HOME", config, 1);
    unsetenv("HPM_DEFS");
}

static void
end(void)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* The paths of the folder's files, with colons between them. */
static const char *
paths(const char *list)
{
    static char text[512];
    size_t n = 0;

    for (const char *at = list; *at != '\0'; at += *at == ':') {
        size_t length = strcspn(at, ":");

        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s/%.*s",
                              n > 0 ? ":" : "", folder, (int)length, at);
        at += length;
    }
    return text;
}

/* The value of A when 1 to 9 were counted as E1 to E9. */
static const char *
value_of_a(const char *list)
{
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_metrics *metrics;
    struct hpm_metric_value *values;
    const char *text;

    hpm_definitions_read(spec, list != NULL ? paths(list) : NULL, NULL);
    if (spec->n_complaints > 0)
        printf("# %s", hpm_string_text(&spec->complaints));
    metrics = choose(spec, "skx", 0);
    values = evaluate(metrics, "E1 1, E2 2, E3 3, E4 4, E5 5, E6 6, E7 7");
    text = shown(metrics, values, "A");
    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    return text;
}

/* The complaints about a list of files, the folder's name left out. */
static void
check_complaints(const char *list, const char *expected, const char *sentence)
{
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_string without = {0};
    const char *text;

    hpm_definitions_read(spec, paths(list), NULL);
    text = hpm_string_text(&spec->complaints);
    while (*text != '\0') {
        if (strncmp(text, folder, strlen(folder)) == 0)
            text += strlen(folder);
        else
            hpm_string_add_char(&without, *text++);
    }
    is_text(hpm_string_text(&without), expected, sentence);
    hpm_string_free(&without);
    hpm_spec_free(spec);
}

/* ---- overriding ------------------------------------------------------ */

static void
test_order(void)
{
    begin();
    is_text(value_of_a(NULL), "no such metric",
            "nothing of the sort is "
            "shipped");
    write_to("config/hpm-toolkit/b.hpm", "measure A = E2");
    write_to("config/hpm-toolkit/a.hpm", "measure A = E1");
    write_to("config/hpm-toolkit/a.hpm~", "measure A = E7");
    write_to("config/hpm-toolkit/.hpm", "measure A = E7");
    is_text(value_of_a(NULL), "2",
            "of the user's folder the file of the later name wins");
    write_to("one.hpm", "measure A = E3");
    write_to("more/x.hpm", "measure A = E4");
    is_text(value_of_a("one.hpm"), "3", "HPM_DEFS goes before the folder");
    is_text(value_of_a("one.hpm:more"), "4", "its later files win");
    is_text(value_of_a("more:one.hpm"), "3", "be they of a folder or named");
    setenv("HPM_DEFS", paths("one.hpm"), 1);
    is_text(value_of_a(NULL), "3", "HPM_DEFS is read where no list is given");
    end();
}

static void
test_instead(void)
{
    begin();
    is_text(value_of_a("config"), "no such metric",
            "a folder that is not there");
    write_to("generic.hpm", "measure A = E1");
    is_text(value_of_a("generic.hpm"), "1",
            "a file of a shipped name is read in its place");
    {
        struct hpm_spec *spec = hpm_spec_new();
        struct hpm_metrics *metrics;

        hpm_definitions_read(spec, paths("generic.hpm"), NULL);
        metrics = choose(spec, NULL, 0);
        ok(hpm_metrics_find(metrics, "IPC") == HPM_NO_METRIC &&
               hpm_metrics_find(metrics, "UTILISATION") != HPM_NO_METRIC,
           "the shipped one then is not read, the others are");
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
    end();
}

/* Does the file define this metric, and is it known under this name? */
static bool
is_read_under(const char *name, const char *metric, double limit)
{
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_metrics *metrics;
    const struct hpm_metric *found;
    bool answer;

    hpm_definitions_read(spec, paths(name), NULL);
    metrics = choose(spec, NULL, 0);
    found = &metrics->metrics[hpm_metrics_find(metrics, metric)];
    answer = strcmp(hpm_spec_text(spec, found->place.file), paths(name)) == 0 &&
             found->limits[0].bad.value == limit;
    if (!answer)
        printf("# %s:%d, bad %g\n", hpm_spec_text(spec, found->place.file),
               found->place.line, found->limits[0].bad.value);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    return answer;
}

/* Unchanged shipped files are loaded from tables; others are read. */
static void
test_copies(void)
{
    struct hpm_string shipped = {0};
    const char *text, *limit;
    char *edited;

    ok(read_shipped_bytes(&shipped, 0) &&
           strstr(shipped.text, "bad < 1.0") != NULL,
       "IPC has a limit of 1.0");
    text = hpm_string_text(&shipped);
    limit = strstr(text, "bad < 1.0");
    if (limit == NULL)
        return;
    edited = strdup(text);
    begin();
    write_to("generic.hpm", text);
    ok(is_read_under("generic.hpm", "IPC", 1.0),
       "a copy of a shipped file is known by its own path");
    check_complaints("generic.hpm", "", "and is no fault");
    edited[limit - text + 6] = '2';
    write_to("generic.hpm", edited);
    ok(is_read_under("generic.hpm", "IPC", 2.0),
       "one letter that differs in it, at the same length, counts");
    check_complaints("generic.hpm",
                     "/generic.hpm: stands in place of the shipped "
                     "generic.hpm, of which nothing holds; to add to it, give "
                     "the file another name\n",
                     "and is said");
    free(edited);
    hpm_string_free(&shipped);
    end();
}

static void
test_include(void)
{
    begin();
    write_to("sub/outer.hpm", "include \"inner.hpm\" measure A = E1");
    write_to("sub/inner.hpm", "measure A = E2 include \"outer.hpm\"");
    write_to("one-more.hpm", "measure A = E7");
    write_to("twice.hpm", "include \"sub/inner.hpm\" measure A = E3");
    is_text(value_of_a("sub/outer.hpm"), "2",
            "what is included comes first, and files that include each other "
            "are read once");
    is_text(value_of_a("sub/outer.hpm:twice.hpm"), "3",
            "a file read before is not read again");
    is_text(value_of_a("sub/outer.hpm:sub/inner.hpm:one-more.hpm"), "7",
            "but those behind it are");
    write_to("shipped.hpm", "include \"generic.hpm\" measure A = E4");
    is_text(value_of_a("shipped.hpm"), "4",
            "a shipped file is included by its "
            "name");
    write_to("lost.hpm", "measure A = E5\n include \"nowhere.hpm\"");
    check_complaints("lost.hpm",
                     "/lost.hpm:2:10: there is no file 'nowhere.hpm' to "
                     "include\n",
                     "a file that is not there is named where it is included");
    end();
}

static void
test_files(void)
{
    begin();
    check_complaints("none.hpm",
                     "/none.hpm: cannot be read: No such file or directory\n",
                     "a file that is not there is named");
    write_to("bad.hpm", "measure = X\nmeasure A = E1");
    check_complaints("bad.hpm",
                     "/bad.hpm:1:9: '=' is out of place; expected a name\n",
                     "a fault is named with the path of its file");
    is_text(value_of_a("bad.hpm"), "1", "the rest of the file holds");
    write_to("empty.hpm", "");
    check_complaints("empty.hpm", "", "an empty file says nothing");
    end();
}

/* The number of statements of all files; 0: a lack of memory was reported. */
static size_t
read_lacking(unsigned long n, bool *ret_is_said)
{
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_platform platform = {.pmu = "nhm"};
    struct hpm_metrics *metrics = NULL;
    struct hpm_error err = {""};
    size_t n_statements = 0;

    hpm_memory_fail_at(n, false);
    if (hpm_definitions_read_for(spec, paths("one.hpm"), "nhm", &err))
        metrics = hpm_metrics_new(spec, &platform, &err);
    hpm_memory_fail_at(0, false);
    if (metrics != NULL)
        n_statements = spec->n_complaints == 0 ? spec->n_statements : SIZE_MAX;
    *ret_is_said = metrics != NULL || strcmp(err.text, "out of memory") == 0;
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
    return n_statements;
}

/* The model of a processor and the user's own file are treated like the
 * others. */
static void
test_no_memory(void)
{
    size_t n_failed = 0, n_whole, n;
    unsigned long last = 1; /* there are no more allocations than this */
    bool is_said, are_said = true, are_whole = true;

    begin();
    write_to("one.hpm", "measure A = E3");
    write_to("models/nhm.hpm", "arch nhm measure B = E4");
    write_to("config/hpm-toolkit/own.hpm", "measure C = E5");
    setenv("HPM_MODELS", paths("models"), 1);
    n_whole = read_lacking(0, &is_said);
    for (unsigned long k = 1; k < last + 500; k++) {
        n = read_lacking(k, &is_said);
        n_failed += n == 0;
        last = n == 0 ? k : last;
        are_said &= is_said;
        are_whole &= n == 0 || n == n_whole;
    }
    ok(n_failed > 20 && are_said, "any allocation may fail, and that is said");
    ok(are_whole, "and no file is passed over for it");
    end();
    unsetenv("HPM_MODELS");
}

/* ---- the manual ------------------------------------------------------ */

/* Add a line of roff: \- becomes -; other escapes do not occur in the
 * examples. */
static void
add_line(struct hpm_string *text, const char *line)
{
    for (; *line != '\0'; line++) {
        if (line[0] != '\\')
            hpm_string_add_char(text, *line);
    }
}

static void
test_manual(void)
{
    const char *root = getenv("top_srcdir");
    struct hpm_string example = {0};
    bool is_example = false;
    int n_examples = 0;
    char path[512], line[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/doc/man/hpm-metrics.5",
             root != NULL ? root : ".");
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strcmp(line, ".EX\n") == 0) {
            is_example = true;
        } else if (strcmp(line, ".EE\n") == 0) {
            struct hpm_spec *spec = read_text(hpm_string_text(&example), 1);

            ok(spec->n_complaints == 0 && spec->n_statements > 0,
               "an example of the manual is right");
            if (spec->n_complaints > 0)
                printf("# %s", hpm_string_text(&spec->complaints));
            hpm_spec_free(spec);
            hpm_string_clear(&example);
            is_example = false;
            n_examples++;
        } else if (is_example) {
            add_line(&example, line);
        }
    }
    if (file != NULL)
        fclose(file);
    hpm_string_free(&example);
    ok(n_examples >= 6, "the manual has examples");
}

int
main(void)
{
    test_order();
    test_instead();
    test_copies();
    test_include();
    test_files();
    test_no_memory();
    test_manual();
    return done();
}
