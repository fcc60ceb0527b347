/* SPDX-License-Identifier: BSD-3-Clause
 * How much of single threads fits a page, and that running out of memory is
 * said.  What is on a page is tests/cli/htmlpage.py. */
#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/memory.h"
#include "study/file/reader.h"
#include "study/html/page.h"
#include "study/survey/surveying.h"
#include "tap.h"

enum { N_THREADS = 500, STEP = 1000 };

/* A section in many threads, whose counts have digits of their own. */
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
read_study(int n_threads)
{
    struct hpm_reader_report report = {0};
    struct hpm_string text = {0};
    struct hpm_study *study = NULL;
    int fd = memfd_create("study", 0);

    add_file(&text, n_threads);
    if (fd >= 0 && write(fd, text.text, text.length) == (ssize_t)text.length &&
        lseek(fd, 0, SEEK_SET) == 0)
        study = hpm_reader_read_open(fd, "study", 0, &report, NULL);
    if (fd >= 0)
        close(fd);
    hpm_notes_free(&report.notes);
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

/* Of a survey, or of NULL; false when memory ran out. */
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

/* Which of the words of page.c it says its threads have; -1: none. */
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

/* The page takes what it is given, and says less only where it must. */
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
    /* the page itself, and what is set aside for its facts */
    for (size_t most = whole + 100000; most > 100000 && before < 5;
         most -= STEP) {
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

static void
test_no_memory(void)
{
    struct hpm_study *study = read_study(3);
    struct hpm_survey *sections = survey(study);
    struct hpm_string expected = {0};
    bool is_right = make(sections, 0, &expected);
    unsigned long part = is_repeated() ? 16 : 64;
    int n_whole = 0;

    hpm_survey_free(sections);
    for (unsigned long k = 1; k < 1000000 && n_whole < 2 && is_right;
         k += 1 + k / part) {
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
    test_size();
    test_no_memory();
    return done();
}
