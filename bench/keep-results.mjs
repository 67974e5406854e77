import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join, relative } from "node:path";

const HISTORY = "## History";

/** Writes a run's figures to `bench/results/<date>-<commit>.json`, and its table on top of the history in docs/performance.md. Returns the file's path. */
export function keepResults({ root, rows, results, table, rounds }) {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const commit =
    git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "--", "lib", "app", "scripts", "prisma") === "" ? "" : "-changed");
  const machine = {
    processors: cpus().length,
    model: cpus()[0].model.trim(),
    memory_mib: Math.round(totalmem() / 2 ** 20),
    node: process.versions.node,
  };
  const folder = join(root, "bench/results");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${date}-${commit}.json`);
  const medians = rows.map(({ case: name, key, title, values, goals }) => ({ case: name, figure: key, title, medians: values, goals }));
  writeFileSync(path, `${JSON.stringify({ date, commit, rounds, machine, medians, rounds_of_cases: results }, null, 1)}\n`);
  addToHistory(
    join(root, "docs/performance.md"),
    `### ${date}, ${commit}\n\n${machine.processors} processors (${machine.model}), Node ${machine.node}; medians of ${rounds} rounds.\n\n${table}\n`,
  );
  // The style of documents has the columns of tables in line.
  execFileSync(process.execPath, [join(root, "node_modules/@biomejs/biome/bin/biome"), "format", "--write", "docs/performance.md"], {
    cwd: root,
  });
  return relative(root, path);
}

function addToHistory(path, section) {
  const text = readFileSync(path, "utf8");
  const at = text.indexOf(HISTORY);
  if (at < 0) throw new Error(`docs/performance.md has no section “${HISTORY}”.`);
  const start = at + HISTORY.length;
  writeFileSync(path, `${text.slice(0, start)}\n\n${section}${text.slice(start).replace(/^\n/, "")}`);
}
