/* SPDX-License-Identifier: BSD-3-Clause
 * Unpack zlib's format (RFC 1950 and 1951).  Browsers have a function for this
 * only since 2023, and only an asynchronous one: this code works the same way
 * in all of them. */

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31,
  35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3,
  3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129,
  193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8,
  8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2,
  14, 1, 15];

/* For each pattern of `bits` bits: the symbol times 16, plus the length of its
 * code. */
function makeCode(lengths) {
  const bits = Math.max(1, ...lengths);
  const table = new Uint16Array(1 << bits);
  let code = 0;
  for (let length = 1; length <= bits; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) {
        continue;
      }
      let reversed = 0;
      for (let i = 0; i < length; i++) {
        reversed |= ((code >> i) & 1) << (length - 1 - i);
      }
      for (let i = reversed; i < table.length; i += 1 << length) {
        table[i] = symbol << 4 | length;
      }
      code++;
    }
    code <<= 1;
  }
  return { table, bits };
}

const FIXED = {
  literal: makeCode(Array.from({ length: 288 }, (_, i) =>
    i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
  distance: makeCode(new Array(30).fill(5)),
};

class Inflation {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 2;
    this.hold = 0;
    this.held = 0;
    this.out = new Uint8Array(Math.max(256, bytes.length * 6));
    this.n = 0;
  }

  take(count) {
    while (this.held < count) {
      if (this.at >= this.bytes.length) {
        throw new Error('the data of this page end too early');
      }
      this.hold |= this.bytes[this.at++] << this.held;
      this.held += 8;
    }
    const value = this.hold & ((1 << count) - 1);
    this.hold >>>= count;
    this.held -= count;
    return value;
  }

  symbol(code) {
    while (this.held < code.bits && this.at < this.bytes.length) {
      this.hold |= this.bytes[this.at++] << this.held;
      this.held += 8;
    }
    const entry = code.table[this.hold & (code.table.length - 1)];
    const length = entry & 15;
    if (length === 0 || length > this.held) {
      throw new Error('the data of this page are damaged');
    }
    this.hold >>>= length;
    this.held -= length;
    return entry >> 4;
  }

  room(count) {
    if (this.n + count > this.out.length) {
      const more = new Uint8Array(Math.max(2 * this.out.length,
        this.n + count));
      more.set(this.out.subarray(0, this.n));
      this.out = more;
    }
  }

  stored() {
    this.at -= this.held >> 3;
    this.hold = this.held = 0;
    const count = this.bytes[this.at] | this.bytes[this.at + 1] << 8;
    this.at += 4;
    this.room(count);
    this.out.set(this.bytes.subarray(this.at, this.at + count), this.n);
    this.at += count;
    this.n += count;
  }

  codes() {
    const literals = this.take(5) + 257;
    const distances = this.take(5) + 1;
    const count = this.take(4) + 4;
    const lengths = new Array(19).fill(0);
    for (let i = 0; i < count; i++) {
      lengths[LENGTH_ORDER[i]] = this.take(3);
    }
    const code = makeCode(lengths);
    const all = [];
    while (all.length < literals + distances) {
      const symbol = this.symbol(code);
      if (symbol < 16) {
        all.push(symbol);
        continue;
      }
      const value = symbol === 16 ? all[all.length - 1] : 0;
      let times = symbol === 16 ? 3 + this.take(2)
        : symbol === 17 ? 3 + this.take(3) : 11 + this.take(7);
      while (times-- > 0) {
        all.push(value);
      }
    }
    return {
      literal: makeCode(all.slice(0, literals)),
      distance: makeCode(all.slice(literals)),
    };
  }

  packed(code) {
    for (;;) {
      const symbol = this.symbol(code.literal);
      if (symbol === 256) {
        return;
      }
      if (symbol < 256) {
        this.room(1);
        this.out[this.n++] = symbol;
        continue;
      }
      const length = LENGTH_BASE[symbol - 257] +
        this.take(LENGTH_BITS[symbol - 257]);
      const far = this.symbol(code.distance);
      const distance = DISTANCE_BASE[far] + this.take(DISTANCE_BITS[far]);
      if (distance > this.n) {
        throw new Error('the data of this page are damaged');
      }
      this.room(length);
      for (let i = 0; i < length; i++, this.n++) {
        this.out[this.n] = this.out[this.n - distance];
      }
    }
  }
}

/* The unpacked bytes of data in zlib's format. */
function inflate(bytes) {
  const inflation = new Inflation(bytes);
  for (let isLast = 0; !isLast;) {
    isLast = inflation.take(1);
    const kind = inflation.take(2);
    if (kind === 0) {
      inflation.stored();
    } else if (kind === 3) {
      throw new Error('the data of this page are damaged');
    } else {
      inflation.packed(kind === 1 ? FIXED : inflation.codes());
    }
  }
  return inflation.out.subarray(0, inflation.n);
}
