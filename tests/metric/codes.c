/* SPDX-License-Identifier: BSD-3-Clause
 * Does libpfm4 give each event of the shipped definitions the vendor's code?
 * The codes are in tests/data/codes.tsv.  An event with a wrong code must be
 * refused. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "metric/trial.h"
#include "source/pfm.h"
#include "source/wrongcodes.h"
#include "study/tool/coverage.h"
#include "tap.h"

struct fact {
    char pmu[32], event[256], code[64], source[128];
};

static const char *
root(void)
{
    const char *folder = getenv("top_srcdir");

    return folder != NULL ? folder : ".";
}

static struct fact facts[2000];
static int n_facts;

/* The PMU of libpfm4 for the events of a PMU that libpfm4 does not know. */
static const char *
encoder_of(const char *pmu)
{
    return strcmp(pmu, "emr") == 0 || strcmp(pmu, "gnr") == 0 ? "spr" : pmu;
}

static void
read_facts(void)
{
    char path[512], line[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/tests/data/codes.tsv", root());
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        struct fact *fact = &facts[n_facts];

        if (line[0] != '#' &&
            sscanf(line, "%31[^\t]\t%255[^\t]\t%63[^\t]\t%127[^\n]", fact->pmu,
                   fact->event, fact->code, fact->source) == 4)
            n_facts++;
    }
    if (file != NULL)
        fclose(file);
    ok(n_facts > 400, "there is a table of the vendors' codes");
}

static const struct fact *
find_fact(const char *pmu, const char *event)
{
    for (int i = 0; i < n_facts; i++) {
        if (strcmp(facts[i].pmu, pmu) == 0 &&
            strcmp(facts[i].event, event) == 0)
            return &facts[i];
    }
    return NULL;
}

struct tally {
    int n_same, n_refused, n_mended, n_untold, n_wrong, n_absent;
};

/* One event that a definition names. */
static void
compare(const char *pmu, const char *event, struct tally *tally)
{
    const struct fact *fact = find_fact(pmu, event);
    const char *encoder = encoder_of(pmu);
    struct hpm_code right, code;
    struct hpm_error why;

    if (fact == NULL) {
        printf("# %s %s is not in tests/data/codes.tsv\n", pmu, event);
        tally->n_absent++;
    } else if (!hpm_code_read(fact->code, &right)) {
        printf("# %s %s: the vendor's list has no such event\n", pmu, event);
        tally->n_untold++;
    } else if (!hpm_pfm_encode(encoder, event, &code)) {
        printf("# %s %s: libpfm4 does not know it\n", pmu, event);
        tally->n_wrong++;
    } else if (hpm_code_is_same(code, right)) {
        ok(!hpm_pfm_is_wrong(encoder, event, &why),
           "an event that is encoded rightly is not refused");
        tally->n_same++;
    } else if (hpm_pfm_is_refused(encoder, event, &why)) {
        printf("# %s %s is refused: 0x%" PRIx64 " for %s\n", pmu, event,
               code.config, fact->code);
        tally->n_refused++;
    } else if (hpm_pfm_is_wrong(encoder, event, &why)) {
        tally->n_mended++; /* tests/cli/encodings.py checks the code that is
                            * opened */
    } else {
        printf("# %s %s is 0x%" PRIx64 "+0x%" PRIx64
               ", the vendor has %s (%s)\n",
               pmu, event, code.config, code.config1, fact->code, fact->source);
        tally->n_wrong++;
    }
}

static enum hpm_acquaintance
ask_nobody(const char *pmu, const char *event, void *context,
           struct hpm_error *ret_why)
{
    (void)pmu;
    (void)event;
    (void)context;
    (void)ret_why;
    return HPM_ACQUAINTANCE_NONE;
}

/* Each event of a file of definitions, for the PMUs of the table. */
static void
test_file(const char *name)
{
    struct hpm_string lines = {0};
    struct tally tally = {0};
    struct hpm_error err;
    char path[512], sentence[128];
    char *rest, *line;

    snprintf(path, sizeof path, "%s/metrics/%s", root(), name);
    if (!hpm_coverage_add_events(path, ask_nobody, NULL, &lines, &err)) {
        ok(false, err.text);
        return;
    }
    rest = lines.text;
    while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
        char *pmu = strtok_r(line, " ", &line);
        char *event = strtok_r(line, " ", &line);
        bool is_told = false;

        for (int i = 0; i < n_facts && !is_told; i++)
            is_told = strcmp(facts[i].pmu, pmu) == 0;
        if (is_told)
            compare(pmu, event, &tally);
    }
    printf("# %s: %d as the vendor has it, %d by its code in place of a wrong "
           "one, %d refused, %d not in its list\n",
           name, tally.n_same, tally.n_mended, tally.n_refused, tally.n_untold);
    snprintf(sentence, sizeof sentence,
             "%s: every event has the vendor's code or is refused", name);
    ok(tally.n_wrong == 0 && tally.n_same > 0, sentence);
    snprintf(sentence, sizeof sentence,
             "%s: every event is in the table of codes", name);
    ok(tally.n_absent == 0, sentence);
    hpm_string_free(&lines);
}

/* ---- the table of wrong codes ----------------------------------------- */

/* A line may stay even if a newer libpfm4 does not need it. */
static void
test_lines(void)
{
    size_t n;
    const struct hpm_wrongcode *lines = hpm_wrongcodes_get(&n);
    struct hpm_error why;

    ok(n >= 30, "there is a table of wrong codes");
    for (size_t i = 0; i < n; i++) {
        const struct fact *fact = find_fact(lines[i].pmu, lines[i].event);
        struct hpm_code code, right;
        char sentence[200];

        if (!hpm_pfm_encode(lines[i].pmu, lines[i].event, &code)) {
            ok(false, "a line is about an event libpfm4 knows");
            continue;
        }
        snprintf(sentence, sizeof sentence,
                 "%s %s is refused while it is 0x%" PRIx64, lines[i].pmu,
                 lines[i].event, lines[i].wrong.config);
        ok(hpm_pfm_is_wrong(lines[i].pmu, lines[i].event, &why) ==
               hpm_code_is_same(code, lines[i].wrong),
           sentence);
        if (fact != NULL && hpm_code_read(fact->code, &right))
            ok(hpm_code_is_same(right, lines[i].right),
               "both tables have the same right code");
    }
}

static bool
refuses(const char *pmu, const char *event)
{
    struct hpm_error why;

    return hpm_pfm_is_wrong(pmu, event, &why);
}

/* An event of the table whose code is still wrong in this libpfm4, for this PMU
 * and family. */
static const struct hpm_wrongcode *
still_wrong(const char *pmu, const char *family)
{
    size_t n;
    const struct hpm_wrongcode *lines = hpm_wrongcodes_get(&n);
    struct hpm_code code;

    for (size_t i = 0; i < n; i++) {
        if (strcmp(lines[i].pmu, pmu) == 0 &&
            strncmp(lines[i].event, family, strlen(family)) == 0 &&
            hpm_pfm_encode(pmu, lines[i].event, &code) &&
            hpm_code_is_same(code, lines[i].wrong))
            return &lines[i];
    }
    return NULL;
}

static void
test_modifiers(void)
{
    const struct hpm_wrongcode *line = still_wrong("spr", "TOPDOWN:");
    char event[96];

    if (line == NULL) {
        skip("modifiers and the name of the PMU change nothing",
             "this libpfm4 has the right codes of TOPDOWN for spr");
        return;
    }
    snprintf(event, sizeof event, "%s:c=1:u", line->event);
    ok(refuses("spr", event),
       "modifiers that do not mend the code change nothing");
    snprintf(event, sizeof event, "spr::%s", line->event);
    ok(refuses("spr", event), "nor does the name of the PMU");
}

static void
test_names(void)
{
    ok(refuses("icx", "topdown:backend_bound_slots"),
       "libpfm4's names are compared in any case");
    ok(refuses("icx", "TOPDOWN.BACKEND_BOUND_SLOTS"),
       "and with dots, as the vendor writes them");
    test_modifiers();
    ok(!refuses("spr", "ARITH:IDIV_ACTIVE:c=1") &&
           refuses("spr", "ARITH:IDIV_ACTIVE"),
       "a modifier that makes the right code is accepted");
    ok(!refuses("skx", "UOPS_RETIRED:RETIRE_SLOTS") &&
           refuses("skx", "UOPS_RETIRED:STALL_CYCLES"),
       "other masks of the same event are fine");
    ok(!refuses("nhm", "MACRO_INSTS:DECODED"),
       "an event whose right code another one has wrongly is fine");
    ok(!refuses("icx", "NO_SUCH_EVENT") && !refuses("nopmu", "TOPDOWN"),
       "what libpfm4 does not know is not refused as wrong");
}

/* A user's file adds lines, and is read before anything else. */
static void
write_lines(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        return;
    fprintf(file, "# mine\n"
                  "core INST_RETIRED:ANY_P 0xc0 0x1c0 a trial\n"
                  "core BR_INST_RETIRED:ANY 0xbad 0x4c4 it is right by now\n"
                  "core L2_LINES_IN:SELF 0xbad\n"
                  "core L2_LINES_IN:ANY 24 0x4c5 no hexadecimal\n");
    fclose(file);
    setenv("HPM_WRONG_CODES", path, 1);
}

static void
test_user_file(const char *path)
{
    struct hpm_error why = {""};

    ok(hpm_pfm_is_wrong("core", "INST_RETIRED:ANY_P", &why) &&
           strstr(why.text, "a trial") != NULL &&
           strstr(why.text, "0x1c0") != NULL,
       "a line of the user's refuses, with the right code and its source");
    ok(!refuses("core", "BR_INST_RETIRED:ANY"),
       "an event that libpfm4 encodes in another way by now is accepted");
    ok(hpm_wrongcodes_complain(&why) &&
           strncmp(why.text, path, strlen(path)) == 0 &&
           strstr(why.text, ":4: expected PMU EVENT") != NULL,
       "a line that is none is named with file and line, and ours have none");
}

int
main(void)
{
    char path[64];

    setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
    if (!hpm_pfm_is_ready()) {
        skip("events have the vendor's codes", "built without libpfm4");
        return done();
    }
#if defined(__x86_64__)
    snprintf(path, sizeof path, "wrongcodes-%d.tmp", (int)getpid());
    write_lines(path);
    read_facts();
    test_file("xeon.hpm");
    test_file("models/nhm.hpm");
    test_file("zen.hpm");
    test_lines();
    test_names();
    test_user_file(path);
    unlink(path);
#else
    (void)path;
    skip("events have the vendor's codes", "the tables are of x86");
#endif
    return done();
}
