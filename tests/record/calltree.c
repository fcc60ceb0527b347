/* SPDX-License-Identifier: BSD-3-Clause
 * The section table, with generated samples so that every value is known. */
#include "record/calltree.h"

#include "host/literal.h"
#include "host/memory.h"
#include "tap.h"

enum { N_SLOTS = 2 };

static int n_said;
static char last_line[200];

static void
say(const char *line)
{
    snprintf(last_line, sizeof last_line, "%s", line);
    n_said++;
}

static const struct hpm_shape shape = {N_SLOTS, N_SLOTS, N_SLOTS};
static const struct hpm_costs no_costs;
static struct hpm_problems *problems;
static struct hpm_calltree *tree;

static void
begin_with(const struct hpm_costs *costs, const struct hpm_filter *filter)
{
    n_said = 0;
    problems = hpm_problems_new(say, NULL);
    tree = hpm_calltree_new(&shape, costs, filter, problems);
}

static void
begin(void)
{
    begin_with(&no_costs, NULL);
}

static void
end(void)
{
    hpm_calltree_free(tree);
    hpm_problems_free(problems);
}

/* A start or stop at a time; the counter always reads ten times the time. */
static void
start(uint64_t time, int id, const char *label)
{
    uint64_t *row =
        hpm_calltree_start(tree, id, HPM_PARENT_AUTO, label, "a.c", id, NULL);

    if (row != NULL) {
        row[0] = time;
        row[1] = 10 * time;
    }
}

static void
stop(uint64_t time, int id)
{
    tree->now[0] = time;
    tree->now[1] = 10 * time;
    hpm_calltree_stop(tree, id, "a.c", 99);
}

static struct hpm_node *
node(const char *label)
{
    struct hpm_node *found = tree->nodes.first;

    while (found != NULL && strcmp(found->label, label) != 0)
        found = found->next;
    return found;
}

static uint64_t
exclusive_of(const struct hpm_node *node, size_t slot)
{
    return node->inclusive[slot] - node->inner[slot];
}

static void
check(const char *label, uint64_t inclusive, uint64_t exclusive, uint64_t calls,
      const char *sentence)
{
    const struct hpm_node *found = node(label);

    ok(found != NULL && found->inclusive[0] == inclusive &&
           found->inclusive[1] == 10 * inclusive &&
           exclusive_of(found, 0) == exclusive &&
           exclusive_of(found, 1) == 10 * exclusive &&
           hpm_node_calls(found) == calls,
       sentence);
    if (found != NULL && (found->inclusive[0] != inclusive ||
                          exclusive_of(found, 0) != exclusive))
        printf("# inclusive %llu exclusive %llu calls %llu\n",
               (unsigned long long)found->inclusive[0],
               (unsigned long long)exclusive_of(found, 0),
               (unsigned long long)hpm_node_calls(found));
}

static void
test_nesting(void)
{
    begin();
    start(100, 1, "outer");
    start(110, 2, "inner");
    stop(150, 2);
    start(160, 2, "inner");
    stop(180, 2);
    stop(200, 1);
    check("outer", 100, 40, 1, "an outer section is less what ran inside");
    check("inner", 60, 60, 2, "a section entered twice adds up");
    is_near(hpm_node_deviation(node("inner"), 0, 60), sqrt(200.0), 1e-12,
            "standard deviation of a call");
    ok(node("inner")->parent == node("outer"), "the inner knows its parent");
    is_count((uint64_t)node("inner")->line_end, 99, "the stop's line is kept");
    is_count((uint64_t)n_said, 0, "nothing is said of it");
    end();
}

static void
test_call_paths(void)
{
    begin();
    start(0, 1, "a");
    start(1, 3, "leaf");
    stop(2, 3);
    stop(3, 1);
    start(4, 2, "b");
    start(5, 3, "leaf");
    stop(9, 3);
    stop(10, 2);
    is_count(tree->nodes.n, 4, "one section on two paths is two nodes");
    check("leaf", 1, 1, 1, "each path has its own values");
    end();
}

static void
test_recursion(void)
{
    begin();
    start(0, 1, "f");
    for (int i = 0; i < 100000; i++)
        start(1, 1, "f");
    for (int i = 0; i < 100000; i++)
        stop(2, 1);
    stop(50, 1);
    check("f", 50, 50, 100001, "recursion is measured once, counted always");
    is_count(node("f")->outer, 1, "one outermost call");
    start(60, 1, "f");
    start(61, 2, "g");
    start(62, 1, "f");
    stop(63, 1);
    stop(70, 2);
    stop(80, 1);
    check("f", 70, 61, 100003, "recursion through another section");
    check("g", 9, 9, 1, "what ran in the recursion stays with the inner one");
    is_count((uint64_t)n_said, 0, "recursion is no problem");
    end();
}

/* After overlap the section is started on another path. */
static void
test_open_on_another_path(void)
{
    begin();
    start(0, 1, "a");
    start(1, 2, "b");
    stop(3, 2);
    start(7, 3, "c");
    start(15, 2, "b");
    stop(31, 1);
    stop(63, 3);
    start(127, 1, "a");
    start(255, 2, "b");
    stop(511, 2);
    stop(1023, 1);
    stop(2047, 2);
    is_count(tree->nodes.n, 4, "a section that is open is not opened again");
    is_count(tree->nodes.last->outer, 1, "it has one outermost call");
    is_count(hpm_node_calls(tree->nodes.last), 2, "and one more");
    is_count(tree->nodes.last->inclusive[0], 2047 - 15,
             "all from the first start to the last stop");
    check("b", 2, 2, 1, "the other path has nothing of it");
    is_count((uint64_t)n_said, 0, "that is no problem");
    start(3000, 1, "a");
    start(3001, 2, "b");
    stop(3003, 2);
    stop(3004, 1);
    check("b", 4, 4, 2, "once it is closed the other path is free again");
    end();
}

static void
test_left_out(void)
{
    const struct hpm_filter by_name = {.except = "off"};
    const struct hpm_filter first = {.n_skipped = 1};

    begin_with(&no_costs, &by_name);
    start(0, 1, "off");
    start(1, 1, "on");
    stop(11, 1);
    stop(111, 1);
    check("on", 10, 10, 1, "a stop is that of the innermost, if measured");
    start(200, 1, "on");
    start(210, 1, "off");
    stop(230, 1);
    stop(240, 1);
    check("on", 50, 50, 2, "or if left out");
    start(300, 1, "on");
    start(301, 2, "off");
    stop(303, 1);
    start(307, 3, "inside");
    stop(315, 2);
    stop(331, 3);
    ok(node("inside")->parent == NULL && !node("on")->has_overlap,
       "what is around and left out is not there");
    for (int i = 0; i < 1000; i++)
        start(400, 1, "off");
    for (int i = 0; i < 1000; i++)
        stop(400, 1);
    is_count((uint64_t)n_said, 0, "1,000 calls deep is no problem");
    end();

    begin_with(&no_costs, &first);
    start(0, 1, "f");
    start(10, 1, "f");
    stop(30, 1);
    stop(70, 1);
    check("f", 20, 20, 1, "only the first calls are left out");
    is_count(node("f")->n_skipped, 1, "and counted");
    end();
}

static void
test_overhead(void)
{
    struct hpm_costs costs = {.amounts[HPM_COST_START][1] = 1};
    uint64_t overhead;

    costs.amounts[HPM_COST_AGAIN_START][1] = 10;
    costs.amounts[HPM_COST_AGAIN_STOP][1] = 100;
    begin_with(&costs, NULL);
    start(0, 1, "f");
    start(0, 1, "f");
    overhead = hpm_calltree_overhead_of(tree, 1);
    is_count(overhead, 11, "a start of an open section is charged");
    ok(hpm_calltree_is_unread(tree, node("f")),
       "it is known without a look at the table");
    hpm_calltree_start_unread(tree, node("f"), 1);
    is_count(hpm_calltree_overhead_of(tree, 1), 21, "charged all the same");
    ok(hpm_calltree_stop_again(tree, 1), "its stop needs no reading");
    is_count(hpm_calltree_overhead_of(tree, 1), 121, "and is charged");
    end();
}

/* Two threads that end: the values of one are added to the other's. */
static void
test_merge(void)
{
    struct hpm_calltree *first;

    begin();
    start(100, 1, "outer");
    stop(200, 1);
    first = tree;
    tree = hpm_calltree_new(&shape, &no_costs, NULL, problems);
    start(100, 1, "outer");
    start(100, 2, "inner");
    stop(110, 2);
    start(110, 2, "inner");
    stop(140, 2);
    stop(400, 1);
    ok(hpm_calltree_merge(first, tree), "one thread's table joins another's");
    hpm_calltree_free(tree);
    tree = first;
    check("outer", 400, 360, 2, "the sections of both are one");
    check("inner", 40, 40, 2, "and what only one has is there");
    for (size_t slot = 0; slot < N_SLOTS; slot++) {
        double unit = slot == 0 ? 1 : 10;

        is_near(hpm_node_deviation(node("outer"), slot, 400 * unit),
                sqrt(20000.0) * unit, 1e-9,
                "the calls of both deviate from their common mean");
    }
    end();
}

/* A section "a" of one table, or of the other one. */
static struct hpm_node *
join(struct hpm_node one, struct hpm_node other)
{
    struct hpm_calltree *both;
    struct hpm_node *a;

    begin();
    start(100, 1, "a");
    stop(200, 1);
    both = tree;
    a = node("a");
    a->outer = one.outer;
    a->is_only_exclusive = one.is_only_exclusive;
    tree = hpm_calltree_new(&shape, &no_costs, NULL, problems);
    start(100, 1, "a");
    stop(200, 1);
    a = node("a");
    a->outer = other.outer;
    a->again = other.again;
    a->n_skipped = other.n_skipped;
    a->has_overlap = other.has_overlap;
    a->is_open = other.is_open;
    a->is_only_exclusive = other.is_only_exclusive;
    a->line_end = other.line_end;
    hpm_node_add_work(a, 5, "cells");
    ok(hpm_calltree_merge(both, tree), "two tables are one");
    hpm_calltree_free(tree);
    tree = both;
    return node("a");
}

static void
test_merge_of_each(void)
{
    const struct hpm_node *a = join((struct hpm_node){.outer = 1},
                                    (struct hpm_node){.outer = 2,
                                                      .again = 3,
                                                      .n_skipped = 4,
                                                      .has_overlap = true,
                                                      .line_end = 77});

    ok(a->outer == 3 && a->again == 3 && a->n_skipped == 4 && a->has_overlap &&
           !a->is_open && a->line_end == 77 && a->works[0].amount == 5,
       "what the second one knows of a section is there");
    end();
    a = join((struct hpm_node){.outer = 1, .is_only_exclusive = true},
             (struct hpm_node){.outer = 1, .is_open = true});
    ok(!a->has_overlap && a->is_open && !a->is_only_exclusive,
       "it is open if it was in one; inclusive values are there if in one");
    end();
    a = join((struct hpm_node){.outer = 1, .is_only_exclusive = true},
             (struct hpm_node){.outer = 0});
    ok(a->is_only_exclusive, "which has ended a call");
    end();
    a = join((struct hpm_node){.outer = 0, .is_only_exclusive = true},
             (struct hpm_node){.outer = 1});
    ok(!a->is_only_exclusive, "whichever that is");
    end();
    a = join((struct hpm_node){.outer = 1, .is_only_exclusive = true},
             (struct hpm_node){.outer = 1, .is_only_exclusive = true});
    ok(a->is_only_exclusive, "and they are not if in none");
    end();
}

/* Works there is no memory for are told, and so are calls. */
static void
test_merge_without_memory(void)
{
    const struct hpm_filter all = {.calls = "*"};
    size_t n_lacks = 0, n_few = 0, n_false = 0;

    for (unsigned long k = 1; k < 20; k++) {
        struct hpm_calltree *first;
        bool is_good;

        begin_with(&no_costs, &all);
        start(100, 1, "a");
        stop(200, 1);
        first = tree;
        tree = hpm_calltree_new(&shape, &no_costs, &all, problems);
        for (int i = 0; i < 40; i++) {
            start(100, 1, "a");
            stop(200, 1);
        }
        hpm_node_add_work(node("a"), 5, "cells");
        hpm_memory_fail_at(k, false);
        is_good = hpm_calltree_merge(first, tree);
        hpm_memory_fail_at(0, false);
        hpm_calltree_free(tree);
        tree = first;
        n_lacks += !is_good;
        n_few += is_good && n_said > 0;
        n_false +=
            is_good &&
            (node("a")->n_works != 1 ||
             (n_said == 0 &&
              hpm_reservoirs_of(tree->reservoirs, node("a")->number)->n != 41));
        end();
    }
    ok(n_lacks > 0 && n_few > 0 && n_false == 0,
       "lack of memory for works or calls is told");
    printf("# %zu, %zu, %zu\n", n_lacks, n_few, n_false);
}

static void
test_overlap(void)
{
    begin();
    start(0, 1, "a");
    start(10, 2, "b");
    stop(30, 1);
    stop(70, 2);
    check("a", 30, 10, 1, "the first of two overlapping ends with the second");
    check("b", 60, 60, 1, "the second has all that follows");
    ok(node("a")->has_overlap && node("b")->has_overlap,
       "both are marked as overlapping");
    end();

    begin();
    start(0, 9, "around");
    start(5, 1, "a");
    start(10, 2, "b");
    start(12, 3, "c");
    stop(30, 1);
    stop(40, 3);
    stop(70, 2);
    stop(100, 9);
    check("around", 100, 35, 1, "a section around overlap loses all of it");
    check("a", 25, 5, 1, "overlap with two others");
    check("b", 60, 32, 1, "the middle one");
    check("c", 28, 28, 1, "the innermost one");
    end();
}

static void
test_mismatch(void)
{
    begin();
    stop(1, 7);
    stop(2, 7);
    is_count((uint64_t)n_said, 1, "a stop without start is said once");
    tree->tid = 0;
    stop(3, 8);
    ok(strstr(last_line, "in thread 0") != NULL, "with the thread's number");
    tree->tid = -1;
    stop(4, 9);
    ok(n_said == 3 && strstr(last_line, "thread") == NULL, "where it has one");
    start(10, 1, "left");
    start(20, 2, "open");
    tree->now[0] = 50;
    tree->now[1] = 500;
    hpm_calltree_close_all(tree);
    check("left", 40, 10, 1, "what is left open is measured to the end");
    ok(node("left")->is_open && node("open")->is_open, "and marked as open");
    end();
}

/* A long one is cut between characters, of two bytes here, wherever they begin. */
static void
test_long_labels(void)
{
    static char text[2 * HPM_MAX_LABEL];

    for (size_t i = 0; i + 2 < sizeof text; i += 2)
        memcpy(&text[i], "\xc3\xa9", 2);
    for (size_t first = 0; first < 2; first++) {
        char *label, *end;

        if (first == 1) {
            memmove(text + 1, text, sizeof text - 2);
            text[0] = 'a';
        }
        label = hpm_section_copy_label(text);
        end = strchr(label, '~');
        ok(strlen(label) <= HPM_MAX_LABEL &&
               strlen(label) >= HPM_MAX_LABEL - 1 && strlen(end) == 17,
           "a long label is cut, and its end tells which it was");
        ok((size_t)(end - label) % 2 == first &&
               memcmp(label, text, (size_t)(end - label)) == 0,
           "it has whole characters");
        hpm_memory_free(label);
    }
}

static void
test_labels(void)
{
    char label[64];
    static char huge[1 << 20];

    begin();
    for (int i = 0; i < 3000; i++) {
        snprintf(label, sizeof label, "step %d", i % 3);
        start((uint64_t)i, 5, label);
        stop((uint64_t)i + 1, 5);
    }
    is_count(tree->nodes.n, 3, "a label changed in place is another section");
    check("step 1", 1000, 1000, 1000, "each with its own calls");
    start(0, 6, NULL);
    stop(1, 6);
    ok(node("") != NULL, "no label is an empty one");
    memset(huge, 'x', sizeof huge - 1);
    start(0, 7, huge);
    start(1, 7, huge);
    stop(2, 7);
    stop(3, 7);
    is_count(strlen(tree->nodes.last->label), HPM_MAX_LABEL,
             "a long label is cut to 1,024 bytes");
    is_count(hpm_node_calls(tree->nodes.last), 2, "and still found again");
    huge[sizeof huge - 2] = 'y';
    start(4, 7, huge);
    stop(5, 7);
    is_count(hpm_node_calls(tree->nodes.last), 1,
             "what is cut off still tells them apart");
    end();
}

enum { N_ROWS = 120, WHERE = 7 };

/* Sections with ids of two nested loops, each loop with one place in the code;
 * returns how many starts need the long way. */
static size_t
walk_table(int n_columns)
{
    size_t n_long = 0;

    for (int i = 0; i < N_ROWS; i++) {
        n_long += hpm_calltree_find(tree, i, "row", "a.c", WHERE) == NULL;
        hpm_calltree_start(tree, i, HPM_PARENT_AUTO, "row", "a.c", WHERE, NULL);
        for (int j = 0; j < n_columns; j++) {
            n_long += hpm_calltree_find(tree, j, "cell", "a.c", WHERE) == NULL;
            hpm_calltree_start(tree, j, HPM_PARENT_AUTO, "cell", "a.c", WHERE,
                               NULL);
            hpm_calltree_stop(tree, j, "a.c", WHERE);
        }
        hpm_calltree_stop(tree, i, "a.c", WHERE);
    }
    return n_long;
}

static size_t
walk_lines(void)
{
    size_t n_long = 0;

    for (int line = 1; line <= 10000; line++) {
        n_long +=
            hpm_calltree_find(tree, 1, "line", "a.c", (uint64_t)line) == NULL;
        hpm_calltree_start(tree, 1, HPM_PARENT_AUTO, "line", "a.c", line, NULL);
        hpm_calltree_stop(tree, 1, "a.c", line);
    }
    return n_long;
}

static void
test_sites(void)
{
    begin();
    is_count(walk_table(0), N_ROWS, "no section is known at first");
    is_count(walk_table(400), N_ROWS * 400, "nor what is inside");
    is_count(walk_table(400), 0,
             "48,120 sections are found by their addresses");
    end();

    begin();
    is_count(walk_lines(), 10000, "no line is known at first");
    is_count(walk_lines(), 0, "10,000 lines next to each other are");
    end();
}

/* Same condition as in host/memory.c. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define USES_MALLOC 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define USES_MALLOC 1
#endif
#ifndef USES_MALLOC
#define USES_MALLOC 0
#endif

/* The lines of the cache that starts and stops of a node touch, if only time is
 * measured: 10,000 sections are as quick as their lines.  A start also reads
 * the line before, unless it has a slot. */
static void
test_lines(void)
{
    const struct hpm_shape time_only = {1, 1, 1};
    const struct hpm_node *first;
    size_t begin;

    problems = hpm_problems_new(say, NULL);
    tree = hpm_calltree_new(&time_only, &no_costs, NULL, problems);
    hpm_calltree_start(tree, 1, HPM_PARENT_AUTO, "a", "a.c", 1, NULL);
    hpm_calltree_stop(tree, 1, "a.c", 1);
    first = tree->nodes.first;
    begin = (uintptr_t)&first->frame;
    if (USES_MALLOC)
        skip("of a node what edges write is a line,",
             "under this sanitizer malloc serves, which knows no lines");
    else
        is_count(begin % HPM_SITE_LINE, 0,
                 "of a node what edges write is a line,");
    ok((uintptr_t)(first->inclusive + tree->n_row) - begin <= HPM_SITE_LINE &&
           (uintptr_t)(first->squares + time_only.n_counts) - begin <=
               HPM_SITE_LINE &&
           (uintptr_t)(&first->line_end + 1) - begin <= HPM_SITE_LINE &&
           (uintptr_t)(&first->outer + 1) - begin <= HPM_SITE_LINE,
       "where nothing is counted,");
    is_count((uintptr_t)first->inner - begin, HPM_SITE_LINE,
             "and what sections inside write comes behind");
    is_count(begin - (uintptr_t)&first->site, HPM_SITE_LINE,
             "what starts look at is the line before");
    is_count(sizeof(struct hpm_slot) * 2, HPM_SITE_LINE,
             "a line has two slots");
    end();
}

/* ---- slots ------------------------------------------------------------ */

/* A start by a call site with the number `id`. */
static bool
start_numbered(int id)
{
    const struct hpm_place place = {
        .instance = id, .label = "numbered", .file = "a.c", .line = id};
    struct hpm_site site = {
        .label = hpm_site_numbered, .where = (uint64_t)id, .instance = id};

    return hpm_calltree_start_site(tree, HPM_PARENT_AUTO, &place, &site,
                                   NULL) != NULL;
}

/* Is a slot enough for such a start? */
static bool
is_quick(int id)
{
    unsigned number = (unsigned)id;

    return hpm_calltree_has_slot(tree, hpm_calltree_slot(tree, id, number), id,
                                 number) ||
           hpm_calltree_has_slot(
               tree, hpm_calltree_second_slot(tree, id, number), id, number);
}

/* Check each of so many sites, also those learnt when a table of slots is made
 * or grows. */
static void
test_reopened(void)
{
    enum { N_SITES = 200 };
    size_t n_quick = 0, n_lost = 0, n_open = 0, n_opened = 0;

    begin();
    start(0, 1, "around"); /* without a number: the first slot is for sections
                            * inside */
    for (int id = 2; id < N_SITES; id++) {
        bool was_quick;

        start_numbered(id);
        stop(0, id);
        was_quick = is_quick(id);
        n_quick += was_quick;
        start_numbered(id);
        stop(0, 1);
        start(0, 1, "around");
        n_open += is_quick(id) || start_numbered(id);
        stop(0, id);
        stop(0, id);
        n_opened += !is_quick(id) && start_numbered(id);
        stop(0, id);
        n_lost += is_quick(id) != was_quick;
    }
    ok(n_quick > N_SITES / 2, "most sites are in a slot");
    is_count(n_open, 0,
             "what is open below a section that was opened again is hidden");
    is_count(n_opened, N_SITES - 2, "and is opened again when it was closed");
    is_count(n_lost, 0, "from then on it is quick as before");
    end();
}

static void
test_skipped_slots(void)
{
    const struct hpm_filter two = {.n_skipped = 2};
    const struct hpm_filter none = {.except = "numbered"};

    begin_with(&no_costs, &two);
    for (int i = 0; i < 2; i++) {
        ok(!is_quick(1) && !start_numbered(1), "a call that is left out");
        stop(0, 1);
    }
    ok(!is_quick(1) && !hpm_calltree_is_ordinary(
                           tree, hpm_calltree_find_in_bucket(tree, 1, 1)),
       "the next one takes the long way");
    ok(start_numbered(1), "which measures it");
    stop(0, 1);
    ok(is_quick(1), "and from then on it is quick");
    is_count(tree->nodes.first->n_skipped, 2, "two were left out");
    is_count(tree->nodes.first->outer, 1, "and one was measured");
    end();

    begin_with(&no_costs, &none);
    for (int i = 0; i < 3; i++) {
        ok(!start_numbered(1) && !is_quick(1),
           "what is left out by its name never is");
        stop(0, 1);
    }
    end();
}

/* A section opened the long way and closed the quick way is quick from then on;
 * but not if its calls are kept. */
static void
test_kept_slots(void)
{
    const struct hpm_filter all = {.calls = "*"};

    for (int i = 0; i < 2; i++) {
        begin_with(&no_costs, i == 0 ? NULL : &all);
        for (int call = 0; call < 2; call++) {
            start_numbered(1);
            ok(tree->nodes.first->site.is_hidden == (i == 1),
               i == 0 ? "an open section is in its slot"
                      : "but not one whose calls are kept");
            hpm_calltree_close_top(tree, 99, HPM_COST_STOP);
            ok(is_quick(1) == (i == 0), "nor when it is closed");
        }
        end();
    }
}

static void
test_limits(void)
{
    char label[32];

    begin();
    for (int i = 0; i < 300; i++)
        start((uint64_t)i, i, NULL);
    is_count(hpm_calltree_depth(tree), HPM_MAX_DEPTH,
             "256 sections can be open");
    for (int i = 299; i >= 0; i--)
        stop(1000, i);
    is_count(hpm_calltree_depth(tree), 0,
             "stops of what was too deep are ignored");
    is_count((uint64_t)n_said, 44, "each section too deep is named");
    for (int i = 0; i < 258; i++)
        start((uint64_t)i, i, NULL);
    stop(1000, 5);
    stop(1000, 257);
    stop(1000, 256);
    is_count(hpm_calltree_depth(tree), 255, "stops find what was not too deep");
    start(1000, 5, NULL);
    is_count(hpm_calltree_depth(tree), 256, "and make room for another");
    for (int i = 255; i >= 0; i--)
        stop(1000, i);
    is_count(hpm_calltree_depth(tree), 0, "each its own");
    is_count((uint64_t)n_said, 44, "nothing is said of these stops");
    end();

    begin();
    for (int i = 0; i < 70000; i++) {
        snprintf(label, sizeof label, "%d", i);
        start(1, i, label);
        start(1, i + 1, label);
        stop(2, i + 1);
        stop(3, i);
    }
    is_count(tree->nodes.n, HPM_MAX_SECTIONS + 1,
             "65,536 sections and (other)");
    is_count(hpm_calltree_depth(tree), 0, "all of them were closed");
    is_count(hpm_node_calls(node("(other)")), 70000 - HPM_MAX_SECTIONS / 2,
             "the rest is measured together");
    is_count((uint64_t)n_said, 1, "and that is said once");
    end();
}

/* The row of a section started below `parent`. */
static void
start_below(uint64_t time, int id, int parent, const char *label)
{
    uint64_t *row =
        hpm_calltree_start(tree, id, parent, label, "a.c", id, NULL);

    if (row != NULL) {
        row[0] = time;
        row[1] = 10 * time;
    }
}

static void
test_parents(void)
{
    begin();
    start(0, 1, "a");
    start(10, 2, "b");
    start_below(20, 3, 1, "below a");
    stop(25, 3);
    start_below(30, 4, HPM_PARENT_NONE, "top");
    stop(35, 4);
    start_below(40, 5, 77, "lost");
    stop(45, 5);
    start_below(50, 6, HPM_PARENT_EXCLUSIVE, "alone");
    stop(55, 6);
    stop(90, 2);
    stop(100, 1);
    ok(node("below a")->parent == node("a"), "a parent may be chosen");
    ok(node("top")->parent == NULL, "or none");
    ok(node("lost")->parent == node("b") && n_said == 1,
       "a parent that is not open is said, the innermost is taken");
    ok(node("alone")->parent == node("b") && node("alone")->is_only_exclusive,
       "only exclusive values are as automatic");
    check("b", 80, 60, 1, "time inside belongs to the inner section");
    check("a", 100, 20, 1, "whichever parent it has");
    end();
}

static void
test_work(void)
{
    begin();
    start(0, 1, "a");
    ok(hpm_calltree_add_work(tree, 1, 5, "cells") &&
           hpm_calltree_add_work(tree, 1, 6, "cells") &&
           hpm_calltree_add_work(tree, 1, 7, "bytes"),
       "an open section takes work");
    ok(!hpm_calltree_add_work(tree, 2, 5, "cells"), "another does not");
    stop(1, 1);
    ok(!hpm_calltree_add_work(tree, 1, 5, "cells"), "nor does a closed one");
    is_count(node("a")->n_works, 2, "each unit is kept");
    is_count(node("a")->works[0].amount, 11, "and adds up");
    end();
}

/* Every allocation may fail: nothing may crash, and measured values are
 * right. */
/* A walk through starts and stops of six sections, out of order now and
 * then. */
static void
walk(unsigned seed)
{
    static const char *const labels[] = {"a", "b", "c", "d", "e", "f"};

    for (uint64_t i = 1; i < 60; i++) {
        int id = (int)(seed >> 16) % 6;

        seed = seed * 1103515245 + 12345;
        if ((seed >> 20) % 5 < 3)
            start(100 * i + (seed >> 24), id, labels[id]);
        else if (hpm_calltree_find_open(tree, id) != NULL)
            stop(100 * i + (seed >> 24), id);
    }
}

enum { N_SUMS = 2 * (2 * N_SLOTS + HPM_N_EDGES) + 2 * N_SLOTS };

/* Copy each node's sums, with its open call if wanted; returns how many are
 * open. */
static size_t
copy_sums(uint64_t *ret_sums, bool has_open_calls)
{
    size_t n_open = 0;

    for (struct hpm_node *n = tree->nodes.first; n != NULL; n = n->next) {
        memcpy(ret_sums, n->sums, N_SUMS * sizeof *ret_sums);
        if (hpm_node_is_in_frame(n) && has_open_calls)
            hpm_calltree_add_open_call(tree, n, 0, ret_sums);
        n_open += hpm_node_is_in_frame(n);
        ret_sums += N_SUMS;
    }
    return n_open;
}

static void
test_open_calls(void)
{
    static uint64_t seen[2000 * N_SUMS], closed[2000 * N_SUMS];
    bool is_equal = true;
    size_t n_open = 0;

    for (unsigned seed = 1; seed <= 200; seed++) {
        size_t bytes;

        begin();
        walk(seed * 7919);
        bytes = tree->nodes.n * N_SUMS * sizeof seen[0];
        tree->now[0] = 10000;
        tree->now[1] = 100000;
        n_open += copy_sums(seen, true);
        hpm_calltree_close_all(tree);
        copy_sums(closed, false);
        is_equal &= memcmp(seen, closed, bytes) == 0;
        end();
    }
    ok(n_open > 200, "sections are open in the middle of walks");
    ok(is_equal, "what open calls add is what closing them adds, to the bit");
}

static void
test_no_memory(void)
{
    bool is_right = true;

    for (unsigned long k = 1; k < 60; k++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            begin();
            hpm_memory_fail_at(k, for_ever);
            for (int i = 0; i < 100; i++) {
                char label[16];

                snprintf(label, sizeof label, "%d", i);
                start((uint64_t)i * 10, i, label);
                stop((uint64_t)i * 10 + 4, i);
            }
            hpm_memory_fail_at(0, false);
            for (struct hpm_node *n = tree->nodes.first; n != NULL; n = n->next)
                is_right =
                    is_right && n->inclusive[0] == 4 && hpm_node_calls(n) == 1;
            is_right = is_right && hpm_calltree_depth(tree) == 0;
            end();
        }
    }
    ok(is_right, "with memory running out, what is kept is right");
}

static void
test_no_memory_for_calls(void)
{
    const struct hpm_filter filter = {.calls = "*"};
    bool is_right = true;
    size_t n_without = 0;

    for (unsigned long k = 1; k < 30; k++) {
        hpm_memory_fail_at(k, false);
        begin_with(&no_costs, &filter);
        if (tree != NULL) {
            start(10, 1, "a");
            hpm_memory_fail_at(0, false);
            stop(14, 1);
            if (node("a") != NULL &&
                hpm_reservoirs_of(tree->reservoirs, node("a")->number) ==
                    NULL) {
                n_without++;
                is_right &= n_said == 1 && hpm_node_calls(node("a")) == 1;
            }
        }
        hpm_memory_fail_at(0, false);
        end();
    }
    ok(is_right && n_without >= 3, "a section that keeps no calls is named");
}

int
main(void)
{
    hpm_literal_init();
    test_nesting();
    test_call_paths();
    test_recursion();
    test_open_on_another_path();
    test_left_out();
    test_overhead();
    test_merge();
    test_merge_of_each();
    test_merge_without_memory();
    test_overlap();
    test_mismatch();
    test_long_labels();
    test_labels();
    test_sites();
    test_lines();
    test_reopened();
    test_skipped_slots();
    test_kept_slots();
    test_limits();
    test_parents();
    test_work();
    test_open_calls();
    test_no_memory();
    test_no_memory_for_calls();
    return done();
}
