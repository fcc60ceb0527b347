/* SPDX-License-Identifier: BSD-3-Clause
 * Output files: complete or absent, in the right folder, never in the place of
 * another program's file. */
#include "file/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/memory.h"
#include "tap.h"

/* ---- the disk --------------------------------------------------------- */

static bool is_disk_broken;
static int n_synced;

/* Replaces the C library's function: a disk that fails when the test wants
 * it. */
int
fsync(int fd)
{
    (void)fd;
    n_synced++;
    errno = EIO;
    return is_disk_broken ? -1 : 0;
}

/* ---- a folder for each test ------------------------------------------ */

static char folder[PATH_MAX];

static void
begin(void)
{
    const char *parent = getenv("TMPDIR");
    char name[PATH_MAX / 2];

    snprintf(name, sizeof name, "%s/hpm-output-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(name) == NULL || realpath(name, folder) == NULL) {
        printf("Bail out! cannot make a folder\n");
        exit(1);
    }
}

static int
remove_one(const char *path, const struct stat *status, int type,
           struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static void
end(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path of a file in the folder; valid until the fourth call after this. */
static const char *
path_to(const char *name)
{
    static char paths[4][2 * PATH_MAX];
    static int n;
    char *path = paths[n++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int
n_entries(const char *path)
{
    DIR *stream = opendir(path);
    int n = 0;

    while (stream != NULL && readdir(stream) != NULL)
        n++;
    if (stream != NULL)
        closedir(stream);
    return n - 2;
}

static int
n_files(void)
{
    return n_entries(folder);
}

static int
n_descriptors(void)
{
    return n_entries("/proc/self/fd");
}

/* The name of the file of an output that is not yet committed. */
static void
temporary_name(char *ret_name)
{
    DIR *stream = opendir(folder);
    const struct dirent *entry;

    ret_name[0] = '\0';
    while ((entry = readdir(stream)) != NULL) {
        if (strstr(entry->d_name, ".tmp") != NULL)
            strcpy(ret_name, entry->d_name);
    }
    closedir(stream);
}

static bool
holds(const char *name, const char *text)
{
    char got[128] = "";
    int fd = open(path_to(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t n = read(fd, got, sizeof got - 1);

    close(fd);
    return n == (ssize_t)strlen(text) && strcmp(got, text) == 0;
}

static void
make_file(const char *name, const char *text)
{
    int fd = open(path_to(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        printf("# cannot make '%s'\n", name);
    close(fd);
}

/* ---- writing in one go ----------------------------------------------- */

static char *
put_at(const struct hpm_destination *destination, const char *text,
       struct hpm_error *err)
{
    struct hpm_output *output = hpm_output_open(destination, err);
    char *named = NULL;

    if (output == NULL)
        return NULL;
    hpm_output_write(output, text, strlen(text));
    return hpm_output_commit(output, false, &named, err) ? named : NULL;
}

/* Write a file; returns the path it got, NULL when that failed. */
static char *
put(const char *path, const char *text, struct hpm_error *err)
{
    struct hpm_destination destination;
    char *named;

    if (!hpm_destination_fix(&destination, path, err))
        return NULL;
    named = put_at(&destination, text, err);
    hpm_destination_clear(&destination);
    return named;
}

static void
check_put(const char *name, const char *text, const char *expected_name,
          const char *sentence)
{
    char *named = put(path_to(name), text, NULL);

    is_text(named, path_to(expected_name), sentence);
    ok(holds(expected_name, text), "it holds what was written");
    hpm_memory_free(named);
}

enum { SKIPPED = 77 };

/* Tests that change the whole process run in a child: 0 if right, or
 * SKIPPED. */
static void
check_child(int (*is_wrong)(void), const char *sentence)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        alarm(300);
        _exit(is_wrong());
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
        skip(sentence, "not permitted here");
    else
        ok(child > 0 && status == 0, sentence);
    if (WIFSIGNALED(status))
        printf("# ended by signal %d\n", WTERMSIG(status));
}

/* ---- names ----------------------------------------------------------- */

static void
test_plain(void)
{
    begin();
    check_put("a.xml", "first", "a.xml", "a file gets its name");
    is_count((uint64_t)n_files(), 1, "and nothing else is there");
    check_put("empty", "", "empty", "a file may be empty");
    end();
}

static void
test_taken(void)
{
    begin();
    make_file("a.xml", "older");
    check_put("a.xml", "second", "a.xml.1", "a name that is taken gets .1");
    check_put("a.xml", "third", "a.xml.2", "then .2");
    mkdir(path_to("a.xml.3"), 0700);
    check_put("a.xml", "fourth", "a.xml.4", "a folder takes a name, too");
    ok(holds("a.xml", "older") && holds("a.xml.1", "second"),
       "no file was replaced");
    is_count((uint64_t)n_files(), 5, "nothing else was left");
    end();
}

static void
test_taken_late(void)
{
    struct hpm_destination destination;
    char *named;

    begin();
    make_file("victim", "precious");
    ok(hpm_destination_fix(&destination, path_to("a"), NULL),
       "a destination can be fixed");
    if (symlink("victim", path_to("a")) != 0 ||
        symlink("nowhere", path_to("a.1")) != 0 ||
        mkfifo(path_to("a.2"), 0600) != 0)
        printf("# cannot make links and pipes\n");
    named = put_at(&destination, "new", NULL);
    is_text(named, path_to("a.3"), "links and pipes made later are not used");
    ok(holds("victim", "precious") && holds("a.3", "new"),
       "what they lead to is not written");
    is_count((uint64_t)n_files(), 5, "and nothing is made through them");
    hpm_memory_free(named);
    hpm_destination_clear(&destination);
    end();
}

enum { N_CHILDREN = 100, N_LINES = 300 };

static void
write_as_child(int start, int number)
{
    struct hpm_destination destination;
    struct hpm_output *output;
    char *named, c;

    if (read(start, &c, 1) != 0 ||
        !hpm_destination_fix(&destination, path_to("same"), NULL) ||
        (output = hpm_output_open(&destination, NULL)) == NULL)
        _exit(1);
    for (int i = 0; i < N_LINES; i++) {
        char line[32];

        hpm_output_write(
            output, line,
            (size_t)snprintf(line, sizeof line, "%d %d\n", number, i));
    }
    _exit(hpm_output_commit(output, false, &named, NULL) ? 0 : 1);
}

/* The number of the child whose whole file this is, or -1. */
static int
writer_of(const char *name)
{
    FILE *file = fopen(path_to(name), "r");
    int writer = -1, number, line, n = 0;

    while (file != NULL && fscanf(file, "%d %d", &number, &line) == 2) {
        if (line != n++ || (line > 0 && number != writer))
            n = -1;
        writer = number;
    }
    if (file != NULL)
        fclose(file);
    return n == N_LINES ? writer : -1;
}

static int
n_whole_files(void)
{
    bool has_written[N_CHILDREN] = {false};
    int n = 0;

    for (int i = 0; i < N_CHILDREN; i++) {
        char name[32] = "same";
        int writer;

        if (i > 0)
            snprintf(name, sizeof name, "same.%d", i);
        writer = writer_of(name);
        if (writer >= 0 && !has_written[writer]) {
            has_written[writer] = true;
            n++;
        }
    }
    return n;
}

static void
test_many_writers(void)
{
    int start[2], status, n_failed = 0;

    begin();
    if (pipe(start) != 0)
        return;
    for (int i = 0; i < N_CHILDREN; i++) {
        if (fork() == 0) {
            close(start[1]);
            write_as_child(start[0], i);
        }
    }
    close(start[0]);
    close(start[1]);
    while (wait(&status) > 0)
        n_failed += status != 0;
    is_count((uint64_t)n_failed, 0, "100 processes write the same name");
    is_count((uint64_t)n_whole_files(), N_CHILDREN,
             "100 files come of it, each one's own and whole");
    is_count((uint64_t)n_files(), N_CHILDREN, "and nothing else");
    end();
}

static void
test_two_at_once(void)
{
    struct hpm_destination destination;
    struct hpm_output *first, *second;
    char *named = NULL;

    begin();
    hpm_destination_fix(&destination, path_to("a"), NULL);
    first = hpm_output_open(&destination, NULL);
    second = hpm_output_open(&destination, NULL);
    hpm_output_write(first, "one", 3);
    hpm_output_write(second, "zwei", 4);
    hpm_output_write(first, " two", 4);
    ok(hpm_output_commit(second, true, &named, NULL), "a file can be synced");
    is_text(named, path_to("a"), "the first to end has the name");
    hpm_memory_free(named);
    ok(hpm_output_commit(first, false, &named, NULL) && holds("a", "zwei") &&
           holds("a.1", "one two"),
       "two files can be written at once");
    hpm_memory_free(named);
    hpm_destination_clear(&destination);
    end();
}

static void
test_temporary(void)
{
    struct hpm_destination destination;
    struct hpm_output *output;
    char left[NAME_MAX + 1], *named;

    begin();
    hpm_destination_fix(&destination, path_to("a"), NULL);
    output = hpm_output_open(&destination, NULL);
    hpm_output_write(output, "half", 4);
    ok(access(path_to("a"), F_OK) != 0, "a file not finished has no name yet");
    temporary_name(left);
    hpm_output_abandon(output);
    is_count((uint64_t)n_files(), 0, "an abandoned file leaves nothing");
    make_file(left, "left by a dead process");
    named = put_at(&destination, "new", NULL);
    ok(named != NULL && holds("a", "new") &&
           holds(left, "left by a dead process"),
       "what a dead process left is not touched");
    hpm_memory_free(named);
    hpm_destination_clear(&destination);
    end();
}

/* ---- to the disk ----------------------------------------------------- */

static void
test_disk(void)
{
    struct hpm_destination destination;
    struct hpm_output *output;
    struct hpm_error err = {""};
    char *named = NULL;

    begin();
    hpm_destination_fix(&destination, path_to("a"), NULL);
    output = hpm_output_open(&destination, NULL);
    hpm_output_write(output, "x", 1);
    n_synced = 0;
    is_disk_broken = true;
    ok(hpm_output_commit(output, false, &named, NULL) && n_synced == 0,
       "nobody waits for the disk unasked");
    hpm_memory_free(named);
    output = hpm_output_open(&destination, NULL);
    hpm_output_write(output, "y", 1);
    ok(!hpm_output_commit(output, true, &named, &err) && n_synced == 1 &&
           strstr(err.text, strerror(EIO)) != NULL,
       "what does not come to the disk is told, and by its reason");
    is_disk_broken = false;
    is_count((uint64_t)n_files(), 1, "and has no name");
    hpm_destination_clear(&destination);
    end();
}

/* ---- refusals -------------------------------------------------------- */

static void
check_refused(const char *path, const char *word, const char *reason,
              const char *sentence)
{
    struct hpm_destination destination = {.fd = -5};
    struct hpm_error err = {""};
    int n_before = n_descriptors();
    bool is_fixed = hpm_destination_fix(&destination, path, &err);

    ok(!is_fixed && destination.fd == -5 && n_descriptors() == n_before,
       sentence);
    ok(strstr(err.text, word) != NULL && strstr(err.text, reason) != NULL,
       "the message names it and the reason");
    printf("# %s\n", err.text);
    if (is_fixed)
        hpm_destination_clear(&destination);
}

static void
test_other_kinds(void)
{
    struct stat status;

    begin();
    make_file("victim", "precious");
    mkdir(path_to("folder"), 0700);
    if (symlink("victim", path_to("link")) != 0 ||
        symlink("nowhere", path_to("dangling")) != 0 ||
        mkfifo(path_to("pipe"), 0600) != 0)
        printf("# cannot make links and pipes\n");
    check_refused(path_to("link"), path_to("link"),
                  "is not a regular file; choose another", "a link is refused");
    check_refused(path_to("dangling"), path_to("dangling"),
                  "is not a regular file; choose another",
                  "so is one that leads nowhere");
    check_refused(path_to("pipe"), path_to("pipe"),
                  "is not a regular file; choose another", "so is a pipe");
    check_refused(path_to("folder"), path_to("folder"),
                  "is not a regular file; choose another", "so is a folder");
    check_refused(path_to("folder/"), path_to("folder/"),
                  "is a folder; expected", "so is a folder with its slash");
    check_refused("/dev/null", "/dev", "'", "so is a device");
    ok(holds("victim", "precious"), "what a link leads to stays");
    ok(lstat(path_to("pipe"), &status) == 0 && S_ISFIFO(status.st_mode) &&
           lstat(path_to("link"), &status) == 0 && S_ISLNK(status.st_mode) &&
           lstat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode),
       "the links, pipes and devices stay");
    is_count((uint64_t)n_files(), 5, "nothing is made");
    end();
}

static void
test_missing_folder(void)
{
    begin();
    check_refused(path_to("missing/a.xml"), path_to("missing"),
                  strerror(ENOENT), "a folder that is not there is refused");
    make_file("file", "x");
    check_refused(path_to("file/a.xml"), path_to("file"), strerror(ENOTDIR),
                  "so is a file in its place");
    check_refused("", "''", "is a folder; expected", "so is no name at all");
    is_count((uint64_t)n_files(), 1, "no folder is made");
    end();
}

/* As an ordinary user: for root no folder is read-only. */
static int
is_read_only_wrong(void)
{
    struct hpm_destination destination;
    struct hpm_error err = {""};

    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return SKIPPED;
    return hpm_destination_fix(&destination, path_to("sub/a.xml"), &err) ||
           strstr(err.text, path_to("sub")) == NULL ||
           strstr(err.text, strerror(EACCES)) == NULL;
}

static void
test_read_only(void)
{
    begin();
    chmod(folder, 0755);
    mkdir(path_to("sub"), 0555);
    check_child(is_read_only_wrong, "a read-only folder is refused by name");
    is_count((uint64_t)n_entries(path_to("sub")), 0, "nothing is made in it");
    end();
}

static void
test_long_name(void)
{
    char name[301], expected[304];

    begin();
    memset(name, 'n', 300);
    name[300] = '\0';
    check_refused(path_to(name), "nnnnnnnn", "is too long",
                  "a name of 300 is refused");
    name[NAME_MAX - 7] = '\0';
    check_refused(path_to(name), "nnnnnnnn", "is too long",
                  "so is one that leaves no room for a number");
    name[NAME_MAX - 8] = '\0';
    check_put(name, "first", name, "one a bit shorter is not");
    snprintf(expected, sizeof expected, "%s.1", name);
    check_put(name, "second", expected, "even if it is taken");
    end();
}

/* ---- a program that moves on ----------------------------------------- */

static void
test_change_of_folder(void)
{
    struct hpm_destination destination;
    int before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    char *named;

    begin();
    mkdir(path_to("sub"), 0700);
    if (chdir(folder) != 0)
        printf("# cannot change into '%s'\n", folder);
    ok(hpm_destination_fix(&destination, "sub/a.xml", NULL),
       "a relative path can be fixed");
    if (chdir("/") != 0)
        printf("# cannot change into '/'\n");
    named = put_at(&destination, "here", NULL);
    is_text(named, path_to("sub/a.xml"), "a file goes where it was fixed");
    ok(holds("sub/a.xml", "here"), "even if the program goes elsewhere");
    hpm_memory_free(named);
    hpm_destination_clear(&destination);
    if (fchdir(before) != 0)
        printf("# cannot change back\n");
    close(before);
    end();
}

static void
test_bare_name(void)
{
    int before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    char *named;

    begin();
    if (chdir(folder) != 0)
        printf("# cannot change into '%s'\n", folder);
    named = put("bare.xml", "here", NULL);
    is_text(named, path_to("bare.xml"), "a bare name goes where we are");
    hpm_memory_free(named);
    if (fchdir(before) != 0)
        printf("# cannot change back\n");
    close(before);
    end();
}

static int
is_change_of_root_wrong(void)
{
    struct hpm_destination destination;

    if (!hpm_destination_fix(&destination, path_to("a.xml"), NULL))
        return 1;
    if (chroot(path_to("jail")) != 0 || chdir("/") != 0)
        return SKIPPED;
    return put_at(&destination, "out of jail", NULL) == NULL;
}

static void
test_change_of_root(void)
{
    static const char sentence[] = "a file goes where it was fixed, even if "
                                   "the program has another root";

    begin();
    mkdir(path_to("jail"), 0700);
    check_child(is_change_of_root_wrong, sentence);
    ok(access(path_to("a.xml"), F_OK) != 0 || holds("a.xml", "out of jail"),
       "and is whole");
    is_count((uint64_t)n_entries(path_to("jail")), 0,
             "nothing is made in the new root");
    end();
}

/* The program closes the library's descriptor of the folder; `reused` takes its
 * number. */
static void
check_lost_descriptor(const char *reused, int flags, const char *sentence)
{
    struct hpm_destination destination;
    int n_before = n_descriptors();
    struct stat other, now = {0};
    char *named;
    int fd;

    hpm_destination_fix(&destination, path_to("a.xml"), NULL);
    fd = open(reused, flags | O_CLOEXEC, 0600);
    dup2(fd, destination.fd);
    fstat(fd, &other);
    close(fd);
    fd = destination.fd;
    named = put_at(&destination, "here", NULL);
    is_text(named, path_to("a.xml"), sentence);
    ok(holds("a.xml", "here"), "the file is in its folder");
    hpm_destination_clear(&destination);
    ok(fstat(fd, &now) == 0 && now.st_ino == other.st_ino &&
           now.st_dev == other.st_dev,
       "the program's descriptor stays open");
    close(fd);
    is_count((uint64_t)n_descriptors(), (uint64_t)n_before,
             "ours are given back");
    hpm_memory_free(named);
    unlink(path_to("a.xml"));
}

static void
test_lost_descriptor(void)
{
    begin();
    make_file("file", "");
    mkdir(path_to("sub"), 0700);
    check_lost_descriptor(path_to("file"), O_RDWR,
                          "our descriptor may be reused for a file");
    check_lost_descriptor(path_to("sub"), O_RDONLY | O_DIRECTORY,
                          "or for another folder");
    ok(holds("file", ""), "that file is not written to");
    is_count((uint64_t)n_entries(path_to("sub")), 0, "nor that folder");
    end();
}

static void
test_closed_descriptor(void)
{
    struct hpm_destination destination;
    int n_before = n_descriptors();
    char *named;

    begin();
    hpm_destination_fix(&destination, path_to("a.xml"), NULL);
    close(destination.fd);
    named = put_at(&destination, "here", NULL);
    is_text(named, path_to("a.xml"), "our descriptor may be closed");
    hpm_destination_clear(&destination);
    is_count((uint64_t)n_descriptors(), (uint64_t)n_before,
             "all descriptors are given back");
    hpm_memory_free(named);
    end();
}

static void
test_vanished_folder(void)
{
    struct hpm_destination destination;
    struct hpm_error err = {""};

    begin();
    mkdir(path_to("sub"), 0700);
    hpm_destination_fix(&destination, path_to("sub/a.xml"), NULL);
    rmdir(path_to("sub"));
    ok(put_at(&destination, "x", &err) == NULL,
       "no file can be made in a folder that has vanished");
    ok(strstr(err.text, path_to("sub")) != NULL, "the message names it");
    hpm_destination_clear(&destination);
    end();
}

static int
is_vanished_here_wrong(void)
{
    struct hpm_destination destination;
    struct hpm_error err = {""};

    if (chdir(path_to("sub")) != 0 || rmdir(path_to("sub")) != 0)
        return SKIPPED;
    return hpm_destination_fix(&destination, "a.xml", &err) ||
           strstr(err.text, strerror(ENOENT)) == NULL;
}

static void
test_vanished_here(void)
{
    begin();
    mkdir(path_to("sub"), 0700);
    check_child(is_vanished_here_wrong,
                "where the current folder has vanished, that is said");
    end();
}

/* In a process without standard input, output and error, a file of the library
 * must not get one of their numbers: the program's messages would go into
 * it. */
static int
is_standard_descriptor_wrong(void)
{
    struct hpm_destination destination;
    struct hpm_output *output;
    char *named;
    int n_written = 0;

    for (int fd = 0; fd < 3; fd++)
        close(fd);
    if (!hpm_destination_fix(&destination, path_to("a.xml"), NULL) ||
        destination.fd < 3 ||
        (output = hpm_output_open(&destination, NULL)) == NULL)
        return 1;
    hpm_output_write(output, "ours", 4);
    for (int fd = 0; fd < 3; fd++)
        n_written += write(fd, "theirs", 6) >= 0;
    return !hpm_output_commit(output, false, &named, NULL) || n_written > 0 ||
           !holds("a.xml", "ours");
}

static void
test_standard_descriptors(void)
{
    begin();
    check_child(is_standard_descriptor_wrong,
                "a file never is the program's standard output");
    end();
}

/* ---- modes and failures ---------------------------------------------- */

static void
check_mode(mode_t mask)
{
    mode_t before = umask(mask);
    char *named = put(path_to("a"), "whole", NULL);
    struct stat status = {0};

    umask(before);
    ok(named != NULL && lstat(path_to("a"), &status) == 0 &&
           (status.st_mode & 07777) == (0666 & ~mask),
       "the mode is as the program's umask says");
    chmod(path_to("a"), 0600);
    ok(holds("a", "whole"), "the file is whole");
    unlink(path_to("a"));
    hpm_memory_free(named);
}

static void
test_mode(void)
{
    begin();
    check_mode(022);
    check_mode(077);
    check_mode(0777);
    end();
}

static int
is_full_disk_wrong(void)
{
    static const char bytes[4096];
    struct hpm_destination destination;
    struct hpm_output *output;
    struct hpm_error err = {""};
    char *named = NULL;

    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, RLIM_INFINITY});
    hpm_destination_fix(&destination, path_to("a.xml"), NULL);
    output = hpm_output_open(&destination, &err);
    hpm_output_write(output, bytes, sizeof bytes);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    hpm_output_write(output, "more", 4);
    return hpm_output_commit(output, true, &named, &err) || named != NULL ||
           strstr(err.text, "a.xml") == NULL ||
           strstr(err.text, folder) == NULL ||
           strstr(err.text, strerror(EFBIG)) == NULL;
}

static void
test_full_disk(void)
{
    begin();
    check_child(is_full_disk_wrong,
                "a file that does not fit is told of, by name and reason");
    is_count((uint64_t)n_files(), 0, "nothing of it stays");
    end();
}

/* Nothing is left, except the file named by the message. */
static bool
is_left_told(const struct hpm_error *err)
{
    DIR *stream = opendir(folder);
    const struct dirent *entry;
    bool is_told = true;

    while ((entry = readdir(stream)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 &&
            strstr(err->text, entry->d_name) == NULL) {
            printf("# '%s' is left, said was '%s'\n", entry->d_name, err->text);
            is_told = false;
        }
    }
    closedir(stream);
    return is_told;
}

static void
test_no_memory(void)
{
    int n_before = n_descriptors();
    bool is_right = true, is_told = true, is_whole = false;

    for (unsigned long k = 1; k < 100 && !is_whole; k++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            struct hpm_error err = {""};
            char *named;

            begin();
            hpm_memory_fail_at(k, for_ever);
            named = put(path_to("a.xml"), "here", &err);
            hpm_memory_fail_at(0, false);
            is_whole = named != NULL;
            if (is_whole)
                is_right = is_right && holds("a.xml", "here");
            else
                is_told = is_left_told(&err) && err.text[0] != '\0' && is_told;
            hpm_memory_free(named);
            end();
        }
    }
    ok(is_right && is_whole, "every allocation has failed once");
    ok(is_told, "without memory, what is left is told");
    is_count((uint64_t)n_descriptors(), (uint64_t)n_before,
             "no descriptor is lost");
}

int
main(void)
{
    test_plain();
    test_taken();
    test_taken_late();
    test_many_writers();
    test_two_at_once();
    test_temporary();
    test_disk();
    test_other_kinds();
    test_missing_folder();
    test_read_only();
    test_long_name();
    test_change_of_folder();
    test_bare_name();
    test_change_of_root();
    test_lost_descriptor();
    test_closed_descriptor();
    test_vanished_folder();
    test_vanished_here();
    test_standard_descriptors();
    test_mode();
    test_full_disk();
    test_no_memory();
    return done();
}
