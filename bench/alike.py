# SPDX-License-Identifier: BSD-3-Clause
"""How long statistics of points take beside fastcluster, scikit-learn and NumPy, one
after the other in the same minute: bench/alike.py PROGRAM [ROUNDS].

Goals are ratios of medians. Where a package is missing its side is n/a, and the first
line says what to install. This script starts itself as the other side."""

import os
import statistics
import subprocess
import sys
import tempfile

# name, method, rows, columns, the other side, most of its time, most MiB
GOALS = [
    ("T1 Ward tree", "ward", 20000, 8, "fastcluster", 0.25, 100),
    ("T2 single tree", "single", 20000, 8, "fastcluster", 0.25, None),
    ("T3 average tree", "average", 20000, 8, "fastcluster", 1.0, 1638),
    ("T3 complete tree", "complete", 20000, 8, "fastcluster", 1.0, 1638),
    ("T4 Ward tree, seconds", "ward", 100000, 8, None, 60, None),
    ("T5 4 groups", "kmeans", 1000000, 8, "sklearn", 1 / 6, None),
    ("T5 4 groups", "kmeans", 1000000, 50, "sklearn", 1 / 6, None),
    ("T5 beside a single start", "kmeans", 1000000, 8, "single", 1.0, None),
    ("T5 beside a single start", "kmeans", 1000000, 50, "single", 1.0, None),
    ("T6 components", "components", 1000000, 8, "numpy", 1.2, None),
    ("T6 components", "components", 1000000, 50, "numpy", 1.0, None),
    ("T7 approx. tree, seconds", "approximate", 1000000, 8, "sklearn", 10, None),
    ("T7 its cuts by exact", "cuts", 20000, 8, None, 1.02, None),
    ("T7 its cuts by exact", "cuts", 100000, 8, None, 1.02, None),
    ("T8 factors, seconds", "factors", 1000, 50, None, 1, None),
]


# What provides the other sides.
PACKAGES = [("fastcluster", "apt install python3-fastcluster"),
            ("scipy", "apt install python3-scipy"),
            ("sklearn", "apt install python3-sklearn")]


def approximate_tree(x):
    """What people do with scikit-learn and SciPy: Ward's tree of the means of 500 small
    groups, which does not know how many points each is; cut into 4."""
    import numpy
    from scipy.cluster import hierarchy
    from sklearn.cluster import MiniBatchKMeans
    small = MiniBatchKMeans(500, n_init=1, random_state=1).fit(x)
    tree = hierarchy.ward(small.cluster_centers_)
    labels = hierarchy.fcluster(tree, 4, "maxclust")[small.labels_]
    return sum(((group - group.mean(axis=0)) ** 2).sum()
               for group in (x[labels == k] for k in numpy.unique(labels)))


def other_side(other, method, rows, columns, path):
    """"seconds MiB figure" as bench/alike prints them."""
    import resource
    import time

    import numpy
    x = numpy.fromfile(path).reshape(columns, rows).T.copy()
    if other == "fastcluster":
        import fastcluster
        import scipy.spatial.distance as distances
    elif method == "kmeans":
        from sklearn.cluster import KMeans

    elif method == "approximate":
        approximate_tree(x[:1000])  # loads what it is made of

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    before, start = peak(), time.process_time()
    if method == "kmeans":
        figure = KMeans(4, n_init=1 if other == "single" else 10,
                        random_state=1).fit(x).inertia_
    elif method == "approximate":
        figure = approximate_tree(x)
    elif method == "components":
        figure = numpy.linalg.eigvalsh(numpy.cov(x, rowvar=False))[-1]
    else:
        figure = fastcluster.linkage(distances.pdist(x), method,
                                     preserve_input=False)[-1, 2]
    print(f"{time.process_time() - start:.4f} {peak() - before:.1f} {figure:.12g}")


def measure(command):
    result = subprocess.run(command, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    if result.returncode != 0:
        return None
    return [float(word) for word in result.stdout.split()]


def median(results, which):
    there = [r[which] for r in results if r is not None]
    return statistics.median(there) if there else float("nan")


def python_with_numpy():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"],
                          stderr=subprocess.DEVNULL).returncode == 0:
            return python
    return sys.executable


def say_missing(python):
    missing = [how for package, how in PACKAGES if subprocess.run(
        [python, "-c", "import " + package],
        stderr=subprocess.DEVNULL).returncode != 0]
    if missing:
        print("without the other side where it is n/a: " + "; ".join(missing))


def main(program, rounds):
    python = python_with_numpy()
    say_missing(python)
    print(f"{'goal':25}{'rows':>9}{'col.':>5}{'ours s':>9}{'MiB':>7}"
          f"{'other s':>9}{'MiB':>7}{'ratio':>8}{'limit':>7}")
    for name, method, rows, columns, other, limit, most in GOALS:
        with tempfile.NamedTemporaryFile(suffix=".points") as file:
            subprocess.run([program, "make", str(rows), str(columns), "4",
                            file.name], check=True)
            words = [method, str(rows), str(columns), file.name]
            ours, theirs = [], []
            for _ in range(1 if method == "cuts" else rounds):
                ours.append(measure([program, *words]))
                if other:
                    theirs.append(measure([python, __file__, "other", other,
                                           *words]))
        report(name, rows, columns, ours, theirs, other, limit, most)


def report(name, rows, columns, ours, theirs, other, limit, most):
    seconds, mib = median(ours, 0), median(ours, 1)
    ratio = seconds / median(theirs, 0) if other else seconds
    if "seconds" in name:
        ratio = seconds
    elif "cuts" in name:
        ratio = median(ours, 2)
    is_met = ratio <= limit and (most is None or mib <= most)
    line = f"{name:25}{rows:9}{columns:5}{seconds:9.3f}{mib:7.0f}"
    line += f"{median(theirs, 0):9.3f}{median(theirs, 1):7.0f}" if other \
        else " " * 16
    line += f"{ratio:8.3f}{limit:7.3f}"
    line += "  n/a" if ratio != ratio else "  met" if is_met else "  NOT MET"
    a, b = median(ours, 2), median(theirs, 2)
    if other and "approx" not in name and a == a and b == b and abs(a - b) > 1e-6 * abs(b):
        line += f"  (figures differ: {a:.9g}, {b:.9g})"
    elif "approx" in name:
        line += f"  (squares within of 4 groups: {a:.9g}, {b:.9g})"
    print(line, flush=True)


if sys.argv[1] == "other":
    other_side(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]),
               sys.argv[6])
else:
    main(os.path.abspath(sys.argv[1]),
         int(sys.argv[2]) if len(sys.argv) > 2 else 3)
