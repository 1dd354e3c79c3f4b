// SPDX-License-Identifier: BSD-3-Clause
// Runs programs of text in a thread of its own, so that a page can end one that takes too long.
"use strict";

const BYTES = 64n << 20n, SECONDS = 1; // budget of a program

let program; // what the library exports

/* The system's calls that the C library asks for: a clock, no environment, no files. */
function systemCalls() {
  const view = () => new DataView(program.memory.buffer);
  return {
    clock_time_get(clock, precision, out) {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_close: () => 8, fd_read: () => 8, fd_seek: () => 8, fd_write: () => 8,
    proc_exit() { throw new Error("the program ended"); },
  };
}

/* Loads the library, which is compressed here, since not every server does that. */
async function load() {
  const reply = await fetch("playground.wasm.gz");
  if (!reply.ok) throw new Error("playground.wasm.gz: " + reply.status);
  const packed = reply.headers.get("Content-Encoding") !== "gzip";
  const stream = packed ? reply.body.pipeThrough(new DecompressionStream("gzip")) : reply.body;
  const code = new Response(stream, {headers: {"Content-Type": "application/wasm"}});
  const calls = systemCalls();
  const known = {get: (all, name) => all[name] || (() => 52)}; // 52: there is no such call
  const made = await WebAssembly.instantiateStreaming(code, {
    wasi_snapshot_preview1: new Proxy(calls, known),
    env: new Proxy({emscripten_notify_memory_growth() {}}, known),
  });
  program = made.instance.exports;
  if (program._initialize) program._initialize();
}

function run(text) {
  const bytes = new TextEncoder().encode(text);
  const room = program.playground_room(bytes.length);
  if (!room) throw new Error("no memory for the text");
  new Uint8Array(program.memory.buffer).set(bytes, room);
  const told = program.playground_run(BYTES, SECONDS);
  const memory = new Uint8Array(program.memory.buffer);
  return JSON.parse(new TextDecoder().decode(memory.subarray(told, memory.indexOf(0, told))));
}

const loaded = load();
onmessage = async message => {
  const {number, text} = message.data;
  try {
    await loaded;
    postMessage({number, started: true});
    postMessage({number, told: run(text)});
  } catch (error) {
    postMessage({number, failed: String(error.message || error)});
  }
};
