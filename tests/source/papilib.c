/* SPDX-License-Identifier: BSD-3-Clause
 * When libpapi is loaded and initialized, with a simulated one. */
#include <dlfcn.h>
#include <errno.h>
#include <papi.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/descriptor.h"
#include "host/stack.h"
#include "tap.h"

static struct {
    bool is_missing, is_program_s, has_stack, has_descriptors;
    const char *lacks; /* a call that it lacks */
    int initialized, version;
    int n_loaded, n_begun, n_left;
} play;

static int
play_is_initialized(void)
{
    return play.initialized;
}

static int
play_library_init(int version)
{
    (void)version;
    play.n_begun++;
    errno = EBADF;
    return play.version;
}

static int
play_thread_init(unsigned long (*number)(void))
{
    unsigned long first = number();

    play.initialized = PAPI_LOW_LEVEL_INITED;
    return first == number() ? PAPI_OK : PAPI_EINVAL;
}

static int
play_unregister(void)
{
    play.n_left++;
    return PAPI_OK;
}

static void *
play_open(const char *name, int flags)
{
    (void)name;
    if ((flags & RTLD_NOLOAD) != 0)
        return play.is_program_s ? &play : NULL;
    play.n_loaded++;
    return play.is_missing ? NULL : &play;
}

/* Only these functions are called. */
static void *
play_symbol(void *handle, const char *name)
{
    static const struct {
        const char *name;
        int (*call)(void);
    } calls[] = {
        {"PAPI_is_initialized", play_is_initialized},
        {"PAPI_library_init", (int (*)(void))(void *)play_library_init},
        {"PAPI_thread_init", (int (*)(void))(void *)play_thread_init},
        {"PAPI_unregister_thread", play_unregister},
    };
    void *symbol = handle;

    if (play.lacks != NULL && strcmp(name, play.lacks) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(calls[i].name, name) == 0)
            memcpy(&symbol, &calls[i].call, sizeof symbol);
    }
    return symbol;
}

static size_t
play_stack(void)
{
    return play.has_stack ? 64 << 10 : (64 << 10) - 1;
}

static bool
play_room(int n)
{
    return play.has_descriptors && n > 0;
}

#define dlopen play_open
#define dlsym play_symbol
#define hpm_stack_free play_stack
#define hpm_descriptor_has_room play_room
#include "source/papilib.c"

static void
begin(void)
{
    memset(&play, 0, sizeof play);
    play.has_stack = play.has_descriptors = true;
    play.initialized = PAPI_NOT_INITED;
    play.version = PAPI_VER_CURRENT;
    library.pid = 0;
    library.is_loaded = library.is_refused = false;
    memset(&library.why, 0, sizeof library.why);
}

/* Is it refused, twice, with these words in the reason? */
static bool
is_refused(const char *words)
{
    struct hpm_error first = {{0}}, second = {{0}};

    errno = 7;
    return hpm_papilib_get(&first) == NULL &&
           hpm_papilib_get(&second) == NULL && errno == 7 &&
           strstr(first.text, words) != NULL &&
           strcmp(first.text, second.text) == 0;
}

static void
test_ready(void)
{
    struct hpm_error err;

    begin();
    errno = 7;
    ok(hpm_papilib_get(&err) == &hpm_papilib && errno == 7,
       "it is loaded and made ready; errno stays");
    ok(play.n_loaded == 1 && play.n_begun == 1 && hpm_papilib_is_up(), "once");
    play.has_stack = false;
    ok(hpm_papilib_get(&err) == &hpm_papilib && play.n_loaded == 1 &&
           play.n_begun == 1,
       "and is ready from then on");
    hpm_papilib_leave_parent();
    ok(play.n_left == 0, "no thread leaves its own process");
    play.initialized = PAPI_NOT_INITED;
    ok(is_refused("the program has shut PAPI down"),
       "unless the program shuts it down");
    begin();
    hpm_papilib_leave_parent();
    ok(play.n_left == 0, "nor one where nothing is ready");
}

static void
test_refused(void)
{
    begin();
    play.is_missing = true;
    ok(is_refused("cannot be loaded") && play.n_loaded == 1,
       "one that is missing is looked for once");
    hpm_papilib_leave_parent();
    ok(play.n_left == 0, "and no thread has anything to leave");
    begin();
    play.lacks = "PAPI_stop";
    ok(is_refused("has no PAPI_stop"), "one without a call is none");
    begin();
    play.is_program_s = true;
    play.initialized = PAPI_LOW_LEVEL_INITED;
    ok(is_refused("this program uses PAPI itself") && play.n_begun == 0,
       "what the program uses is left to it");
    begin();
    play.is_program_s = true;
    ok(hpm_papilib_get(&library.why) != NULL && play.n_loaded == 0,
       "but not what it only links");
    begin();
    play.version = PAPI_VERSION_NUMBER(9, 8, 7, 6);
    ok(is_refused("is PAPI 9.8, but") && play.n_begun == 1,
       "another version is told");
    begin();
    play.version = -3;
    ok(is_refused("does not start (error -3)"), "as is an error");
}

/* Something that is missing now may be there later. */
static void
test_room(void)
{
    struct hpm_error err;

    begin();
    play.has_stack = false;
    ok(is_refused("less than 64 KB of stack left") && play.n_loaded == 0,
       "without room on the stack it is not loaded");
    play.has_stack = true;
    play.has_descriptors = false;
    ok(hpm_papilib_get(&err) == NULL && play.n_loaded == 0,
       "nor without descriptors");
    play.has_descriptors = true;
    ok(hpm_papilib_get(&err) != NULL, "until they are there");
}

static void
test_child(void)
{
    struct hpm_error err;
    int status = -1;
    pid_t child;

    begin();
    hpm_papilib_get(&err);
    child = fork();
    if (child == 0) {
        hpm_papilib_leave_parent();
        hpm_papilib_get(&err);
        hpm_papilib_leave_parent();
        hpm_papilib_get(&err);
        _exit(play.n_left == 1 && play.n_begun == 2 && play.n_loaded == 1 ? 0
                                                                          : 1);
    }
    waitpid(child, &status, 0);
    ok(status == 0, "in a child its thread leaves the parent once, and what is "
                    "loaded is made ready anew");
}

int
main(void)
{
    test_ready();
    test_refused();
    test_room();
    test_child();
    return done();
}
