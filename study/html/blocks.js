/* SPDX-License-Identifier: BSD-3-Clause
 * The page's data: JSON, and blocks of packed columns (study/html/block.h),
 * which are unpacked when first needed. */

const page = JSON.parse(document.getElementById('page').textContent);
page.whole = page.experiments[0];
page.shift = 0; /* what the blocks of the run shown are counted from */

/* Show what a group of threads measured, in place of the run; 0: all of it. */
function showGroup(number) {
  const group = page.groups[number - 1];
  if (group) {
    page.experiments = [group];
    page.shift = number;
  }
}

function fromBase64(digits) {
  const binary = atob(digits);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}

function unpack(id) {
  const element = document.getElementById(id.replace(/^e(\d+)/,
    (_, index) => `e${Number(index) + page.shift}`));
  return element === null ? null : inflate(fromBase64(element.textContent));
}

function unpackJson(id) {
  const bytes = unpack(id);
  return bytes === null ? null
    : JSON.parse(new TextDecoder('utf-8').decode(bytes));
}

const COLUMN_BYTES = { b: 1, w: 4, d: 6, c: 8, s: 8, f: 8 };

/* A column of numbers.  A missing number is NaN. */
class Column {
  constructor(kind, planes, n) {
    this.kind = kind;
    this.planes = planes;
    this.n = n;
    this.numbers = null;
  }

  /* The bytes `from` to `to` of number i, as one integer. */
  part(i, from, to) {
    let value = 0;
    for (let j = to; j >= from; j--) {
      value = value * 256 + this.planes[j * this.n + i];
    }
    return value;
  }

  decodeReals() {
    const bytes = new Uint8Array(8 * this.n);
    for (let i = 0; i < this.n; i++) {
      for (let j = 0; j < 8; j++) {
        bytes[8 * i + j] = this.planes[j * this.n + i];
      }
    }
    const view = new DataView(bytes.buffer);
    return Float64Array.from({ length: this.n },
      (_, i) => view.getFloat64(8 * i, true));
  }

  decode() {
    if (this.kind === 'f') {
      return this.decodeReals();
    }
    const size = COLUMN_BYTES[this.kind];
    const none = Math.pow(256, size) - 1;
    const numbers = new Float64Array(this.n);
    for (let i = 0; i < this.n; i++) {
      if (size < 8) {
        const value = this.part(i, 0, size - 1);
        numbers[i] = value === none ? NaN : value;
      } else {
        const low = this.part(i, 0, 3);
        const high = this.part(i, 4, 7) | 0;
        numbers[i] = high === -2147483648 && low === 0 ? NaN
          : high * 4294967296 + low;
      }
    }
    if (this.kind === 's') {
      return numbers.map((ns) => ns / 1e9);
    }
    return numbers;
  }

  at(i) {
    if (this.numbers === null) {
      this.numbers = this.decode();
    }
    return this.numbers[i];
  }

  /* All digits of a whole number that is too large for a double. */
  digits(i) {
    const value = this.at(i);
    if (Number.isNaN(value)) {
      return '';
    }
    if (this.kind !== 'c' || Math.abs(value) < 9007199254740992) {
      return String(value);
    }
    return String(BigInt.asIntN(64, BigInt(this.part(i, 4, 7)) << 32n |
      BigInt(this.part(i, 0, 3))));
  }
}

class Block {
  constructor(bytes) {
    const length = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24;
    const head = JSON.parse(new TextDecoder('utf-8').decode(
      bytes.subarray(4, 4 + length)));
    let at = 4 + length;
    this.n = head.n;
    this.texts = head.texts;
    this.columns = new Map();
    for (const [name, kind] of head.columns) {
      const size = COLUMN_BYTES[kind] * this.n;
      this.columns.set(name,
        new Column(kind, bytes.subarray(at, at + size), this.n));
      at += size;
    }
  }

  /* A number, or NaN. */
  at(name, i) {
    const column = this.columns.get(name);
    return column === undefined ? NaN : column.at(i);
  }

  digits(name, i) {
    const column = this.columns.get(name);
    return column === undefined ? '' : column.digits(i);
  }
}

const opened = new Map();

/* The block with this id, or null. */
function openBlock(id) {
  if (!opened.has(id)) {
    const bytes = unpack(id);
    opened.set(id, bytes === null ? null : new Block(bytes));
  }
  return opened.get(id);
}
