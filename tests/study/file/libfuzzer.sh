#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
exec "${top_srcdir:-.}/tests/libfuzzer.sh" reader "$@"
