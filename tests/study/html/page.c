/* SPDX-License-Identifier: BSD-3-Clause
 * How much data of single threads fits on a page, and the report of a lack of
 * memory.  tests/cli/htmlpage.py checks the contents of a page. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memory.h"
#include "study/file/reader.h"
#include "study/html/page.h"
#include "study/html/sources.h"
#include "study/survey/surveying.h"
#include "tap.h"

enum { N_THREADS = 500, STEP = 1000 };

/* A section in many threads, each with different counts. */
static void
add_file(struct hpm_string *text, int n_threads)
{
    unsigned long long count = 1;

    hpm_string_add(text,
                   "<HPMPerformanceFile version=\"1\" kind=\"run\">"
                   "<Run task=\"0\" program=\"p\" seconds=\"2.0\"/>"
                   "<Machine task=\"0\" pmu=\"power4\"/>"
                   "<Calibration task=\"0\" scope=\"thread\" when=\"init\" "
                   "calls=\"9\"><cost name=\"IncSec\" self=\"0.000000020\" "
                   "pair=\"0.000000090\"/></Calibration>");
    for (int i = 0; i < n_threads; i++) {
        count = count * 6364136223846793005u + 1442695040888963407u;
        hpm_string_add_format(
            text,
            "<InstrumentationPt lid=\"x\" tid=\"%d\" task=\"0\" label=\"work\" "
            "file=\"a.c\" linestart=\"1\" lineend=\"2\" inst=\"1\" id=\"%d\">"
            "<data name=\"Count\" value=\"%llu\" kind=\"counter\"/>"
            "<data name=\"ExcSec\" value=\"1.%09llu\" kind=\"time\"/>"
            "<data name=\"IncSec\" value=\"2.%09llu\" kind=\"time\"/>"
            "<data name=\"PM_CYC\" value=\"%llu\" exclusive=\"%llu\" "
            "kind=\"counter\"/><data name=\"PM_INST_CMPL\" value=\"%llu\" "
            "exclusive=\"%llu\" kind=\"counter\"/></InstrumentationPt>",
            i, i + 1, count >> 50, (count >> 20) % 1000000000,
            (count >> 25) % 1000000000, count >> 22, count >> 24, count >> 21,
            count >> 25);
    }
    hpm_string_add(text, "</HPMPerformanceFile>");
}

static struct hpm_study *
read_text(const char *text, size_t length)
{
    struct hpm_reader_report report = {0};
    struct hpm_study *study = NULL;
    int fd = memfd_create("study", 0);

    if (fd >= 0 && write(fd, text, length) == (ssize_t)length &&
        lseek(fd, 0, SEEK_SET) == 0)
        study = hpm_reader_read_open(fd, "study", 0, &report, NULL);
    if (fd >= 0)
        close(fd);
    hpm_notes_free(&report.notes);
    return study;
}

static struct hpm_study *
read_study(int n_threads)
{
    struct hpm_string text = {0};
    struct hpm_study *study;

    add_file(&text, n_threads);
    study = read_text(text.text, text.length);
    hpm_string_free(&text);
    return study;
}

static struct hpm_survey *
survey(const struct hpm_study *study)
{
    struct hpm_survey_options how = {.grouping = HPM_GROUP_SECTIONS,
                                     .precision = HPM_PRECISION_DOUBLE,
                                     .paths = ""};
    struct hpm_error err;

    return hpm_survey_new(study, &how, &err);
}

/* Make the page of a survey, or of NULL; false when memory ran out. */
static bool
make(struct hpm_survey *sections, size_t most_bytes,
     struct hpm_string *ret_page)
{
    struct hpm_html_options options = {.most_bytes = most_bytes};
    struct hpm_html_experiment experiment = {.name = "p", .sections = sections};

    if (sections != NULL)
        hpm_html_add_page(ret_page, &experiment, 1, &options);
    ret_page->failed |= sections == NULL;
    return !ret_page->failed;
}

/* The index of the word of page.c for what the threads have; -1: none. */
static int
detail_of(struct hpm_string *page)
{
    static const char *const words[] = {"all",   "counts",    "inclusive",
                                        "times", "exclusive", "nothing"};

    for (int i = 0; i < 6; i++) {
        struct hpm_string wanted = {0};
        bool is_it;

        hpm_string_add_format(&wanted, "\"threads\":\"%s\"", words[i]);
        is_it = strstr(hpm_string_text(page), hpm_string_text(&wanted)) != NULL;
        hpm_string_free(&wanted);
        if (is_it)
            return i;
    }
    return -1;
}

/* The page uses the size it may have, and leaves out data only where it
 * must. */
static void
test_size(void)
{
    struct hpm_study *study = read_study(N_THREADS);
    struct hpm_survey *sections = survey(study);
    bool is_within = true, is_less = true, is_used = true;
    int before = 0;
    size_t whole;
    struct hpm_string page = {0};

    ok(make(sections, 0, &page) && detail_of(&page) == 0,
       "a small page has all of its threads");
    whole = page.length;
    hpm_string_free(&page);
    for (size_t most = whole + STEP; most > STEP && before < 5; most -= STEP) {
        int detail;

        if (!make(sections, most, &page))
            break;
        detail = detail_of(&page);
        is_within &= page.length <= most || detail == 5;
        is_less &= detail >= before;
        is_used &= detail <= before + 1;
        before = detail;
        hpm_string_free(&page);
    }
    hpm_string_free(&page);
    ok(is_within, "a page is no larger than asked, as far as threads can help");
    ok(is_less && before == 5, "the smaller it must be, the less it has");
    ok(is_used, "and no step of that is left out");
    hpm_survey_free(sections);
    hpm_study_free(study);
}

static bool
has_group(struct hpm_string *page)
{
    return strstr(hpm_string_text(page), "\"e1q0\"") != NULL;
}

static bool
says_no_room(struct hpm_string *page)
{
    return strstr(hpm_string_text(page),
                  "\"groups\":[],\"groups_have_no_room\":true") != NULL;
}

/* A run and a group of its threads that are all of them. */
static void
test_room_of_groups(void)
{
    struct hpm_study *study = read_study(N_THREADS);
    struct hpm_survey *sections = survey(study);
    struct hpm_html_experiment both[] = {
        {.name = "p", .sections = sections},
        {.name = "p", .sections = sections, .group = "all", .n_members = 1}};
    struct hpm_html_options options = {.n_groups = 1};
    struct hpm_string alone = {0}, page = {0};

    make(sections, 0, &alone);
    hpm_html_add_page(&page, both, 2, &options);
    ok(has_group(&page) && !says_no_room(&page) && detail_of(&page) == 0,
       "where there is room, a group of threads is on the page");
    options.most_bytes = page.length - STEP;
    hpm_string_clear(&page);
    hpm_html_add_page(&page, both, 2, &options);
    ok(!has_group(&page) && says_no_room(&page) && detail_of(&page) == 0 &&
           page.length <= alone.length + STEP,
       "where there is not, the run keeps all, and the page says so");
    hpm_string_free(&alone);
    hpm_string_free(&page);
    hpm_survey_free(sections);
    hpm_study_free(study);
}

/* ---- memory ---------------------------------------------------------- */

static const char whole_file[] =
    "<HPMPerformanceFile version=\"1\" kind=\"run\">"
    "<Run task=\"0\" program=\"p\" seconds=\"20.0\"/>"
    "<Machine task=\"0\" pmu=\"none\"/>"
    "<Calibration task=\"0\" scope=\"thread\" when=\"init\" calls=\"9\">"
    "<cost name=\"IncSec\" self=\"0.000000020\" pair=\"0.000000090\"/>"
    "<cost name=\"MY_X\" self=\"20\" pair=\"90\"/></Calibration>"
    "<Calibration task=\"0\" scope=\"process\" when=\"end\" calls=\"9\">"
    "<cost name=\"IncSec\" self=\"0.000000020\" pair=\"0.000000090\"/>"
    "</Calibration>"
    "<Profile task=\"0\"><Sampled name=\"cpu-clock\" domain=\"user\" "
    "period=\"499000\" unit=\"ns\"/><Module id=\"1\" path=\"/none.so\"/>"
    "</Profile>"
    "<Problem text=\"odd\" count=\"2\"/>"
    "<InstrumentationPt lid=\"x\" tid=\"0\" task=\"0\" label=\"outer\" "
    "file=\"%s\" linestart=\"1\" lineend=\"2\" inst=\"1\" id=\"1\">"
    "<data name=\"Count\" value=\"1\" kind=\"counter\"/>"
    "<data name=\"ExcSec\" value=\"5.000000000\" kind=\"time\"/>"
    "<data name=\"IncSec\" value=\"20.000000000\" kind=\"time\"/>"
    "<data name=\"MY_X\" value=\"90000000000\" exclusive=\"9000000000\" "
    "kind=\"counter\"/>"
    "<data name=\"MY_Y\" value=\"9000000000\" exclusive=\"9000\" "
    "kind=\"counter\"/></InstrumentationPt>"
    "<InstrumentationPt lid=\"y\" tid=\"0\" task=\"0\" label=\"inner\" "
    "file=\"b.c\" linestart=\"3\" lineend=\"4\" inst=\"2\" id=\"2\" "
    "parent=\"1\">"
    "<data name=\"Count\" value=\"1\" kind=\"counter\"/>"
    "<data name=\"ExcSec\" value=\"15.000000000\" kind=\"time\"/>"
    "<data name=\"IncSec\" value=\"15.000000000\" kind=\"time\"/>"
    "<data name=\"MY_X\" kind=\"counter\" state=\"lost\" reason=\"gone\"/>"
    "<samples name=\"cpu-clock\" domain=\"user\" period=\"499000\" "
    "taken=\"60\"><at module=\"1\" offset=\"5\" n=\"60\"/></samples>"
    "</InstrumentationPt></HPMPerformanceFile>";

/* This is a source file of the page, too. */
static const char definitions[] =
    "ratio AA = MY_X / MY_Y\n  bad > 3  why \"w\"  try \"t\"\n";

/* The page with all that a page can have, of existing surveys. */
static bool
write_whole(struct hpm_study *study,
            const struct hpm_html_experiment *experiment,
            struct hpm_string *ret_page)
{
    struct hpm_string sources = {0};
    struct hpm_html_options options = {0};

    hpm_html_add_sources(&sources, &study, 1);
    options.sources = hpm_string_text(&sources);
    hpm_html_add_page(ret_page, experiment, 1, &options);
    hpm_string_finish(&sources, &ret_page->failed);
    return !ret_page->failed;
}

/* The same while the k-th allocation fails; false when this is reported. */
static bool
write_lacking(struct hpm_study *study,
              const struct hpm_html_experiment *experiment, unsigned long k,
              bool for_ever, struct hpm_string *ret_page)
{
    bool is_whole;

    hpm_memory_fail_at(k, for_ever);
    is_whole = write_whole(study, experiment, ret_page);
    hpm_memory_fail_at(0, false);
    return is_whole;
}

/* The number of allocations of a page. */
static unsigned long
count_allocations(struct hpm_study *study,
                  const struct hpm_html_experiment *experiment)
{
    unsigned long least = 1, most = 1ul << 20;

    while (least < most) {
        unsigned long k = least + (most - least) / 2;
        struct hpm_string page = {0};

        if (write_lacking(study, experiment, k, true, &page))
            most = k;
        else
            least = k + 1;
        hpm_string_free(&page);
    }
    return least - 1;
}

/* The first twelve of two hundred quantities, the calls, times and counters,
 * are enough: each of the others takes as many allocations. */
static struct hpm_survey *
new_small(const struct hpm_study *study, const struct hpm_survey_options *how)
{
    struct hpm_survey *survey = hpm_survey_new(study, how, NULL);

    survey->n_quantities = 12;
    return survey;
}

/* Only the allocations of the page's writer fail, each once. */
static void
test_each_allocation(void)
{
    struct hpm_html_experiment experiment = {.name = "p"};
    struct hpm_string text = {0}, expected = {0};
    char source[] = "/tmp/hpm-page-XXXXXX";
    struct hpm_survey_options how = {.paths = source};
    int fd = mkstemp(source);
    unsigned long n, n_said = 0;
    bool is_right = true;
    struct hpm_study *study;

    hpm_string_add_format(&text, whole_file, source);
    study = read_text(text.text, text.length);
    ok(fd >= 0 && write(fd, definitions, strlen(definitions)) ==
                      (ssize_t)strlen(definitions),
       "there is a source file");
    experiment.sections = new_small(study, &how);
    how.grouping = HPM_GROUP_PATHS;
    experiment.paths = new_small(study, &how);
    ok(write_whole(study, &experiment, &expected) &&
           strstr(expected.text, "id=\"e0s\"") != NULL &&
           strstr(expected.text, "id=\"e0p0\"") != NULL &&
           strstr(expected.text, "\"sources\":{}") == NULL,
       "a page has samples, call paths and sources");
    n = count_allocations(study, &experiment);
    for (unsigned long k = 1; k <= n; k++) {
        struct hpm_string page = {0};
        bool is_whole = write_lacking(study, &experiment, k, false, &page);

        n_said += !is_whole;
        is_right &= !is_whole || strcmp(page.text, expected.text) == 0;
        hpm_string_free(&page);
    }
    printf("# %lu allocations\n", n);
    ok(n > 100 && n_said == n, "no allocation of a page is one to do without");
    ok(is_right, "where one fails nothing is missing, or it is said");
    hpm_survey_free(experiment.sections);
    hpm_survey_free(experiment.paths);
    hpm_string_free(&expected);
    hpm_string_free(&text);
    hpm_study_free(study);
    close(fd);
    unlink(source);
}

/* Allocations of the surveys fail, too. */
static void
test_no_memory(void)
{
    struct hpm_study *study = read_study(3);
    struct hpm_survey *sections = survey(study);
    struct hpm_string expected = {0};
    bool is_right = make(sections, 0, &expected);
    int n_whole = 0;

    hpm_survey_free(sections);
    for (unsigned long k = 1; k < 1000000 && n_whole < 2 && is_right;
         k += 1 + k / 16) {
        n_whole = 0;
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            struct hpm_string page = {0};

            hpm_memory_fail_at(k, for_ever != 0);
            sections = survey(study);
            if (make(sections, 0, &page)) {
                n_whole++;
                is_right &= strcmp(hpm_string_text(&page),
                                   hpm_string_text(&expected)) == 0;
            }
            hpm_memory_fail_at(0, false);
            hpm_survey_free(sections);
            hpm_string_free(&page);
        }
    }
    ok(is_right && n_whole == 2,
       "where memory runs out nothing is missing, or it is said");
    hpm_string_free(&expected);
    hpm_study_free(study);
}

int
main(void)
{
    test_each_allocation();
    test_size();
    test_room_of_groups();
    test_no_memory();
    return done();
}
