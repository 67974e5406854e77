import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join, relative } from "node:path";

const TITLES = {
  langgraph: "LangGraph dev",
  dbos: "DBOS",
  restate: "Restate",
  service: "service",
  reference: "bare Node + pg",
};
const SIDES = Object.keys(TITLES);

/**
 * What stands for all rounds of each figure: `[{ case, key, title, values: { side: figure }, floor
 * }]`. `results`: case → side → values of each round.
 */
export function summarize(cases, results) {
  return cases.flatMap((item) =>
    item.figures.map(({ key, title, floor, isOfFirst }) => {
      const values = Object.fromEntries(
        SIDES.map((side) => {
          const rounds = (results[item.name]?.[side] ?? []).map((round) => round[key]);
          return [side, median(isOfFirst ? rounds.slice(0, 1) : rounds)];
        }).filter(([, value]) => value !== null),
      );
      return { case: item.name, key, title, values, floor };
    }),
  );
}

/** One table in Markdown: what each side did, and the service's part of it. */
export function toTable(rows) {
  const sides = SIDES.filter((side) => rows.some((row) => side in row.values));
  const others = sides.filter((side) => side !== "service");
  const head = [
    "",
    ...sides.map((side) => TITLES[side]),
    ...others.map((side) => `service ÷ ${TITLES[side]}`),
  ];
  const lines = rows.map(({ title, values }) => [
    title,
    ...sides.map((side) => show(values[side])),
    ...others.map((side) => show(divide(values.service, values[side]))),
  ]);
  return markdown(head, lines, 1);
}

/**
 * What became of each target: `measured` is null, and so is `isMet`, where a side or the case was
 * not measured.
 * @param {readonly import("./targets.mjs").Target[]} targets
 */
export function judge(targets, rows) {
  return targets.map((target) => {
    const row = rows.find(({ case: name, key }) => name === target.case && key === target.figure);
    const own = row?.values.service;
    const measured = (target.of ? divide(own, row?.values[target.of]) : own) ?? null;
    const isMet =
      measured === null
        ? null
        : measured >= (target.least ?? Number.NEGATIVE_INFINITY) &&
          measured <= (target.most ?? Number.POSITIVE_INFINITY);
    return { ...target, measured, isMet };
  });
}

/** The targets as one table in Markdown; those that were not measured say so. */
export function toTargetTable(judged) {
  const lines = judged.map(({ title, of, least, most, by, measured, isMet }) => [
    title,
    of ? TITLES[of] : "",
    by ? "" : least === undefined ? `≤ ${most}` : `≥ ${least}`,
    show(measured),
    by ?? (isMet === null ? "not measured" : isMet ? "met" : "**missed**"),
  ]);
  return markdown(["case", "÷", "target", "measured", ""], lines, 1, 1);
}

/** Lines of cells; the first `left` columns and the last `right` ones stand at the left. */
function markdown(head, lines, left, right = 0) {
  const rule = head.map((_, column) =>
    column < left || column >= head.length - right ? "---" : "---:",
  );
  return [head, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Sentences about what is below the floor of the short form. */
export function belowFloor(rows) {
  return rows.flatMap(({ title, values, floor }) => {
    if (!floor) return [];
    const ratio = divide(values.service, values.reference);
    const holds =
      ratio !== null &&
      ratio >= (floor.least ?? 0) &&
      ratio <= (floor.most ?? Number.POSITIVE_INFINITY);
    const wanted = floor.least === undefined ? `at most ${floor.most}` : `at least ${floor.least}`;
    return holds
      ? []
      : [`${title}: ${show(ratio)} of what bare Node does here; ${wanted} is required.`];
  });
}

function divide(a, b) {
  return a === undefined || b === undefined || b === 0 ? null : a / b;
}

function median(values) {
  const sorted = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function show(value) {
  if (value === undefined || value === null) return "–";
  return Math.abs(value) >= 100
    ? value.toFixed(0)
    : Math.abs(value) >= 10
      ? value.toFixed(1)
      : value.toFixed(value < 0.1 && value > 0 ? 3 : 2);
}

const HISTORY = "## History";

/**
 * Writes a run's figures to `bench/results/<date>-<commit>.json`, and its table on top of the
 * history in docs/performance.md. Returns the file's path.
 */
export function keepResults({ root, rows, judged, results, table, rounds }) {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const commit =
    git("rev-parse", "--short", "HEAD") +
    (git("status", "--porcelain", "--", "lib", "app", "scripts", "prisma") === ""
      ? ""
      : "-changed");
  const machine = {
    processors: cpus().length,
    model: cpus()[0].model.trim(),
    memory_mib: Math.round(totalmem() / 2 ** 20),
    node: process.versions.node,
  };
  const folder = join(root, "bench/results");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${date}-${commit}.json`);
  const medians = rows.map(({ case: name, key, title, values }) => ({
    case: name,
    figure: key,
    title,
    medians: values,
  }));
  const kept = {
    date,
    commit,
    rounds,
    machine,
    targets: judged,
    medians,
    rounds_of_cases: results,
  };
  writeFileSync(path, `${JSON.stringify(kept, null, 1)}\n`);
  addToHistory(
    join(root, "docs/performance.md"),
    `### ${date}, ${commit}\n\n${machine.processors} processors (${machine.model}), Node ` +
      `${machine.node}; medians of ${rounds} rounds.\n\n${table}\n`,
  );
  // The style of documents has the columns of tables in line.
  execFileSync(
    process.execPath,
    [
      join(root, "node_modules/@biomejs/biome/bin/biome"),
      "format",
      "--write",
      "docs/performance.md",
    ],
    {
      cwd: root,
    },
  );
  return relative(root, path);
}

function addToHistory(path, section) {
  const text = readFileSync(path, "utf8");
  const at = text.indexOf(HISTORY);
  if (at < 0) throw new Error(`docs/performance.md has no section “${HISTORY}”.`);
  const start = at + HISTORY.length;
  writeFileSync(
    path,
    `${text.slice(0, start)}\n\n${section}${text.slice(start).replace(/^\n/, "")}`,
  );
}
