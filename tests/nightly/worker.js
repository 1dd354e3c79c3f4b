// SPDX-License-Identifier: BSD-3-Clause
// worker.js PLAYGROUND: the site's worker under Node.js, which runs the text of stdin and prints what it tells the page.
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");

const worker = fs.readFileSync(path.join(__dirname, "../../tools/site/worker.js"), "utf8");
globalThis.fetch = async () => new Response(fs.readFileSync(process.argv[2]), {headers: {"Content-Encoding": "gzip"}});
globalThis.onmessage = null;
globalThis.postMessage = ({failed, told}) => {
  if (failed) {
    console.error(failed);
    process.exitCode = 1;
  } else if (told) {
    console.log(JSON.stringify(told));
  }
};
vm.runInThisContext(worker.replace("SECONDS = 1;", "SECONDS = 60;"));
onmessage({data: {number: 1, text: fs.readFileSync(0, "utf8")}});
