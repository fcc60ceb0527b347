/* SPDX-License-Identifier: BSD-3-Clause
 * Events: the domain at the end of a name, and events without a source. */
#include "source/event.h"

#include "host/memory.h"
#include "tap.h"

/* `plain` NULL: there is no domain in the name. */
static void
check_size(const char *name, size_t size, const char *plain,
           enum hpm_domain domain)
{
    enum hpm_domain found = (enum hpm_domain)77;
    char text[64];
    bool has_domain = hpm_domain_split(name, text, size, &found);

    ok(plain != NULL ? has_domain && found == domain && strcmp(text, plain) == 0
                     : !has_domain && found == (enum hpm_domain)77 &&
                           strncmp(text, name, size - 1) == 0,
       name);
    printf("# '%s', %d\n", text, (int)found);
}

static void
check(const char *name, const char *plain, enum hpm_domain domain)
{
    check_size(name, 64, plain, domain);
}

static void
test_split(void)
{
    check("cycles:u", "cycles", HPM_DOMAIN_USER);
    check("cycles:k", "cycles", HPM_DOMAIN_KERNEL);
    check("cycles:uk", "cycles", HPM_DOMAIN_ALL);
    check("cycles:ku", "cycles", HPM_DOMAIN_ALL);
    check("cycles", NULL, 0);
    check("cycles:", NULL, 0);
    check("cycles:x", NULL, 0);
    check("cycles:uu", NULL, 0);
    check("cyclesu", NULL, 0);
    check("a::b:u", "a::b", HPM_DOMAIN_USER);
    check("u", NULL, 0);
    check(":u", NULL, 0);
    check("a:u", "a", HPM_DOMAIN_USER);
    check("uk", NULL, 0);
    check("k:uk", "k", HPM_DOMAIN_ALL);
    check("", NULL, 0);
    check("cpu/event=1/u", "cpu/event=1/", HPM_DOMAIN_USER);
    check("cpu/event=1/uk", "cpu/event=1/", HPM_DOMAIN_ALL);
    check("cpu/event=1/:k", "cpu/event=1/", HPM_DOMAIN_KERNEL);
    check("cpu/event=1/", NULL, 0);
    check("cpu/u", NULL, 0);
    check("cpu/k", NULL, 0);
    check_size("cycles:u", 9, "cycles", HPM_DOMAIN_USER);
    check_size("cycles:u", 8, NULL, 0);
}

static void
test_names(void)
{
    enum hpm_domain domain;

    for (int i = 0; i < 3; i++) {
        ok(hpm_domain_from_name(hpm_domain_name((enum hpm_domain)i), &domain) &&
               domain == (enum hpm_domain)i,
           "a domain is found by its name");
    }
    is_text(hpm_domain_name(HPM_DOMAIN_KERNEL), "kernel", "such as this");
    ok(hpm_domain_from_name("ALL", &domain) && domain == HPM_DOMAIN_ALL,
       "in capitals as well");
    ok(!hpm_domain_from_name("users", &domain) && domain == HPM_DOMAIN_ALL,
       "but not by another word");
}

static void
test_refuse(void)
{
    struct hpm_event event = {.name = hpm_memory_copy_text("a"),
                              .unit = hpm_memory_copy_text("ns"),
                              .source = (const struct hpm_source *)&event};

    hpm_event_refuse(&event, "not here");
    ok(event.source == NULL && event.state == HPM_STATE_UNSUPPORTED &&
           strcmp(event.name, "a") == 0,
       "what nobody counts has no source");
    is_text(event.reason, "not here", "but a reason");
    hpm_event_clear(&event);
    ok(event.name == NULL && event.reason == NULL && event.unit == NULL,
       "and leaves nothing");
}

int
main(void)
{
    test_split();
    test_names();
    test_refuse();
    return done();
}
