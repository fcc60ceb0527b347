/* SPDX-License-Identifier: BSD-3-Clause
 * What a library keeps of each thread: a part stays when its thread ends, and another
 * thread goes on with it. */
#include "brought/parts.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

struct kept {
    struct hpm_part part;
    int begun;
    int left;
};

static struct hpm_parts parts;

static void
begin(void *part)
{
    struct kept *kept = part;

    kept->begun += kept->begun == 0 && kept->left == 0 ? 1 : 100;
}

static void
leave(void *part)
{
    struct kept *kept = part;

    kept->left++;
    hpm_part_release(part);
}

static bool is_after_fork;

static void
after_fork(void)
{
    is_after_fork = true;
}

static void *
take(void *unused)
{
    (void)unused;
    return hpm_parts_take(&parts);
}

/* The part of a thread that has ended. */
static struct kept *
part_of_thread(void)
{
    pthread_t thread;
    void *taken = NULL;

    if (pthread_create(&thread, NULL, take, NULL) != 0)
        return NULL;
    pthread_join(thread, &taken);
    return taken;
}

static size_t
count_parts(void)
{
    size_t n = 0;

    for (const struct hpm_part *each = parts.first; each != NULL;
         each = each->next)
        n++;
    return n;
}

static void
test_threads(void)
{
    struct kept *own = (struct kept *)hpm_parts_take(&parts);
    struct kept *one = part_of_thread(), *next = part_of_thread();

    ok(own != NULL && own->begun == 1, "a new part is filled in, once");
    ok(one != NULL && one != own, "another thread has a part of its own");
    is_count((uint64_t)one->left, 2, "each thread leaves its part at its end");
    ok(next == one && one->begun == 1, "a part that is free is taken as it is");
    hpm_part_hold(&one->part);
    next = part_of_thread();
    ok(next != one && next != own, "a part that is held is not free");
    is_count(count_parts(), 3, "there are as many as were used at once");
    hpm_part_release(&one->part);
    hpm_part_hold(&next->part);
    ok(part_of_thread() == one, "a part that is no longer held is free");
    is_count(count_parts(), 3, "and no new one is made");
    is_count(own->part.users, 1, "the main thread's own is still used");
    ok(own->left == 0, "and nobody has left it");
}

static void
test_fork(void)
{
    pid_t child = fork();
    int status = 1;

    if (child == 0)
        _exit(is_after_fork ? 0 : 1);
    waitpid(child, &status, 0);
    ok(status == 0, "a forked child is told");
    ok(!is_after_fork, "its parent is not");
}

int
main(void)
{
    ok(hpm_parts_take(&parts) == NULL, "before the begin there is no part");
    hpm_parts_begin(&parts, sizeof(struct kept), begin, leave, after_fork);
    test_threads();
    test_fork();
    return done();
}
