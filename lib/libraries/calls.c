/* SPDX-License-Identifier: BSD-3-Clause
 * libhpm_libraries: calls into shared libraries as sections.  The functions of the
 * lists call these; doc/design/libraries.md has the reasons. */
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include "base/env.h"
#include "base/message.h"
#include "host/calm.h"
#include "host/memory.h"
#include "host/stack.h"
#include "libhpm.h"
#include "libraries/choice.h"
#include "libraries/opencalls.h"
#include "libraries/real.h"
#include "libraries/wrapped.h"

static bool is_begun, is_on;
static pid_t process;
static pthread_key_t thread_key;

__thread struct hpm_wrapped_self hpm_private_wrapped_self;
#define self hpm_private_wrapped_self

/* Of the calling thread: the library's own work, and no start or stop; a section was
 * started before, so that libhpm knows the thread. */
static __thread struct {
    volatile bool is_own, has_started;
} state __attribute__((tls_model("initial-exec")));

/* ---- threads ------------------------------------------------------------ */

static void
end_thread(void *data)
{
    struct hpm_opencalls *open = data;

    self.busy_at = (uintptr_t)__builtin_frame_address(0);
    self.open = NULL;
    hpm_opencalls_end_all(open);
    hpm_opencalls_free(open);
    self.busy_at = 0;
}

static __attribute__((cold, noinline)) struct hpm_opencalls *
begin_thread(void)
{
    struct hpm_calm calm = hpm_calm_begin();
    struct hpm_opencalls *made;

    state.is_own = true;
    made = hpm_opencalls_new();
    if (made != NULL && pthread_setspecific(thread_key, made) == 0)
        self.open = made;
    else
        hpm_opencalls_free(made);
    state.is_own = false;
    hpm_calm_end(calm);
    return self.open;
}

static void
after_fork_in_child(void)
{
    hpm_memory_forget();
    process = getpid();
    self.busy_at = 0;
    state.is_own = state.has_started = false;
    if (self.open != NULL)
        hpm_opencalls_forget(self.open);
}

/* ---- begin and end of a call -------------------------------------------- */

static __attribute__((cold, noinline)) struct hpm_real *
look(struct hpm_wrapped *function, const void *caller)
{
    struct hpm_calm calm = hpm_calm_begin();
    struct hpm_real *real = hpm_real_look(function, caller);

    hpm_calm_end(calm);
    return real;
}

/* A handler that interrupted a begin or end may have left it by longjmp: then this
 * call's frame is where that one's was, or above. */
static __attribute__((cold, noinline)) bool
is_inside(uintptr_t at)
{
    const struct hpm_opencalls *open = self.open;

    return open == NULL || at < self.busy_at ||
           at - open->lowest >= open->size ||
           self.busy_at - open->lowest >= open->size;
}

static inline bool
is_busy(uintptr_t at)
{
    return __builtin_expect(self.busy_at != 0, 0) && is_inside(at);
}

/* A recursive function may be open any number of times. */
static __attribute__((cold, noinline)) bool
enlarge(struct hpm_opencalls *open)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    struct hpm_calm calm = hpm_calm_begin();
    bool is_done;

    state.is_own = true;
    is_done = hpm_opencalls_make_room(open);
    state.is_own = false;

    if (!is_done && !atomic_flag_test_and_set(&is_said))
        hpm_message_say("out of memory; not all calls of libraries are "
                        "measured");
    hpm_calm_end(calm);
    return is_done;
}

/* False where the call is not measured. */
static bool
begin(uintptr_t at, struct hpm_real *real, const struct hpm_wrapped_list *list)
{
    struct hpm_opencalls *open = self.open;

    if (open == NULL)
        open = begin_thread();
    if (open == NULL)
        return false;
    if (open->at <= at)
        hpm_opencalls_leave(open, at);
    if ((open->n == open->room && !enlarge(open)) ||
        (real->measured == HPM_MEASURED_OUTERMOST &&
         hpm_opencalls_has(open, list)))
        return false;
    hpm_opencalls_push(open, at, real, list);
    hpmTstartSite(real->id, &real->site);
    state.has_started = true;
    return true;
}

/* A signal handler has interrupted a begin or an end.  What is known of open calls may
 * be half changed, but libhpm knows whether it was interrupted itself: then it drops
 * the call and counts it, else this is a section as any other.  What libhpm calls for
 * itself is no call of the program. */
static bool
begin_inside(struct hpm_real *real, const void *caller)
{
    if (state.is_own || !state.has_started || hpm_real_is_ours(caller))
        return false;
    hpmTstartSite(real->id, &real->site);
    return true;
}

void *
hpm_private_wrapped_begin(struct hpm_wrapped *function,
                          struct hpm_wrapped_call *call, const void *caller)
{
    uintptr_t at = (uintptr_t)call;
    struct hpm_real *real =
        atomic_load_explicit(&function->found, memory_order_acquire);

    call->is_open = false;
    if (__builtin_expect(real == NULL || !hpm_real_is_of(real, caller), 0))
        real = look(function, caller);
    if (real->measured == HPM_MEASURED_NEVER)
        return real->address;
    call->id = real->id;
    if (is_busy(at)) {
        call->is_open = begin_inside(real, caller);
        return real->address;
    }
    self.busy_at = at;
    call->is_open = begin(at, real, function->list);
    self.busy_at = 0;
    return real->address;
}

void
hpm_private_wrapped_work(const struct hpm_wrapped_call *call, long long amount,
                         const char *unit)
{
    struct hpm_opencalls *open = self.open;
    uintptr_t at = (uintptr_t)call;
    long long own;

    if (!call->is_open || amount <= 0)
        return;
    if (is_busy(at)) {
        hpmWork(call->id, amount, unit);
        return;
    }
    if (open == NULL || open->at != at)
        return;
    self.busy_at = at;
    own = hpm_opencalls_tell(open, amount, unit);
    if (own > 0)
        hpmWork(open->calls[open->n - 1].real->id, own, unit);
    self.busy_at = 0;
}

bool
hpm_private_wrapped_has_long(const struct hpm_wrapped_call *call)
{
    const struct hpm_opencalls *open = self.open;

    return open != NULL && open->at == (uintptr_t)call &&
           hpm_real_has_long(open->calls[open->n - 1].real->site.file);
}

/* A forked child and a call on another stack may have ended the call. */
void
hpm_private_wrapped_end(const struct hpm_wrapped_call *call)
{
    uintptr_t at = (uintptr_t)call;

    if (!call->is_open)
        return;
    if (is_busy(at)) {
        hpmTstopAt(call->id, NULL, 0);
        return;
    }
    if (self.open == NULL)
        return;
    self.busy_at = at;
    hpm_opencalls_end(self.open, at);
    self.busy_at = 0;
}

void
hpm_private_wrapped_forget_callers(void)
{
    struct hpm_calm calm = hpm_calm_begin();

    hpm_real_forget_callers();
    hpm_calm_end(calm);
}

/* ---- the library's life -------------------------------------------------- */

static void
set_up(void)
{
    is_begun = true;
    process = getpid();
    hpm_message_init();
    if (hpm_env_is_on(HPM_VARIABLE_DISABLE, false))
        return;
    if ((hpmVersion)() != LIBHPM_VERSION) {
        hpm_message_say("libhpm_libraries and libhpm are of different "
                        "versions; no call of a library is measured");
        return;
    }
    hpm_real_begin(hpm_private_hand_over_to(NULL, NULL, NULL));
    is_on = pthread_key_create(&thread_key, end_thread) == 0 &&
            pthread_atfork(hpm_stack_note_fork, NULL, after_fork_in_child) == 0;
    if (!is_on)
        hpm_message_say("out of memory; no call of a library is measured");
}

void
hpm_private_wrapped_add(const struct hpm_wrapped_list *list)
{
    const char *choice = hpm_env_get(HPM_VARIABLE_LIBRARY);
    struct hpm_calm calm = hpm_calm_begin();
    Dl_info info = {.dli_fname = NULL};

    if (!is_begun)
        set_up();
    hpm_real_add_list(list);
    (void)dladdr(list, &info);
    for (struct hpm_wrapped *const *each = list->functions; *each != NULL;
         each++) {
        struct hpm_wrapped *function = *each;

        function->is_wanted =
            is_on && list->version == HPM_WRAPPED_VERSION &&
            hpm_choice_takes(choice, list->name,
                             info.dli_fname != NULL ? info.dli_fname : "",
                             function->name, function->label);
        hpm_real_look_ahead(function);
    }
    if (list->version != HPM_WRAPPED_VERSION)
        hpm_message_say_format(
            "the list of functions '%s' was made for another "
            "version of libhpm_libraries, so it measures "
            "nothing; make it anew by hpmwrap",
            list->name);
    hpm_calm_end(calm);
}

/* After the program's own destructors, and before libhpm's, which ends the
 * recording.  Calls in which exit was called end here. */
static void finish(void) __attribute__((destructor));

static void
finish(void)
{
    if (!is_on || getpid() != process || self.open == NULL || self.busy_at != 0)
        return;
    hpm_opencalls_end_all(self.open);
}
