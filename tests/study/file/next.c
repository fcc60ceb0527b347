/* SPDX-License-Identifier: BSD-3-Clause
 * One reader for many files: what is read of a file does not depend on files
 * read before. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "study/file/reader.h"
#include "study/file/studyfile.h"
#include "tap.h"

#define ROOT "<HPMPerformanceFile version=\"1\">"
#define END "</HPMPerformanceFile>"
#define RECORD "<InstrumentationPt label=\"a\" id=\"1\" tid=\"0\">"
#define DATA "<data name=\"Count\" value=\"3\" kind=\"counter\"/>"
#define RECORD_END "</InstrumentationPt>"

static const struct {
    const char *what, *text;
} files[] = {
    {"a good file",
     ROOT "<Run task=\"1\" program=\"swim\"/>" RECORD DATA RECORD_END END},
    {"other attributes",
     ROOT "<Run program=\"x\" job=\"7\" task=\"2\"/>"
          "<InstrumentationPt tid=\"1\" file=\"b.c\" "
          "label=\"b\"><data value=\"1.5\" mean=\"2\" "
          "name=\"L2\" kind=\"metric\" unit=\"%\"/>"
          "<data name=\"X\" exclusive=\"7\"/>" RECORD_END END},
    {"the paper's records",
     "\n" RECORD "<data name=\"IncSec\" "
     "value=\"2.918\"/>" RECORD_END RECORD DATA RECORD_END},
    {"escapes", ROOT "<Run task=\"0\" program=\"a\\x41 &lt;&amp;&#9;\"/>" RECORD
                     "<data name=\"\\\\\" value=\"x\"/>" RECORD_END END},
    {"a declaration", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" ROOT RECORD
                          DATA RECORD_END END "\n<!-- end -->\n"},
    {"names of newer files", ROOT "<New name=\"x\" value=\"1\"><Newer/></New>"
                                  "<Run task=\"4\" news=\"5\"/>" END},
    {"prefixes", ROOT "<x:Run xmlns:x=\"u\" x:task=\"1\" task=\"3\"/>"
                      "<Run xmlns=\"v\" task=\"5\"/>" END},
    {"nothing", ""},
    {"no XML", "swim 1 2 3\n"},
    {"another root", "<html><Run task=\"1\"/></html>"},
    {"a cut record", ROOT RECORD DATA RECORD_END RECORD "<data name=\"Cou"},
    {"a cut comment", ROOT RECORD DATA RECORD_END "<!-- and then"},
    {"a cut declaration", "<?xml version=\"1.0\""},
    {"wrong nesting", ROOT RECORD DATA END},
    {"an attribute twice", ROOT "<Run task=\"1\" task=\"1\"/>" END},
    {"a document type", "<!DOCTYPE a [<!ENTITY b \"c\">]>" ROOT END},
    {"a cut document type", "<!DOCTYPE a [<!ENTITY b "},
    {"an instruction", ROOT "<?php 1 ?>" END},
    {"a section of text", ROOT "<![CDATA[ <Run> ]]> & " END},
    {"another encoding",
     "<?xml version=\"1.0\" encoding=\"latin1\"?>" ROOT END},
    {"deep elements",
     ROOT "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>"},
    {"a newer version", "<HPMPerformanceFile version=\"9\">" RECORD END},
};

enum { N_FILES = sizeof files / sizeof *files };

static char folder[] = "/tmp/hpm-test-XXXXXX";

/* 600 names: a parser that knows so many is not kept. */
static void
write_names(FILE *file)
{
    fputs(ROOT, file);
    for (int i = 0; i < 600; i++)
        fprintf(file, "<name%d/>", i);
    fputs(RECORD DATA RECORD_END END, file);
}

static void
path_of(int i, char *ret_path, size_t size)
{
    snprintf(ret_path, size, "%s/%d", folder, i);
}

static void
write_files(void)
{
    for (int i = 0; i <= N_FILES; i++) {
        char path[64];
        FILE *file;

        path_of(i, path, sizeof path);
        file = fopen(path, "w");
        if (file == NULL)
            exit(99);
        if (i < N_FILES)
            fputs(files[i].text, file);
        else
            write_names(file);
        fclose(file);
    }
}

static void
remove_files(void)
{
    for (int i = 0; i <= N_FILES; i++) {
        char path[64];

        path_of(i, path, sizeof path);
        unlink(path);
    }
    rmdir(folder);
}

/* All results of a file, with this reader or a new one. */
static void
read_one(struct hpm_reader *reader, int i, struct hpm_string *ret_text)
{
    struct hpm_reader_report report = {0};
    struct hpm_error err = {""};
    struct hpm_study *study;
    char path[64];

    path_of(i, path, sizeof path);
    study = reader != NULL
                ? hpm_reader_read_next(reader, path, 0, &report, &err)
                : hpm_reader_read(path, 0, &report, &err);
    hpm_string_clear(ret_text);
    if (study != NULL)
        hpm_studyfile_print(study, ret_text);
    hpm_string_add_format(ret_text, "%s\n%s%zu %d %zu\n", err.text,
                          hpm_string_text(&report.notes.lines), report.notes.n,
                          report.is_cut, report.n_unknown);
    hpm_notes_free(&report.notes);
    hpm_study_free(study);
}

/* Read the file after a good file and after each of all files. */
static bool
reads_alike(int i, const struct hpm_string *alone)
{
    struct hpm_string text = {0};
    bool is_same = true;

    for (int before = 0; before <= N_FILES && is_same; before++) {
        struct hpm_reader *reader = hpm_reader_new();

        read_one(reader, 0, &text);
        read_one(reader, before, &text);
        read_one(reader, i, &text);
        is_same = strcmp(hpm_string_text(&text), hpm_string_text(alone)) == 0;
        if (!is_same)
            printf("# file %d behind file %d:\n# %s# alone:\n# %s", i, before,
                   hpm_string_text(&text), hpm_string_text(alone));
        hpm_reader_free(reader);
    }
    hpm_string_free(&text);
    return is_same;
}

int
main(void)
{
    struct hpm_string alone = {0};

    if (mkdtemp(folder) == NULL)
        exit(99);
    write_files();
    for (int i = 0; i <= N_FILES; i++) {
        char sentence[100];

        read_one(NULL, i, &alone);
        snprintf(sentence, sizeof sentence,
                 "%s: the same, whatever was read before",
                 i < N_FILES ? files[i].what : "many names");
        ok(reads_alike(i, &alone), sentence);
    }
    hpm_string_free(&alone);
    remove_files();
    return done();
}
