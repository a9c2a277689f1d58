'use strict';
// Packs records of a made-up spool and waits for the next batch, as a small service does.
const zlib = require('zlib');

const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
const parse = (text) => JSON.parse(text).map((record) => ({ ...record, sum: fib(record.id % 17) }));

function batch(size) {
  const records = [];
  for (let id = 0; id < size; id++) records.push({ id, tag: 't' + (id * 7919) % 101 });
  return JSON.stringify(records);
}

let left = 12;
function work() {
  const records = parse(batch(1500)).sort((a, b) => b.sum - a.sum || a.id - b.id);
  zlib.deflateSync(JSON.stringify(records));
  if (--left) setTimeout(work, 5);
}
work();
