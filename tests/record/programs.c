/* SPDX-License-Identifier: BSD-3-Clause
 * Random programs, with threads, forks, exceptions and filters, through the
 * public calls of every language: their performance files must agree with a
 * slow model (world.h).
 *
 *     programs [door=NAME] [module=FILE] [source=sde|replay]
 *     programs n=100000      programs of so many sequences in all, those of the
 *                            threads and of the process scope of each process
 *                            (or HPM_TEST_SEQUENCES=100000; else 1,000)
 *     programs rounds=100    up to so many rounds in a program (else 1): many
 *                            sequences in one process, since a process takes
 *                            its time to begin
 *     programs seed=N        the same ones again, with the same rounds
 *     programs 'words=program : +1a 5 -1'   this one, see sequence.h
 *
 * The seed is printed.  A program that fails is shortened as far as possible
 * and printed, as words for this test and in C (listing.h). */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef HAVE_SDE
#include <sde_lib.h>
#endif

#include "listing.h"
#include "perform.h"
#include "recordfile.h"
#include "sequence.h"
#include "tap.h"
#include "world.h"

/* A quarter is enough where another build makes all of them; LONGEST is in
 * seconds. */
enum { N_SEQUENCES = 1000, N_REPEATED = 250, LONGEST = 600 };

static const char sde_name[] = "sde:::Oracle::ticks";
static const char replay_name[] = "ticks";

static struct perform_door door;
static bool is_replay;
static const char *event;
static long long ticks;
static struct perform_report *report;
static unsigned long n_programs, n_sequences; /* that were compared */
static unsigned long n_rounds;
static char folder[512];

/* ---- one program in a process of its own ------------------------------ */

/* Set a variable to labels such as "a,c". */
static void
set_labels(const char *name, unsigned labels)
{
    char list[32] = "", *at = list;

    for (int i = 1; i < SEQUENCE_N_LABELS; i++) {
        if ((labels & 1u << i) != 0)
            at += sprintf(at, "%s%s", at > list ? "," : "", sequence_labels[i]);
    }
    if (at > list)
        setenv(name, list, 1);
    else
        unsetenv(name);
}

static void
set_variables(const struct sequence *sequence)
{
    static const char *const nestings[] = {[MODEL_SCOPES] = "scopes",
                                           [MODEL_STRICT] = "strict",
                                           [MODEL_FREE] = "free"};
    char number[16];

    sprintf(number, "%u", sequence->n_skipped);
    set_labels("HPM_ONLY", sequence->only);
    set_labels("HPM_EXCEPT", sequence->except);
    setenv("HPM_SKIP", number, 1);
    setenv("HPM_OUTPUT_NAME", "m.xml", 1);
    setenv("HPM_EVENTS", event, 1);
    setenv("HPM_SOURCE", is_replay ? "replay" : "auto", 1);
    setenv("HPM_REPLAY", "samples", 1);
    setenv("HPM_NESTING", nestings[sequence->nesting], 1);
}

static int
run_process(const struct sequence *sequence)
{
    int status = -1, null;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        null = open("/dev/null", O_RDWR);
        dup2(null, STDIN_FILENO);
        dup2(open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        set_variables(sequence);
        alarm(LONGEST);
        perform(sequence, &door, &ticks, report);
    }
    waitpid(pid, &status, 0);
    return status;
}

/* ---- comparing ------------------------------------------------------- */

static bool is_same;
static char told[8192]; /* the differences */
static int at_process;

__attribute__((format(printf, 1, 2))) static void
add(const char *format, ...)
{
    size_t length = strlen(told);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(told + length, sizeof told - length, format, arguments);
    va_end(arguments);
}

static void
tell(const struct recordfile_record *record, const char *what, const char *got,
     const char *expected)
{
    is_same = false;
    add("# process %d: ", at_process);
    if (record != NULL)
        add("tid %d section %d \"%s\" line %d%s: ", record->tid,
            record->instance, record->label, record->line,
            record->parent != 0 ? " (inside)" : "");
    add("%s is %s, should be %s\n", what, got, expected);
}

static void
compare(const struct recordfile_record *record, const char *what, uint64_t got,
        uint64_t expected)
{
    char texts[2][24];

    if (got == expected)
        return;
    sprintf(texts[0], "%llu", (unsigned long long)got);
    sprintf(texts[1], "%llu", (unsigned long long)expected);
    tell(record, what, texts[0], texts[1]);
}

/* Compare a count as it is written: without sign and decimals. */
static void
compare_text(const struct recordfile_record *record, const char *what,
             const char *got, uint64_t expected, bool is_there)
{
    char text[24] = "";

    if (is_there)
        sprintf(text, "%llu", (unsigned long long)expected);
    if (strcmp(got, text) != 0)
        tell(record, what, got, text);
}

static void
compare_near(const struct recordfile_record *record, const char *what,
             const char *got, long double expected, bool is_there)
{
    long double difference = strtold(got, NULL) - expected;
    char text[48] = "";

    if (is_there)
        sprintf(text, "%.18Lg", expected);
    if ((got[0] != '\0') != is_there ||
        (is_there &&
         difference * difference > 1e-28L + 1e-24L * expected * expected))
        tell(record, what, got, text);
}

/* n times the sum of squares minus the square of the sum: exact. */
static long double
deviation(const struct model_record *record)
{
    unsigned __int128 sum = record->inclusive[MODEL_TICKS];
    unsigned __int128 spread = record->outer * record->squares - sum * sum;
    long double n = (long double)record->outer;

    return sqrtl((long double)spread / (n * (n - 1)));
}

static const struct recordfile_datum no_datum;

static const struct recordfile_datum *
datum_of(const struct recordfile_record *record, const char *name)
{
    const struct recordfile_datum *datum = recordfile_datum(record, name);

    return datum != NULL ? datum : &no_datum;
}

static void
compare_ticks(const struct recordfile_record *record,
              const struct model_record *model)
{
    const struct recordfile_datum *datum = datum_of(record, event);
    bool has_value = !model->is_only_exclusive;
    uint64_t all = model->inclusive[MODEL_TICKS];

    compare_text(record, "inclusive value", datum->value, all, has_value);
    compare_text(record, "exclusive value", datum->exclusive,
                 model->exclusive[MODEL_TICKS], true);
    compare_near(record, "mean", datum->mean,
                 (long double)all / (long double)model->outer, has_value);
    compare_near(record, "deviation", datum->sdev,
                 model->outer > 1 ? deviation(model) : 0,
                 has_value && model->outer > 1);
    if (has_value && datum->value[0] == '\0')
        add("# of the value, the file says '%s': '%s'\n", datum->state,
            datum->reason);
}

/* Replayed ticks are nanoseconds. */
static void
compare_time(const struct recordfile_record *record,
             const struct model_record *model)
{
    const struct recordfile_datum *all = datum_of(record, "IncSec");
    const struct recordfile_datum *own = datum_of(record, "ExcSec");

    if (!is_replay)
        return;
    compare_near(record, "inclusive time", all->value,
                 (long double)model->inclusive[MODEL_TICKS] / 1e9L,
                 !model->is_only_exclusive);
    compare_near(record, "exclusive time", own->value,
                 (long double)model->exclusive[MODEL_TICKS] / 1e9L, true);
}

/* The work of the record and all records below it. */
static uint64_t
sum_work(const struct model *model, int of)
{
    uint64_t sum = 0;

    for (int i = 0; i < model->n_records; i++) {
        int above = i;

        while (above >= 0 && above != of)
            above = model->records[above].parent;
        sum += above == of ? model->records[i].work : 0;
    }
    return sum;
}

/* If there is no work, "0" or nothing is right. */
static void
compare_work(const struct recordfile_record *record, const struct model *model,
             int at)
{
    const struct recordfile_datum *datum = datum_of(record, "work::cells");
    const struct model_record *expected = &model->records[at];

    compare(record, "work", strtoull(datum->exclusive, NULL, 10),
            expected->work);
    if (!expected->is_only_exclusive)
        compare(record, "work with sections inside",
                strtoull(datum->value, NULL, 10), sum_work(model, at));
}

static void
compare_record(const struct recordfile_record *record,
               const struct model *model, int at)
{
    const struct model_record *expected = &model->records[at];

    compare_text(record, "Count", datum_of(record, "Count")->value,
                 expected->calls, true);
    compare(record, "outer",
            record->outer == SIZE_MAX
                ? strtoull(datum_of(record, "Count")->value, NULL, 10)
                : record->outer,
            expected->outer);
    compare(record, "skipped", record->skipped, expected->skipped);
    compare(record, "overlap", record->has_overlap, expected->has_overlap);
    compare(record, "open", record->is_open, expected->is_open);
    compare_ticks(record, expected);
    compare_time(record, expected);
    compare_work(record, model, at);
}

/* ---- one file -------------------------------------------------------- */

static int
find_label(const char *label)
{
    for (int i = 1; i < SEQUENCE_N_LABELS; i++) {
        if (strcmp(sequence_labels[i], label) == 0)
            return i;
    }
    return 0;
}

static const struct model *
model_of(const struct world_process *process, int tid)
{
    if (tid < 0)
        return &process->process;
    return tid < process->n_threads ? &process->threads[tid].model : NULL;
}

/* The model's record for one in the file, -1 if there is none; `ids` has the
 * parents' records. */
static int
find_record(const struct model *model, const struct recordfile_record *record,
            const int *ids)
{
    const struct model_section section = {
        record->instance, find_label(record->label), record->line - 1};
    int parent = record->parent > 0 ? ids[record->parent] : -1;

    return model_find(model, parent, &section);
}

static bool
is_written(const struct model_record *record)
{
    return record->calls > 0;
}

static uint64_t
count_written(const struct model *model)
{
    uint64_t n = 0;

    for (int i = 0; i < model->n_records; i++)
        n += is_written(&model->records[i]);
    return n;
}

static uint64_t
count_all(const struct world_process *process)
{
    uint64_t n = count_written(&process->process);

    for (int i = 0; i < process->n_threads; i++)
        n += count_written(&process->threads[i].model);
    return n;
}

/* Count the sequences that make starts. */
static unsigned long
count_sequences(const struct world_process *process)
{
    unsigned long n = process->process.n_records > 0;

    for (int i = 0; i < process->n_threads; i++)
        n += process->threads[i].model.n_records > 0;
    return n;
}

static uint64_t
count_problems(const struct world_process *process)
{
    uint64_t n = process->n_problems + process->process.n_problems;

    for (int i = 0; i < process->n_threads; i++)
        n += process->threads[i].model.n_problems;
    return n;
}

static void
compare_outside(const struct recordfile_record *record,
                const struct world_process *process)
{
    if (record->tid >= 0 && record->tid < process->n_threads)
        compare_text(record, "what is outside sections",
                     datum_of(record, event)->value,
                     process->threads[record->tid].outside, true);
}

static void
compare_file(const struct recordfile *file, const struct world_process *process)
{
    static int ids[RECORDFILE_MAX + 1];
    uint64_t n = 0;

    for (size_t i = 0; i < file->n; i++) {
        const struct recordfile_record *record = &file->records[i];
        const struct model *model = model_of(process, record->tid);

        if (record->is_outside) {
            compare_outside(record, process);
            continue;
        }
        n++;
        ids[record->id] = model != NULL ? find_record(model, record, ids) : -1;
        compare(record, "records it should have", 1, ids[record->id] >= 0);
        if (ids[record->id] >= 0)
            compare_record(record, model, ids[record->id]);
    }
    compare(NULL, "number of records", n, count_all(process));
    compare(NULL, "number of problems", file->n_problems,
            count_problems(process));
    if (!is_same)
        add("%s", file->problems);
}

/* ---- one program ----------------------------------------------------- */

static FILE *samples;

static void
write_sample(void *context, int tid, uint64_t now)
{
    (void)context;
    fprintf(samples, "%d %llu %llu\n", tid, (unsigned long long)now,
            (unsigned long long)now);
}

static void
make_expected(struct world *world, const struct sequence *sequence)
{
    world->door =
        (struct world_door){door.has_lines, door.has_parents, door.has_scopes};
    world->edge = NULL;
    if (is_replay) {
        samples = fopen("samples", "we");
        if (samples == NULL)
            exit(1);
        fprintf(samples, "events ticks\n");
        world->edge = write_sample;
    }
    world_run(world, sequence);
    if (is_replay)
        fclose(samples);
}

/* Compare the process that was forked as this number. */
static void
compare_process(const struct world *world, int number)
{
    static struct recordfile file;
    char path[32] = "m.xml";
    bool is_there;

    if (number > 0)
        sprintf(path, "m_%d.xml", (int)report->pids[number]);
    at_process = number;
    is_there = recordfile_read(&file, path);
    if (number == 0 || is_there || count_all(world->processes[number]) > 0)
        compare(NULL, "files that are whole", is_there, 1);
    if (is_there)
        compare_file(&file, world->processes[number]);
    if (getenv("HPM_TEST_KEEP") == NULL)
        unlink(path);
}

/* Does the library differ from the model? */
static bool
differs(const struct sequence *sequence)
{
    static struct world world;
    int status;

    is_same = true;
    told[0] = '\0';
    make_expected(&world, sequence);
    status = run_process(sequence);
    at_process = 0;
    compare(NULL, "status", (uint64_t)status, 0);
    compare(NULL, "processes", (uint64_t)report->n_processes + 1,
            (uint64_t)world.n_processes);
    n_programs++;
    for (int i = 0; i < world.n_processes; i++) {
        n_sequences += count_sequences(world.processes[i]);
        compare_process(&world, i);
    }
    return !is_same;
}

/* ---- many programs -------------------------------------------------- */

/* Show the messages of the library in the last program. */
static void
show_said(void)
{
    FILE *said = fopen("said", "re");
    char line[512];

    while (said != NULL && fgets(line, sizeof line, said) != NULL)
        printf("# it said: %s", line);
    if (said != NULL)
        fclose(said);
}

static void
show(struct sequence *sequence, uint64_t number)
{
    printf("# program %llu differs:\n%s", (unsigned long long)number, told);
    show_said();
    printf("# shortened:\n# ");
    sequence_shrink(sequence, differs);
    sequence_print(sequence);
    printf("%s", differs(sequence) ? told
                                   : "# not this time: it does not always "
                                     "differ\n");
    listing_print(sequence, event, door.has_scopes);
}

/* Returns how many differ; prints the first few. */
static unsigned long
run(unsigned long n, uint64_t seed)
{
    static struct sequence sequence;
    unsigned long n_different = 0;

    for (; n_sequences < n && n_different < 3; seed++) {
        sequence_make_program(&sequence, seed, !is_replay, (unsigned)n_rounds);
        if (!differs(&sequence))
            continue;
        n_different++;
        show(&sequence, seed);
    }
    printf("# %lu programs with %lu sequences\n", n_programs, n_sequences);
    return n_different;
}

static void
run_one(const char *words, const char *sentence)
{
    static struct sequence sequence;
    bool is_sequence = sequence_read(&sequence, words);

    bool is_good = is_sequence && !differs(&sequence);

    ok(is_good, sentence);
    if (!is_good)
        printf("%s", told);
}

/* Programs that failed once. */
static void
run_known(void)
{
    static const struct known {
        const char *words, *sentence;
        bool has_forks;
    } known[] = {
        {"program except=b : +1b 1 +1a 10 -1 100 -1",
         "a stop is that of the innermost section with its id, though the one "
         "around is left out",
         false},
        {"program skip=1 : +1a 1 +1a 2 +1a 4 -1 8 -1 16 -1 +1a 32 +1a 64 +1a "
         "128 -1 256 -1 512 -1",
         "of a recursion the first call is skipped", false},
        {"program : +1a 1 +3c 2 +2b 4 -1 8 -3 16 +1a 32 +2b 64 -2 128 -1 256 "
         "-2 512",
         "a section that is open after an overlap is not opened again", false},
        {"program strict : +1a 1 +2b 2 -1 4 +3c 8 -3 16 -2",
         "where sections never overlap, an outer stop closes what is inside",
         false},
        {"program : (1a 1 +2b 2 !1 4 +3c 8 -3 16",
         "a scope that an exception leaves closes what is inside", false},
        {"program : +1a 1 +2b 2 -1 4 +1a 8 +2b 16 -2 32 -2 64 +2b 128 -2 256 "
         "-1",
         "where a section is opened again above one that is open inside it, "
         "that one is not opened again",
         false},
        {"program changing : +1a 1 +2b 2 -1 4 +1a 8 +2b 16 -2 32 -2 64 -1",
         "nor where it has the first call site of all", false},
        {"program skip=2 : +1a 1 -1 2 +1a 4 -1 8 +1a 16 +2b 32 -2 64 -1 128 "
         "+1a 256 +2b 512 -2 1024 -1",
         "of each section that many calls are skipped", false},
        {"program : t2fork t2+2a 1 t2p+1b 2 t2-2 4 +1a 5",
         "a child of another thread than the main one measures", true},
        {"program : +1a 1 -1 fork t1+4a t1gone +1a",
         "in a child another thread may be the first that measures", true},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!known[i].has_forks || !is_replay)
            run_one(known[i].words, known[i].sentence);
    }
}

/* A program that recurses deeper than there are frames. */
static void
run_deep(void)
{
    static struct sequence sequence;

    memset(&sequence, 0, sizeof sequence);
    sequence.is_program = true;
    sequence.except = 2;
    for (int i = 0; i < 1000; i++) {
        sequence.steps[i] = (struct sequence_step){
            .kind = '+', .id = 1, .label = 1, .parent = MODEL_AUTO_PARENT};
        sequence.steps[1000 + i] = (struct sequence_step){.kind = '-', .id = 1};
    }
    sequence.n_steps = 2000;
    ok(!differs(&sequence), "a recursion 1,000 deep may be left out");
}

/* ---- setting up ------------------------------------------------------ */

static uint64_t
any_seed(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static bool
register_ticks(void)
{
#ifdef HAVE_SDE
    papi_handle_t library = papi_sde_init("Oracle");

    papi_sde_register_counter(library, "ticks", PAPI_SDE_RO | PAPI_SDE_DELTA,
                              PAPI_SDE_long_long, &ticks);
    return true;
#else
    return false;
#endif
}

static bool
choose_source(const char *name)
{
    is_replay = strcmp(name, "replay") == 0;
    event = is_replay ? replay_name : sde_name;
    return is_replay || register_ticks();
}

static bool
choose_door(const char *name)
{
    for (const struct perform_door *each = perform_doors; each->name != NULL;
         each++) {
        if (strcmp(each->name, name) == 0)
            door = *each;
    }
    return door.name != NULL;
}

/* ISO C has no conversion from object to function pointer. */
static bool
find(void *module, const char *name, void *ret_function)
{
    void *symbol = module != NULL ? dlsym(module, name) : NULL;

    if (symbol != NULL)
        memcpy(ret_function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* A language built by another compiler: its own loop, or its calls. */
static bool
load_door(const char *path)
{
    void *module = dlopen(path, RTLD_NOW);

    choose_door("C");
    door.name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    if (find(module, "door_run", &door.run)) {
        door.has_scopes = true;
        return true;
    }
    if (find(module, "door_start", &door.start) &&
        find(module, "door_stop", &door.stop))
        return true;
    printf("# %s\n", dlerror());
    return false;
}

static const char *
value_of(int argc, char **argv, const char *name, const char *otherwise)
{
    size_t length = strlen(name);

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
            return argv[i] + length + 1;
    }
    return otherwise;
}

static bool
set_up(int argc, char **argv)
{
    const char *module = value_of(argc, argv, "module", NULL);

    const char *temporary = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/hpm-programs-XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    n_rounds = strtoul(value_of(argc, argv, "rounds", "1"), NULL, 10);
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED || n_rounds < 1)
        return false;
    if (module != NULL ? !load_door(module)
                       : !choose_door(value_of(argc, argv, "door", "C")))
        return false;
    return mkdtemp(folder) != NULL && chdir(folder) == 0;
}

static void
clean_up(void)
{
    unlink("samples");
    unlink("said");
    if (chdir("/") != 0 || rmdir(folder) != 0)
        printf("# %s is left\n", folder);
}

int
main(int argc, char **argv)
{
    const char *source = value_of(argc, argv, "source", "replay");
    const char *words = value_of(argc, argv, "words", NULL);
    const char *wanted = getenv("HPM_TEST_SEQUENCES");
    char number[24];
    unsigned long n;
    uint64_t seed;

    sprintf(number, "%d", is_repeated() ? N_REPEATED : N_SEQUENCES);
    n = strtoul(value_of(argc, argv, "n", wanted != NULL ? wanted : number),
                NULL, 10);
    sprintf(number, "%llu", (unsigned long long)any_seed());
    seed = strtoull(value_of(argc, argv, "seed", number), NULL, 10);
    if (!choose_source(source)) {
        printf("1..0 # SKIP there are no software-defined events of PAPI "
               "(libsde)\n");
        return 0;
    }
    ok(set_up(argc, argv), "there is such a door");
    if (words != NULL) {
        run_one(words, "the library and the model agree on it");
    } else {
        run_known();
        run_deep();
        n_programs = n_sequences = 0;
        printf("# door %s, source %s, seed %llu, rounds %lu\n", door.name,
               source, (unsigned long long)seed, n_rounds);
        is_count(run(n, seed), 0, "random programs leave what the model says");
    }
    clean_up();
    return done();
}
