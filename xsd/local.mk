# SPDX-License-Identifier: BSD-3-Clause

xsddir = $(pkgdatadir)/xsd
dist_xsd_DATA = xsd/hpm.xsd xsd/report.schema.json xsd/count.schema.json \
	xsd/doctor.schema.json xsd/metrics.schema.json xsd/plan.schema.json \
	xsd/compare.schema.json xsd/hotspots.schema.json \
	xsd/callgraph.schema.json xsd/growth.schema.json
