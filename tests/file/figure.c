/* SPDX-License-Identifier: BSD-3-Clause
 * A performance file with metrics: the record of the paper's Figure 3, as the
 * library writes it. */
#include "config.h"

#include "file/writer.h"

#include <stdlib.h>
#include <unistd.h>

#include "host/memory.h"
#include "metric/trial.h"
#include "tap.h"

static const struct {
    const char *name;
    uint64_t value;
} counts[] = {
    {"PM_CYC", 169719339},     {"PM_INST_CMPL", 135603862},
    {"PM_ST_CMPL", 8255773},   {"PM_LD_CMPL", 56883532},
    {"PM_FPU0_CMPL", 6463248}, {"PM_FPU1_CMPL", 5122784},
    {"PM_EXEC_FMA", 7697521},
};

/* The values printed in the figure, in its order. */
static const struct {
    const char *name;
    double value;
    const char *limits;
} printed[] = {
    {"User time", 0.764, ""},
    {"Use rate", 0.262, ""},
    {"Total LS", 65.139, ""},
    {"Instr/LS", 2.082, " sbad=\"-1\" sgood=\"2.5\" dbad=\"-1\" dgood=\"2.5\""},
    {"MIPS", 46.476, ""},
    {"Ipc", 0.799, " sbad=\"-1\" sgood=\"2\" dbad=\"-1\" dgood=\"2\""},
    {"HW FP/Cyc", 0.068, ""},
    {"FPI+FMA", 19.284, ""},
    {"Mflip/s", 6.609, ""},
    {"FMA %", 79.835, " sbad=\"-40\" sgood=\"70\" dbad=\"-40\" dgood=\"70\""},
    {"Comp Int.", 0.296,
     " sbad=\"-0.7\" sgood=\"1.4\" dbad=\"-0.7\" dgood=\"1.4\""},
};

enum { N_PRINTED = sizeof printed / sizeof printed[0] };

static void
set(char **field, const char *text)
{
    hpm_experiment_set_text(field, text);
}

static struct hpm_experiment *
make_experiment(void)
{
    struct hpm_experiment *experiment = hpm_experiment_new();
    struct hpm_record *record;

    set(&experiment->run.program, "swim");
    set(&experiment->machine.pmu, "power3");
    experiment->machine.mhz = 222.1;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct hpm_counter *counter = hpm_experiment_add_counter(experiment);

        set(&counter->name, counts[i].name);
        set(&counter->unit, "");
        counter->is_hidden = true;
    }
    record = hpm_experiment_add_record(experiment);
    set(&record->label, "Loop 300");
    set(&record->file, "swim.f");
    record->tid = 37;
    record->line_start = 775;
    record->line_end = 786;
    record->calls = record->outer = 1198;
    record->time.total = record->time.exclusive = 2917700000;
    for (size_t i = 0; i < experiment->n_counters; i++)
        *hpm_experiment_value(experiment, 0, i) =
            (struct hpm_value){.is_present = true,
                               .has_exclusive = true,
                               .total = counts[i].value,
                               .exclusive = counts[i].value / 2,
                               .mean = NAN,
                               .deviation = NAN,
                               .share = NAN};
    return experiment;
}

/* The file's text; empty when it could not be written. */
static struct hpm_string
write_file(const struct hpm_experiment *experiment, struct hpm_derived *derived)
{
    char folder[] = "/tmp/hpm-figure-XXXXXX", path[64], buffer[4096];
    struct hpm_destination destination;
    struct hpm_string text = {0};
    struct hpm_output *output;
    struct hpm_error err;
    char *written = NULL;
    FILE *file;
    size_t n;

    if (mkdtemp(folder) == NULL)
        return text;
    snprintf(path, sizeof path, "%s/f", folder);
    if (!hpm_destination_fix(&destination, path, &err))
        return text;
    output = hpm_output_open(&destination, &err);
    if (output != NULL && hpm_writer_write(experiment, derived, output, &err))
        hpm_output_commit(output, false, &written, &err);
    hpm_memory_free(written);
    hpm_destination_clear(&destination);
    file = fopen(path, "r");
    while (file != NULL && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
        hpm_string_add_bytes(&text, buffer, n);
    if (file != NULL)
        fclose(file);
    unlink(path);
    rmdir(folder);
    return text;
}

/* The n-th metric of the text, or NULL. */
static const char *
find_metric(const char *text, int n)
{
    const char *line = text;

    while ((line = strstr(line, "<data ")) != NULL) {
        const char *end = strstr(line, "/>");
        const char *kind = strstr(line, "kind=\"metric\"");

        if (kind != NULL && end != NULL && kind < end && n-- == 0)
            return line;
        line++;
    }
    return NULL;
}

static void
check_metric(const char *line, size_t i)
{
    char name[64], rest[256] = "", sentence[96];
    double value = 0.0, exclusive = 0.0;

    snprintf(sentence, sizeof sentence, "%s is as in Figure 3",
             printed[i].name);
    if (line == NULL || sscanf(line,
                               "<data name=\"%63[^\"]\" value=\"%lf\" "
                               "exclusive=\"%lf\" kind=\"metric\"%255[^\n]",
                               name, &value, &exclusive, rest) != 4) {
        ok(false, sentence);
        printf("# %.200s\n", line != NULL ? line : "missing");
        return;
    }
    is_text(name, printed[i].name, "metrics come in the figure's order");
    is_near(value, printed[i].value, 0.0005, sentence);
    if (printed[i].limits[0] != '\0')
        ok(strstr(rest, printed[i].limits) != NULL, "and so are its limits");
    else
        ok(strstr(rest, "bad=") == NULL, "and it has no limits");
}

int
main(void)
{
    struct hpm_experiment *experiment = make_experiment();
    struct hpm_platform platform = hpm_platform_of(&experiment->machine);
    struct hpm_spec *shipped = read_shipped();
    struct hpm_metrics *metrics = hpm_metrics_new(shipped, &platform, NULL);
    struct hpm_derived *derived =
        hpm_derived_new(metrics, experiment, false, NULL);
    struct hpm_string text = write_file(experiment, derived);

    for (int i = 0; i < N_PRINTED; i++)
        check_metric(find_metric(hpm_string_text(&text), i), (size_t)i);
    ok(find_metric(hpm_string_text(&text), N_PRINTED) == NULL,
       "there are no other metrics");
    ok(strstr(hpm_string_text(&text),
              "<data name=\"PM_CYC\" value=\"169719339\"") != NULL,
       "the counts are there, too");
    hpm_string_free(&text);
    text = write_file(experiment, NULL);
    ok(text.length > 0 && find_metric(hpm_string_text(&text), 0) == NULL,
       "without definitions there are no metrics");
    hpm_string_free(&text);
    hpm_derived_free(derived);
    hpm_metrics_free(metrics);
    hpm_spec_free(shipped);
    hpm_experiment_free(experiment);
    return done();
}
