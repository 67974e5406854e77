import { spawn } from "node:child_process";
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * A fenced block of a page. `run`: its commands run as they stand. `output`: what the run block
 * before it prints.
 */
interface GuideBlock {
  line: number;
  language: string;
  use: "run" | "output" | null;
  text: string;
}

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Stands between the outputs of two blocks; no command prints it. */
const SEPARATOR = "\u001e";
const TAIL_CHARACTERS = 4_000;

/**
 * The fenced blocks of a Markdown file of the repository, in order. The words behind the language
 * say what a block is for: `sh run`, `json output`.
 */
export async function readBlocks(file: string): Promise<GuideBlock[]> {
  const blocks: GuideBlock[] = [];
  let open: { fence: string; block: GuideBlock; lines: string[] } | null = null;
  for (const [index, line] of (await readFile(path.join(ROOT, file), "utf8"))
    .split("\n")
    .entries()) {
    const [, fence = "", language = "", use = ""] = /^(`{3,})(\S*) ?(.*)$/.exec(line) ?? [];
    if (open && line === open.fence) {
      blocks.push({ ...open.block, text: open.lines.join("\n") });
      open = null;
    } else if (open) open.lines.push(line);
    else if (fence)
      open = { fence, block: { line: index + 1, language, use: toUse(use), text: "" }, lines: [] };
  }
  return blocks;
}

function toUse(word: string): GuideBlock["use"] {
  return word === "run" || word === "output" ? word : null;
}

interface GuideOptions {
  environment: Record<string, string>;
  /**
   * Commands that stand before the first block, such as those of the page that every guide begins
   * with.
   */
  before?: string;
  /**
   * Texts of the page that are something else here: a request becomes one that a scripted model
   * answers.
   */
  replace?: Record<string, string>;
}

/**
 * Runs the `run` blocks of a page as one shell session in an empty folder, and compares what each
 * printed with the `output` block behind it. A command that fails ends it. Ids, times and costs
 * differ from run to run; `…` in an output block stands for anything. Returns what does not fit, in
 * words: nothing when the page is true.
 */
export async function runGuide(
  file: string,
  { environment, before = "", replace = {} }: GuideOptions,
): Promise<string[]> {
  const blocks = await readBlocks(file);
  const runs = blocks.filter(({ use }) => use === "run");
  const folder = await mkdtemp(path.join(tmpdir(), "lathe-guide-"));
  try {
    const texts = [before, ...runs.map(({ text }) => replaced(text, replace))];
    const script = path.join(folder, ".guide.sh");
    await writeFile(
      script,
      `set -euo pipefail\n${texts.join(`\nprintf '${SEPARATOR}'\nprintf '${SEPARATOR}' >&2\n`)}\n`,
    );
    const { code, output, errors } = await runShell(script, folder, environment);
    const printed = output.split(SEPARATOR).slice(1);
    const last = runs[printed.length - 1];
    if (code !== 0)
      return [
        `${file}:${last?.line ?? 1} ended with ${code}:\n` +
          `${`${printed.at(-1) ?? output}\n${errors}`.slice(-TAIL_CHARACTERS)}`,
      ];
    return blocks.flatMap((block, index) => {
      if (block.use !== "output") return [];
      const before = runs.indexOf(
        blocks.slice(0, index).findLast(({ use }) => use === "run") ?? block,
      );
      const fault = differenceOf(
        replaced(block.text, replace),
        printed[before] ?? "",
        block.language,
      );
      return fault
        ? [`${file}:${block.line} says\n${block.text}\nbut came\n${printed[before]}\n${fault}`]
        : [];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function replaced(text: string, replace: Record<string, string>): string {
  return Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), text);
}

/** Why the text is not what a page says it is; null when it is. */
export function differenceOf(said: string, came: string, language = "text"): string | null {
  const comparable = language === "json" ? comparableJson : comparableText;
  const text = comparable(came);
  let at = 0;
  for (const [index, piece] of said.split("…").map(comparable).entries()) {
    const found = text.indexOf(piece, at);
    if (found === -1 || (index === 0 && found !== 0))
      return `There is no ${JSON.stringify(piece)} in ${JSON.stringify(text.slice(at))}`;
    at = found + piece.length;
  }
  return at === text.length || said.trimEnd().endsWith("…")
    ? null
    : `It goes on: ${JSON.stringify(text.slice(at))}`;
}

const CHANGING: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME"],
  [
    /("(?:credits|available|used_24h|input_tokens|output_tokens|cached_input_tokens|duration_ms|size_bytes)": ?)[\d.]+/g,
    "$1N",
  ],
  [/https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?/g, "URL"],
  [/\s+/g, " "],
];

/** Without what differs from run to run, and with one space for each gap. */
function comparableText(text: string): string {
  return CHANGING.reduce((all, [pattern, to]) => all.replace(pattern, to), text).trim();
}

/** However it is laid out: a formatter of documents breaks lines as it likes. */
function comparableJson(text: string): string {
  return comparableText(text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1"));
}

/**
 * `PATH` with jq on it: the machine's, or the one that the repository brings, put into a folder
 * below `folder`.
 */
export async function searchPath(folder: string): Promise<string> {
  const own = process.env.PATH ?? "";
  for (const part of own.split(path.delimiter)) {
    const isThere = await access(path.join(part, "jq")).then(
      () => true,
      () => false,
    );
    if (isThere) return own;
  }
  const bin = path.join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(
    path.join(bin, "jq"),
    `#!/bin/sh\nexec '${process.execPath}' '${path.join(ROOT, "e2e/support/jq.mjs")}' "$@"\n`,
  );
  await chmod(path.join(bin, "jq"), 0o755);
  return `${bin}${path.delimiter}${own}`;
}

function runShell(
  script: string,
  folder: string,
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, REPOSITORY: ROOT, ...environment };
    const child = spawn("bash", [script], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output, errors }));
  });
}
