#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tests/nightly/site.py SITE: the site in headless Chromium, at a phone's width: the first result comes within two seconds,
every example of the pages gives what its page says, what is too much is refused or ended and the page lives on, a browser
without vectors says so, and nothing is fetched from elsewhere. 77: there is no Chromium."""

import functools
import gzip
import html
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import text_bits  # noqa: E402

FIRST, PACKED, WIDTH = 2000, 900_000, 390  # milliseconds, bytes, pixels
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")

DRIVER = """<!DOCTYPE html><meta charset="utf-8"><body><script>
const told = {pages: {}};
const wait = ms => new Promise(done => setTimeout(done, ms));
async function until(what, limit) {
  for (let left = limit; left > 0; left -= 10) { const got = what(); if (got) return got; await wait(10); }
  return null;
}
async function open(page) {
  const frame = document.createElement("iframe");
  frame.width = WIDTH; frame.height = 800; frame.style.border = 0;
  frame.src = page;
  const loaded = new Promise(done => { frame.onload = done; });
  document.body.replaceChildren(frame);
  await loaded;
  return frame.contentWindow;
}
async function main() {
  let page = await open("playground.html");
  await until(() => page.firstResult, 20000);
  told.first = page.firstResult;
  const document_ = page.document, input = document_.querySelector("textarea");
  const state = () => document_.querySelector(".state").textContent;
  const write = async text => {
    document_.querySelector(".output").replaceChildren();
    document_.querySelector(".state").textContent = "";
    input.value = text;
    input.dispatchEvent(new page.Event("input"));
    await until(state, 15000);
    return [state(), document_.querySelector(".output").textContent];
  };
  told.typed = await write("a = arange(6).reshape(2, 3)\\na.T[::-1]");
  told.cells = document_.querySelectorAll(".elements td").length;
  told.hollow = (await write("a = arange(6)\\na[::2]"), document_.querySelectorAll("section:first-child .hollow").length);
  told.explained = document_.querySelector("details").textContent;
  told.refused = await write("arange(10).expand(1 << 40, 10).sum()");
  told.memory = await write("zeros(1 << 28)");
  told.ended = await write("a = zeros(2200, 2200)\\na @ a");
  told.after = await write("1 + 1");
  told.width = document_.documentElement.scrollWidth;
  told.choices = [];
  for (const choice of document_.querySelectorAll("[data-example]"))
    told.choices.push([choice.textContent, ...await write(choice.dataset.example)]);
  for (const name of PAGES) {
    page = await open(name);
    const list = [];
    for (const example of [...page.document.querySelectorAll("pre.example")]) {
      const program = example.dataset.program;
      const before = page.document.querySelectorAll(".output section").length;
      example.querySelector("button").click();
      await until(() => page.document.querySelectorAll(".output section").length > before, 5000);
      list.push({program, lines: (await page.evaluate(program)).lines});
    }
    told.pages[name] = {width: page.document.documentElement.scrollWidth, list,
      asked: page.performance.getEntriesByType("resource").map(r => r.name)};
  }
  page = await open("without-vectors.html");
  told.bits = {lines: []};
  const texts = BITS.split("\\n"), kept = line => /^\\w+ = /.test(line);
  for (let i = 0; i < texts.length; i++) // by itself, with what has names, so that each has the whole budget
    if (/# [0-9a-f]{16}$/.test(texts[i])) {
      const lines = (await page.evaluate(texts.map((line, k) => k === i || kept(line) && k < i ? line : "").join("\\n"))).lines;
      told.bits.lines.push(lines[lines.length - 1]);
    }
  told.without = page.document.querySelector(".state").textContent;
}
main().catch(error => { told.failed = String(error.stack || error); })
  .then(() => fetch("told", {method: "POST", body: JSON.stringify(told)}));
</script>"""


class Server(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def send(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        if self.path == "/driver.html":
            self.send(DRIVER.replace("WIDTH", str(WIDTH)).replace("PAGES", json.dumps(self.server.pages))
                      .replace("BITS", json.dumps(text_bits.TEXTS.read_text())))
        elif self.path == "/without-vectors.html":
            page = pathlib.Path(self.directory, "playground.html").read_text()
            self.send(page.replace("<head>", "<head><script>WebAssembly.validate = () => false</script>", 1))
        else:
            super().do_GET()

    def do_POST(self):
        self.server.told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send("")
        self.server.done.set()


def drive(site, pages):
    """What the pages do in the browser, as the driver tells it."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=str(site)))
    server.pages, server.told, server.done = pages, None, threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + profile,
                                    "--window-size=800,900", "http://127.0.0.1:%d/driver.html" % server.server_port],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            server.done.wait(300)
        finally:
            browser.kill()
            browser.wait()
    server.shutdown()
    return server.told


def examples_of(page):
    """[(program, [what each line without a name gives])] of the blocks of a page."""
    for program, shown in re.findall(r'<pre class="example" data-program="([^"]*)">(.*?)</pre>', page, re.S):
        lines, wanted = html.unescape(program).split("\n"), []
        for part in re.split(r"^<b>&gt;&gt;&gt; ", shown, flags=re.M)[1:]:
            wanted.append(html.unescape(part.split("\n", 1)[1]).strip() if "\n" in part else "")
        yield lines, wanted


def given(line):
    if "error" in line:
        return "refused"
    return line.get("answer", "\n".join(array["text"] for array in line["arrays"]))


def main(site):
    if not BROWSER:
        print("there is no Chromium")
        return 77
    packed = (site / "playground.wasm.gz").stat().st_size
    assert packed <= PACKED, packed
    gzip.decompress((site / "playground.wasm.gz").read_bytes())
    for path in list(site.glob("*.html")) + list(site.glob("*.js")) + list(site.glob("*.css")):
        for target in re.findall(r'(?:src|href|url)[=(]\s*"?([^")\s>]*)', path.read_text()):
            if path.suffix != ".html" or "://" not in target:
                assert "://" not in target, (path, target)
            if path.suffix == ".html" and not re.match(r"[a-z]+:|#", target) and target:
                assert (site / html.unescape(target).split("#")[0]).exists(), (path.name, target)
    pages = sorted(p.name for p in site.glob("*.html") if 'class="example"' in p.read_text())
    told = drive(site, pages)
    assert told, "the browser told nothing within five minutes"
    assert "failed" not in told, told["failed"]
    print("first result after %.0f ms, %d bytes compressed" % (told["first"], packed))
    assert told["first"] and told["first"] <= FIRST, told["first"]
    assert told["width"] <= WIDTH, told["width"]
    assert told["cells"] == 12 and told["hollow"] == 3, (told["cells"], told["hollow"])
    assert "strides (16,)" in told["explained"] and "view" in told["explained"], told["explained"]
    assert "budget" in told["refused"][1], told["refused"]
    assert "out of memory" in told["memory"][1], told["memory"]
    assert "ended after" in told["ended"][0] or told["ended"][1], told["ended"]
    assert told["after"][1].endswith("2"), told["after"]
    assert "without SIMD" in told["without"], told["without"]
    assert len(told["choices"]) >= 10 and all(output for _, _, output in told["choices"]), told["choices"]
    number, wrong = text_bits.differences(told["bits"])
    assert not wrong, wrong
    print("%d texts have the bits of every other machine" % number)
    count = 0
    for name in pages:
        page = told["pages"][name]
        assert page["width"] <= WIDTH, (name, page["width"])
        assert all("//127.0.0.1:" in url for url in page["asked"]), page["asked"]
        wanted = list(examples_of((site / name).read_text()))
        assert len(wanted) == len(page["list"]), name
        for (lines, outputs), ran in zip(wanted, page["list"]):
            got = {line["line"]: line for line in ran["lines"]}
            for number, output in enumerate(outputs, 1):
                if output:
                    assert given(got[number]) == output, (name, lines[number - 1], given(got[number]), output)
                    count += 1
    print("%d results of %d pages are what the pages say" % (count, len(pages)))
    assert count >= 10
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
