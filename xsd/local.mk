# SPDX-License-Identifier: BSD-3-Clause

xsddir = $(pkgdatadir)/xsd
dist_xsd_DATA = xsd/hpm.xsd
