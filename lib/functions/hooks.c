/* SPDX-License-Identifier: BSD-3-Clause
 * What code compiled with -finstrument-functions or -fxray-instrument calls at the
 * begin and end of each function.  Not measuring costs a load and a jump. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/env.h"
#include "base/message.h"
#include "functions/function.h"
#include "functions/opened.h"
#include "functions/xray.h"
#include "host/calm.h"
#include "host/memory.h"
#include "host/stack.h"

/* All that is exported: functions.sym. */
#pragma GCC visibility push(default)
void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);
int dlclose(void *handle);
#pragma GCC visibility pop

static bool is_on;
static pid_t process;
static bool is_child; /* forked */
static pthread_key_t thread_key;

/* Calls of signal handlers that interrupt each other, in one hook. */
enum { MOST_INSIDE = 16 };

/* Of the calling thread.  busy_at is the stack's address in the hook that is at work,
 * 0 for none: code that the hook calls, such as the program's own malloc, may have
 * hooks, too, and so may a signal handler that interrupts it. */
static __thread struct {
    struct hpm_opened opened;
    volatile uintptr_t busy_at;
    volatile bool is_own; /* the library's own work, and no start or stop */
    volatile bool has_started;
    volatile int n_inside;
    struct {
        uintptr_t address;
        int id;
    } inside[MOST_INSIDE];
} self
    __attribute__((tls_model("initial-exec"))) = {.opened = HPM_OPENED_NOTHING};

/* Is this hook called inside of another one?  A handler that interrupted a hook may
 * have left it by longjmp; then this hook's frame is where that one's was, or above. */
static __attribute__((cold, noinline)) bool
is_inside(uintptr_t at)
{
    if (!hpm_opened_has_begun(&self.opened) || at < self.busy_at ||
        !hpm_opened_is_own(&self.opened, at) ||
        !hpm_opened_is_own(&self.opened, self.busy_at))
        return true;
    self.is_own = false;
    self.n_inside = 0;
    return false;
}

static inline bool
is_busy(uintptr_t at)
{
    return __builtin_expect(self.busy_at != 0, 0) && is_inside(at);
}

/* A signal handler has interrupted a hook.  What is known of open functions may be half
 * changed, but libhpm knows whether it was interrupted itself: then it drops the call
 * and counts it, else this is a section as any other.  The program's malloc, which the
 * library's own work and the first start of a thread may call, is no handler. */
static void
begin_inside(struct hpm_function *function, uintptr_t address)
{
    int n = self.n_inside;

    if (self.is_own || !self.has_started || n == MOST_INSIDE ||
        function == &hpm_function_off || function == &hpm_function_unknown)
        return;
    self.n_inside = n + 1; /* first: handlers may interrupt this, too */
    self.inside[n].address = address;
    self.inside[n].id = function->id;
    hpmTstartSite(function->id, &function->site);
}

static void
end_inside(uintptr_t address)
{
    int n = self.n_inside;

    if (n == 0 || self.inside[n - 1].address != address)
        return;
    hpmTstopAt(self.inside[n - 1].id, NULL, 0);
    self.n_inside = n - 1;
}

/* ---- threads ---------------------------------------------------------- */

static void
end_thread(void *unused)
{
    (void)unused;
    self.busy_at = (uintptr_t)__builtin_frame_address(0);
    hpm_opened_clear(&self.opened);
    self.busy_at = 0;
}

static __attribute__((cold, noinline)) bool
begin_thread(void)
{
    struct hpm_calm calm = hpm_calm_begin();

    self.is_own = true;
    if (hpm_opened_begin(&self.opened) &&
        pthread_setspecific(thread_key, &self) != 0)
        hpm_opened_clear(&self.opened);
    self.is_own = false;
    hpm_calm_end(calm);
    return hpm_opened_has_begun(&self.opened);
}

static __attribute__((cold, noinline)) struct hpm_function *
look(uintptr_t address)
{
    struct hpm_calm calm = hpm_calm_begin();
    struct hpm_function *function;

    self.is_own = true;
    function = hpm_function_look(address, HPM_VIA_HOOK);
    self.is_own = false;
    hpm_calm_end(calm);
    return function;
}

/* ---- begin and end of a function --------------------------------------- */

/* A function that is not measured shows as well that others were left. */
static __attribute__((noinline)) void
pass(uintptr_t at)
{
    const struct hpm_opened_place place = {0, at, 0, true};

    if (is_busy(at))
        return;
    self.busy_at = at;
    hpm_opened_leave(&self.opened, &place);
    self.busy_at = 0;
}

/* A call of a function that may be too short. */
static void
start_on_trial(const struct hpm_opened *mine, struct hpm_function *function)
{
    struct hpm_opened_entry *top = mine->top;
    uint64_t before;

    if (!hpm_trial_is_timed(&function->trial)) {
        hpmTstartSite(function->id, &function->site);
        return;
    }
    before = hpm_trial_now();
    hpmTstartSite(function->id, &function->site);
    top->began = hpm_trial_now();
    top->hooks_ns = top->began - before;
}

static void
stop_on_trial(const struct hpm_opened *mine)
{
    const struct hpm_opened_entry *top = mine->top;
    uint64_t before = hpm_trial_now();
    enum hpm_trial_verdict verdict;

    hpmTstopAt(top->id, NULL, 0);
    verdict = hpm_trial_end(&top->function->trial, before - top->began,
                            top->hooks_ns + hpm_trial_now() - before);
    if (verdict != HPM_TRIAL_GOES_ON) {
        struct hpm_calm calm = hpm_calm_begin();

        self.is_own = true;
        hpm_function_judge(top->function, top->address, verdict);
        self.is_own = false;
        hpm_calm_end(calm);
    }
}

/* The first function of a thread, one that is called for the first time or is on
 * trial, or after others were left. */
static void
begin_place(struct hpm_function *function, struct hpm_opened_place place)
{
    struct hpm_opened *mine = &self.opened;
    bool has_begun = hpm_opened_has_begun(mine) || begin_thread();

    if (function == &hpm_function_unknown)
        function = look(place.address);
    place.is_inlined = place.caller - place.address >= function->size;
    if (!has_begun)
        return;
    if (place.at == mine->top->at || hpm_opened_may_be_left(mine, place.at))
        hpm_opened_leave(mine, &place);
    if (function == &hpm_function_off ||
        !hpm_opened_push(mine, function, &place))
        return;
    if (hpm_function_is_trusted(function))
        hpmTstartSite(function->id, &function->site);
    else
        start_on_trial(mine, function);
    self.has_started = true;
}

static __attribute__((noinline)) void
begin_long(struct hpm_function *function, uintptr_t address, uintptr_t at,
           uintptr_t caller)
{
    const struct hpm_opened_place place = {address, at, caller, true};

    if (is_busy(at)) {
        begin_inside(function, address);
        return;
    }
    self.busy_at = at;
    begin_place(function, place);
    self.busy_at = 0;
}

/* All that most calls need. */
static inline __attribute__((always_inline)) void
begin(struct hpm_function *function, uintptr_t address, uintptr_t at,
      uintptr_t caller)
{
    if (hpm_function_is_trusted(function)) {
        if (__builtin_expect(self.busy_at == 0, 1)) {
            self.busy_at = at;
            if (__builtin_expect(hpm_opened_push_inside(&self.opened, function,
                                                        address, at, caller),
                                 1)) {
                hpmTstartSite(function->id, &function->site);
                self.busy_at = 0;
                return;
            }
            self.busy_at = 0;
        }
    } else if (function == &hpm_function_off) {
        if (hpm_opened_may_be_left(&self.opened, at))
            pass(at);
        return;
    }
    begin_long(function, address, at, caller);
}

/* `is_after`: a function that ends by a jump to the hook has no frame any more, and
 * the stack is higher than at its begin, but not higher than in its caller. */
static bool
is_top(const struct hpm_opened *mine, uintptr_t address, uintptr_t at,
       bool is_after)
{
    const struct hpm_opened_entry *top = mine->top;

    if (top->address != address)
        return false;
    if (!is_after)
        return top->at == at;
    if (hpm_opened_stack(top) != HPM_OPENED_OWN || top->at >= at)
        return false;
    return top - 1 > mine->entries
               ? hpm_opened_stack(&top[-1]) == HPM_OPENED_OWN &&
                     top[-1].at >= at
               : hpm_opened_is_own(mine, at);
}

/* Whether the function is measured is asked only where it is not the innermost
 * one. */
static __attribute__((noinline)) void
end_long(uintptr_t address, uintptr_t at, bool is_after)
{
    const struct hpm_opened_place place = {address, at, 0, true};
    struct hpm_opened *mine = &self.opened;

    if (is_busy(at)) {
        end_inside(address);
        return;
    }
    if (hpm_opened_is_empty(mine))
        return;
    if (mine->top->address != address &&
        hpm_function_find(address) == &hpm_function_off) {
        if (hpm_opened_may_be_left(mine, at))
            pass(at);
        return;
    }
    self.busy_at = at;
    if (is_top(mine, address, at, is_after)) {
        if (mine->top->began == 0)
            hpmTstopAt(mine->top->id, NULL, 0);
        else
            stop_on_trial(mine);
        mine->top--;
    } else if (is_after) {
        hpm_opened_close_below(mine, &place);
    } else {
        hpm_opened_close(mine, &place);
    }
    self.busy_at = 0;
}

static inline __attribute__((always_inline)) void
end(uintptr_t address, uintptr_t at, bool is_after)
{
    const struct hpm_opened_entry *top = self.opened.top;

    if (__builtin_expect(top->address == address && top->at == at &&
                             !is_after && top->began == 0 && self.busy_at == 0,
                         1)) {
        self.busy_at = at;
        hpmTstopAt(top->id, NULL, 0);
        self.opened.top--;
        self.busy_at = 0;
        return;
    }
    end_long(address, at, is_after);
}

void
__cyg_profile_func_enter(void *function, void *call_site)
{
    (void)call_site;
    if (is_on)
        begin(hpm_function_find((uintptr_t)function), (uintptr_t)function,
              (uintptr_t)__builtin_frame_address(0),
              (uintptr_t)__builtin_return_address(0));
}

void
__cyg_profile_func_exit(void *function, void *call_site)
{
    if (is_on)
        end((uintptr_t)function, (uintptr_t)__builtin_frame_address(0),
            call_site == __builtin_return_address(0));
}

static void
hook_of_xray(int32_t id, enum hpm_xray_kind kind)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    const struct hpm_xray_function *hooked = hpm_xray_find(id);
    struct hpm_function *function = hooked->function;

    if (hooked->address == 0) {
        hpm_xray_note_frame(frame);
    } else if (kind != HPM_XRAY_BEGIN) {
        end(hooked->address, hpm_xray_place(frame, kind), false);
    } else {
        if (__builtin_expect(!hpm_function_is_trusted(function), 0))
            function = hpm_xray_ask(id);
        begin(function, hooked->address, hpm_xray_place(frame, kind),
              hooked->address);
    }
}

/* ---- the library's life ------------------------------------------------ */

static void
after_fork_in_child(void)
{
    hpm_memory_forget();
    process = getpid();
    is_child = true;
    self.busy_at = 0;
    self.is_own = self.has_started = false;
    self.n_inside = 0;
    hpm_opened_forget(&self.opened);
}

static bool
begin_measuring(const char *choice)
{
    if (hpm_function_begin(choice,
                           hpm_private_hand_over_to(NULL, NULL, NULL)) &&
        pthread_key_create(&thread_key, end_thread) == 0 &&
        pthread_atfork(hpm_stack_note_fork, NULL, after_fork_in_child) == 0)
        return true;
    hpm_message_say("out of memory; no function is measured");
    return false;
}

/* Sections begin only when functions are called, but settings are those of the
 * program's start. */
static void set_up(void) __attribute__((constructor));

static void
set_up(void)
{
    const char *choice = hpm_env_get(HPM_VARIABLE_FUNCTIONS);
    struct hpm_calm calm;

    if (choice == NULL || hpm_env_is_on(HPM_VARIABLE_DISABLE, false))
        return;
    calm = hpm_calm_begin();
    process = getpid();
    hpm_message_init();
    if ((hpmVersion)() != LIBHPM_VERSION)
        hpm_message_say(
            "libhpm_functions and libhpm are of different versions; "
            "no function is measured");
    else
        is_on = begin_measuring(choice);
    if (is_on) {
        self.busy_at = (uintptr_t)__builtin_frame_address(0);
        self.is_own = true;
        hpm_xray_begin(hook_of_xray);
        self.is_own = false;
        self.busy_at = 0;
    }
    hpm_calm_end(calm);
}

/* After the program's own destructors, and before libhpm's, which ends the
 * recording.  Functions in which exit was called end here. */
static void finish(void) __attribute__((destructor));

static void
finish(void)
{
    struct hpm_calm calm;

    if (!is_on || getpid() != process) /* a child that vfork has made */
        return;
    if (self.busy_at == 0)
        hpm_opened_end(&self.opened);
    if (is_child)
        return;
    calm = hpm_calm_begin();
    hpm_function_say_end();
    hpm_calm_end(calm);
}

/* The C library's function; of what it has unloaded the functions are forgotten,
 * since other code may be loaded there. */
int
dlclose(void *handle)
{
    static _Atomic(void *) known;
    void *real = atomic_load(&known);
    int result;

    if (real == NULL) {
        real = dlsym(RTLD_NEXT, "dlclose");
        atomic_store(&known, real);
    }
    if (real == NULL)
        return -1;
    result = ((int (*)(void *))real)(handle);
    if (is_on) {
        struct hpm_calm calm = hpm_calm_begin();
        uintptr_t before = self.busy_at;
        bool was_own = self.is_own;

        self.busy_at = (uintptr_t)__builtin_frame_address(0);
        self.is_own = true;
        hpm_function_forget_gone();
        self.is_own = was_own;
        self.busy_at = before;
        hpm_calm_end(calm);
    }
    return result;
}
