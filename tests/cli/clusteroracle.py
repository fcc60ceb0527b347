# SPDX-License-Identifier: BSD-3-Clause
"""hpm cluster says what R's hclust, cutree, kmeans and cophenetic say; without R
these comparisons are skipped (tests/cli/cluster.py needs none)."""

import math
import os
import sys

import columnfiles
import tap
from columnfiles import R_DATA, ask_r, found, performance_file, r_table
from tap import folder, ok, skip

LINKAGES = {"single": "single", "complete": "complete", "average": "average",
            "ward": "ward.D2"}


def differ(ours, theirs):
    """By how much of the larger of them; infinite where they are not as many."""
    if len(ours) != len(theirs):
        return math.inf
    return max((abs(a - b) / max(abs(a), abs(b), 1e-300) if a != b else 0.0
                for a, b in zip(ours, theirs)), default=0.0)


def test_trees():
    for name in R_DATA:
        with folder() as where:
            table = r_table(where, name)
            path = os.path.join(where, "x.hpm.xml")
            performance_file(path, *table)
            for linkage, word in LINKAGES.items():
                theirs = ask_r(where, f"""
                    d <- dist(scale(x)); h <- hclust(d, '{word}')
                    result <- list(height = h$height, order = h$order,
                        a = h$merge[, 1], b = h$merge[, 2],
                        cut = cutree(h, 4), cophenetic = cor(d, cophenetic(h)))
                    """, x=table)
                ours = found("cluster", "--raw", "--linkage", linkage, "--cut",
                             "--groups", "4", path)
                height = [m["height"] for m in ours["merges"]]
                off = differ(height, theirs["height"])
                ok(off < 1e-9, f"{name}, {linkage}: the heights are those of R",
                   off)
                off = abs(ours["cophenetic"] - theirs["cophenetic"][0])
                ok(off < 1e-9, f"{name}, {linkage}: and the cophenetic "
                   "correlation", off)
                if len({f"{h:.9g}" for h in height}) < len(height):
                    continue  # of equal heights either merge may come first
                ok([(m["a"], m["b"]) for m in ours["merges"]] ==
                   list(zip(theirs["a"], theirs["b"])) and
                   [m["point"] for m in ours["order"]] == theirs["order"] and
                   [m["group"] for m in ours["members"]] == theirs["cut"],
                   f"{name}, {linkage}: and merges, order and the cut")


def test_kmeans():
    for name in R_DATA:
        with folder() as where:
            table = r_table(where, name)
            path = os.path.join(where, "x.hpm.xml")
            performance_file(path, *table)
            theirs = ask_r(where, """
                z <- scale(x); set.seed(1)
                within <- sapply(2:10, function(k)
                    kmeans(z, k, nstart = 200, iter.max = 100)$tot.withinss)
                result <- list(within = within)""", x=table)["within"]
            ours = {c["groups"]: c["within"]
                    for c in found("cluster", "--raw", path)["choices"]}
            off = max(ours[k] / theirs[k - 2] for k in ours)
            ok(off < 1 + 1e-9, f"{name}: from 2 to 10 groups no start of 200 "
               "of R's is better", off)


def test_f_ratios():
    with folder() as where:
        table = r_table(where, "iris")
        path = os.path.join(where, "x.hpm.xml")
        performance_file(path, *table)
        ours = found("cluster", "--raw", "--groups", "3", path)
        groups = [[m["group"]] for m in ours["members"]]
        theirs = ask_r(where, """
            g <- factor(g$group)
            a <- lapply(x, function(column) anova(lm(column ~ g)))
            result <- list(f = sapply(a, function(t) t$`F value`[1]),
                           p = sapply(a, function(t) t$`Pr(>F)`[1]))""",
                       x=table, g=(["group"], groups))
        by_name = {m["metric"]: m for m in ours["metrics"]}
        names = table[0]
        ok(differ([by_name[n]["f"] for n in names], theirs["f"]) < 1e-9,
           "F is that of R's analysis of variance", by_name)
        ok(differ([by_name[n]["p"] for n in names], theirs["p"]) < 1e-9,
           "and p")


if not columnfiles.r_is_there():
    skip("hpm cluster says what R says", "there is no R")
    tap.done()
for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
