# SPDX-License-Identifier: BSD-3-Clause
"""hpm components and hpm factors say what R's prcomp and factanal say; without R
these comparisons are skipped (tests/cli/factors.py needs none)."""

import csv
import os
import sys

import columnfiles
import tap
from columnfiles import R_DATA, ask_r, found, performance_file, r_table
from tap import folder, ok, skip


def off(ours, theirs):
    """The largest difference."""
    return max((abs(a - b) for a, b in zip(ours, theirs)), default=0.0) \
        if len(ours) == len(theirs) else float("inf")


def of_one_sign(values):
    """R leaves the sign of a component open."""
    largest = max(values, key=lambda v: round(abs(v), 9))
    return [v if largest > 0 else -v for v in values]


def test_components():
    for name in R_DATA:
        with folder() as where:
            table = r_table(where, name)
            path = os.path.join(where, "x.hpm.xml")
            performance_file(path, *table)
            n = len(table[0])
            for scale, is_scaled in (("z", "TRUE"), ("none", "FALSE")):
                theirs = ask_r(where, f"""
                    p <- prcomp(x, scale. = {is_scaled})
                    result <- list(values = p$sdev^2, rotation = p$rotation,
                                   scores = p$x[, 1])""", x=table)
                ours = found("components", "--raw", "--scale", scale, path)
                largest = theirs["values"][0]
                ok(off([c["eigenvalue"] / largest for c in ours["components"]],
                       [v / largest for v in theirs["values"]]) < 1e-12,
                   f"{name}, {scale}: the eigenvalues are those of R")
                rotation = [r["weight"] for r in ours["rotation"]]
                worst = max(off(of_one_sign(rotation[n * k:n * (k + 1)]),
                                of_one_sign(theirs["rotation"]
                                            [n * k:n * (k + 1)]))
                            for k in range(n))
                ok(worst < 1e-9, f"{name}, {scale}: so are the weights", worst)
                scores = of_one_sign([s["PC1"] for s in ours["scores"]])
                ok(off(scores, of_one_sign(theirs["scores"])) <
                   1e-9 * max(map(abs, scores)),
                   f"{name}, {scale}: and the scores")


def harman(where):
    """145 points that have exactly the correlations of Harman's 24 tests."""
    ask_r(where, f"""
        set.seed(1); r <- Harman74.cor$cov
        z <- scale(matrix(rnorm(145 * 24), 145))
        x <- z %*% solve(chol(cov(z))) %*% chol(r)
        write.csv(x, '{where}/h.csv', row.names = FALSE)
        result <- list()""")
    with open(os.path.join(where, "h.csv")) as file:
        rows = [[float(v) for v in row] for row in list(csv.reader(file))[1:]]
    return [f"T{j + 1}" for j in range(24)], rows


def compare_fit(where, name, table, m):
    path = os.path.join(where, "x.hpm.xml")
    performance_file(path, *table)
    theirs = ask_r(where, f"""
        f <- factanal(x, {m}, control = list(nstart = 20),
                      rotation = 'varimax')
        result <- list(objective = f$criteria[1], psi = f$uniquenesses,
                       chi = f$STATISTIC, p = f$PVAL)""", x=table)
    ours = found("factors", "--raw", "--factors", str(m), path)
    above = ours["objective"] - theirs["objective"][0]
    what = f"{name}, {m} factors"
    ok(above < 1e-6, f"{what}: the fit is at least as good as R's", above)
    if above < -1e-6:
        return  # R has missed it, and the rest is of another fit
    ok(off([row["uniqueness"] for row in ours["loadings"]],
           theirs["psi"]) < 2e-3, f"{what}: so are the uniquenesses",
       (ours["loadings"], theirs["psi"]))
    if theirs["chi"]:
        ok(abs(ours["chi_square"] - theirs["chi"][0]) < 1e-4 *
           theirs["chi"][0] and abs(ours["p"] - theirs["p"][0]) < 1e-5,
           f"{what}: and chi square, and p")
    check_rotation(where, what, ours, m)


def check_rotation(where, what, ours, m):
    """R's varimax of our loadings finds nothing to turn."""
    names = [f"factor_{k + 1}" for k in range(m)]
    table = (names, [[row[n] for n in names] for row in ours["loadings"]])
    if m == 1:
        return
    turned = ask_r(where, """
        v <- varimax(as.matrix(l), eps = 1e-14)
        result <- list(angle = abs(abs(v$rotmat) - diag(ncol(l))))""",
                   l=table)["angle"]
    ok(max(turned) < 1e-5, f"{what}: and R's varimax turns the loadings no "
       "further", max(turned))


def test_factors():
    for name, most in (("mtcars", 3), ("swiss", 2), ("attitude", 3)):
        with folder() as where:
            table = r_table(where, name)
            for m in range(1, most + 1):
                compare_fit(where, name, table, m)
    with folder() as where:
        table = harman(where)
        for m in (1, 4):
            compare_fit(where, "Harman74", table, m)


if not columnfiles.r_is_there():
    skip("hpm components and factors say what R says", "there is no R")
    tap.done()
for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
