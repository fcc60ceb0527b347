# SPDX-License-Identifier: BSD-3-Clause
# Read what `hpm points --format npz -o FILE` writes as a data frame, by what R
# has itself:
#
#     source("read_npz.R")
#     points <- read_npz("points.npz")

read_array <- function(file, name) {
  array <- unz(file, name, "rb")
  on.exit(close(array))
  start <- as.integer(readBin(array, "raw", 10))
  header <- rawToChar(readBin(array, "raw", start[9] + 256 * start[10]))
  n <- as.integer(sub(".*'shape': [(]([0-9]+).*", "\\1", header))
  type <- sub(".*'descr': '<([^']*)'.*", "\\1", header)
  if (type == "f8") return(readBin(array, "double", n, endian = "little"))
  if (type == "i4") return(readBin(array, "integer", n, endian = "little"))
  width <- as.integer(substring(type, 2))  # texts, 4 bytes a character
  letters <- readBin(array, "integer", n * width, endian = "little")
  apply(matrix(letters, width), 2, function(text) intToUtf8(text[text > 0]))
}

read_npz <- function(file) {
  names <- unzip(file, list = TRUE)$Name
  columns <- lapply(names, function(name) read_array(file, name))
  names(columns) <- sub("[.]npy$", "", names)
  as.data.frame(columns, check.names = FALSE)
}
