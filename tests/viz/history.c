/* SPDX-License-Identifier: BSD-3-Clause
 * Back and forward among places. */
#include "hpmviz/source/history.h"

#include "tap.h"

static void
expect(struct hpmviz_history *history, int by, const char *file, int line,
       const char *sentence)
{
    const struct hpmviz_visit *place = hpmviz_history_go(history, by);

    ok(file == NULL ? place == NULL
                    : place != NULL && strcmp(place->file, file) == 0 &&
                          place->line == line,
       sentence);
}

int
main(void)
{
    struct hpmviz_history *history = hpmviz_history_new();

    expect(history, -1, NULL, 0, "in the beginning there is no way back");
    expect(history, 0, NULL, 0, "nor is one anywhere");
    hpmviz_history_visit(history, "a.f", 1);
    hpmviz_history_visit(history, "a.f", 1);
    hpmviz_history_visit(history, "a.f", 9);
    hpmviz_history_visit(history, "b.f", 9);
    expect(history, 1, NULL, 0, "there is nothing before one");
    expect(history, -1, "a.f", 9, "back is where one was");
    expect(history, -1, "a.f", 1, "and further back");
    expect(history, -1, NULL, 0, "a place visited twice is one");
    expect(history, 1, "a.f", 9, "forward is where one came from");
    ok(hpmviz_history_can_go(history, 1), "there is more");
    hpmviz_history_visit(history, "c.f", 2);
    ok(!hpmviz_history_can_go(history, 1),
       "a new place forgets what was forward");
    expect(history, -1, "a.f", 9, "but not what is behind");
    for (int i = 0; i < 1000; i++)
        hpmviz_history_visit(history, "d.f", i);
    expect(history, -99, "d.f", 900, "a hundred places are remembered");
    expect(history, -1, NULL, 0, "and no more");
    hpmviz_history_free(history);
    return done();
}
