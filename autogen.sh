#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Make ./configure from configure.ac.  Needs autoconf, automake and libtool.
set -e
cd "$(dirname "$0")"
for tool in autoreconf automake libtoolize; do
    command -v "$tool" >/dev/null || {
        echo "autogen.sh: '$tool' is missing;" \
             "on Debian and Ubuntu: apt-get install autoconf automake libtool" >&2
        exit 1
    }
done
exec autoreconf --install --force
