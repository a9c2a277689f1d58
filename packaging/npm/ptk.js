#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Runs the program of the package for this platform.
"use strict";
const { spawnSync } = require("child_process");

const name = `ptk-profile-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/ptk`);
} catch {
  console.error(`ptk: there is no package for this platform: ${name}`);
  process.exit(2);
}
const done = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (done.signal) process.kill(process.pid, done.signal);
process.exit(done.status ?? 2);
