/* SPDX-License-Identifier: BSD-3-Clause
 * A counter's page. */
#include "source/page.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/machine/procfile.h"

__thread char hpm_page_thread;
const volatile pid_t *hpm_page_process;

void *
hpm_page_new_wiped(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return NULL;
    if (madvise(page, size, MADV_WIPEONFORK) != 0) {
        hpm_page_free_wiped(page);
        return NULL;
    }
    return page;
}

void
hpm_page_free_wiped(void *page)
{
    if (page != NULL)
        munmap(page, (size_t)sysconf(_SC_PAGESIZE));
}

/* Two threads may do this at once: one of their pages stays. */
static volatile pid_t *
process_page(void)
{
    static pid_t *page;
    pid_t *found = __atomic_load_n(&page, __ATOMIC_ACQUIRE), *made;

    if (found != NULL)
        return found;
    made = hpm_page_new_wiped();
    if (made != NULL &&
        !__atomic_compare_exchange_n(&page, &found, made, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        hpm_page_free_wiped(made);
        made = found;
    }
    return made;
}

bool
hpm_page_own(struct hpm_page_owner *ret_owner)
{
    int saved_errno = errno;
    volatile pid_t *page = process_page();

    errno = saved_errno;
    if (page == NULL)
        return false;
    *ret_owner = (struct hpm_page_owner){&hpm_page_thread, getpid()};
    __atomic_store_n(page, ret_owner->process, __ATOMIC_RELAXED);
    __atomic_store_n(&hpm_page_process, page, __ATOMIC_RELEASE);
    return true;
}

const struct perf_event_mmap_page *
hpm_page_map(int fd)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    int saved_errno = errno;
    const struct perf_event_mmap_page *page = MAP_FAILED;

    if (HPM_PAGE_IS_POSSIBLE)
        page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) {
        page = NULL;
    } else if (!page->cap_user_rdpmc || !page->cap_user_time) {
        munmap((void *)page, size);
        page = NULL;
    }
    errno = saved_errno;
    return page;
}

/* Where a child's page would be, the child may have something else. */
void
hpm_page_unmap(const struct perf_event_mmap_page *page,
               const struct hpm_page_owner *owner)
{
    if (page != NULL && hpm_page_owner_is_here(owner))
        munmap((void *)page, (size_t)sysconf(_SC_PAGESIZE));
}

bool
hpm_page_is_wanted(void)
{
#ifdef __aarch64__
    char line[16];

    return hpm_procfile_line("/proc/sys/kernel/perf_user_access", line,
                             sizeof line) &&
           strcmp(line, "1") == 0;
#else
    return false;
#endif
}
