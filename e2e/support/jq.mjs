// jq for the documents' commands on machines that have none: the same program as WebAssembly, with
// the little of its command line that they use.
//
//   node e2e/support/jq.mjs [-r] [-c] [-e] [-R] [-s] FILTER [FILE …]
import { readFileSync } from "node:fs";
import jq from "jq-wasm";

const args = process.argv.slice(2);
const first = args.findIndex((arg) => !arg.startsWith("-"));
const flags = args.slice(0, first);
const [filter, ...files] = args.slice(first);
const input = (files.length > 0 ? files : [0]).map((file) => readFileSync(file, "utf8")).join("");

try {
  const output = await jq.raw(input, filter, flags);
  if (output !== "") process.stdout.write(`${output}\n`);
  // `-e` tells by the exit code whether the last value was one; the library keeps that to itself.
  const isNothing = output === "" || /(^|\n)(null|false)$/.test(output);
  process.exitCode = isNothing && flags.some((flag) => flag.includes("e")) ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 5;
}
