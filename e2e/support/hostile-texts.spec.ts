import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "@playwright/test";
import { hostileTexts, spread } from "./hostile-texts";
import { guiltyTexts, LoopWatch } from "./loop-watch";
import { freePort } from "./servers";

const CHARACTERS = 60_000;
/** Reads the body by a pattern on the loop that answers everybody. */
const SERVER = `
  const pattern = new RegExp(process.argv[1]);
  const server = require("node:http").createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    response.end(String(pattern.test(text)));
  });
  // As long as the test: what stands still closes no connection that somebody is about to use.
  server.keepAliveTimeout = 600_000;
  server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("ready"));`;

test("a pattern's worst texts repeat what it repeats, behind what precedes it, and fail", () => {
  expect(hostileTexts("/^id=(?:a|b)+;$/", 12)).toEqual(["id=aaaaaaaaa\u0001!"]);
  expect(hostileTexts("/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/", 6)).toEqual([
    "aaaaaa\u0001!",
    "a@aaaa\u0001!",
    "a@a.aa\u0001!",
  ]);
  expect(hostileTexts("/^[a-z]{2,4}$/", 6)).toEqual([]);
  expect(spread(["a", "b", "a", "c", "d"], 2)).toEqual(["a", "c"]);
});

test("a text that makes others wait is found, and none is found where nobody waits", async () => {
  test.setTimeout(600_000);
  const found = async (source: string, made: string) => {
    const port = await freePort();
    const child = spawn(process.execPath, ["-e", SERVER, source, String(port)]);
    try {
      await once(child.stdout, "data");
      const url = `http://127.0.0.1:${port}`;
      const watch = new LoopWatch(url);
      const send = (text: string) => fetch(url, { method: "POST", body: text });
      const texts = [...hostileTexts(made, CHARACTERS), "plain"];
      const guilty = await guiltyTexts(watch, texts, send);
      await watch.stop();
      return guilty;
    } finally {
      child.kill("SIGKILL");
    }
  };
  // Quadratic, as one that judged addresses at the sign-in was.
  expect(await found("\\s+$", "/\\s+$/")).toEqual([expect.stringMatching(/^\d+ ms: "/)]);
  expect(await found("^\\s+x", "/\\s+$/")).toEqual([]);
});
