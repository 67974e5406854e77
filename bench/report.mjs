import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join, relative } from "node:path";

const SIDES = ["langgraph", "service", "reference"];
const TITLES = { langgraph: "LangGraph dev", service: "service", reference: "bare Node + pg" };

/**
 * The medians of each figure: `[{ case, key, title, values: { side: median }, goals: [{ text, met
 * }], floor }]`. `results`: case → side → values of each round.
 */
export function summarize(cases, results) {
  return cases.flatMap((item) =>
    item.figures.map(({ key, title, goals, floor }) => {
      const values = Object.fromEntries(
        SIDES.map((side) => [
          side,
          median((results[item.name]?.[side] ?? []).map((round) => round[key])),
        ]).filter(([, value]) => value !== null),
      );
      return {
        case: item.name,
        key,
        title,
        values,
        goals: goals.map((goal) => judge(goal, values)),
        floor,
      };
    }),
  );
}

/** One table in Markdown. */
export function toTable(rows) {
  const sides = SIDES.filter((side) => rows.some((row) => side in row.values));
  const others = sides.filter((side) => side !== "service");
  const head = [
    "",
    ...sides.map((side) => TITLES[side]),
    ...others.map((side) => `service ÷ ${TITLES[side]}`),
    "wanted",
    "",
  ];
  const lines = rows.map(({ title, values, goals }) => [
    title,
    ...sides.map((side) => show(values[side])),
    ...others.map((side) => show(divide(values.service, values[side]))),
    goals.map(({ text }) => text).join("; "),
    goals.length === 0 || goals.some(({ met }) => met === null)
      ? ""
      : goals.every(({ met }) => met)
        ? "met"
        : "**missed**",
  ]);
  const rule = head.map((_, column) => (column === 0 || column > head.length - 3 ? "---" : "---:"));
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

function judge({ of, least, most }, values) {
  const value = of ? divide(values.service, values[of]) : (values.service ?? null);
  const bound = least === undefined ? `≤ ${most}` : `≥ ${least}`;
  const text = of ? `${bound} × ${TITLES[of]}` : bound;
  return {
    text,
    met:
      value === null
        ? null
        : value >= (least ?? Number.NEGATIVE_INFINITY) &&
          value <= (most ?? Number.POSITIVE_INFINITY),
  };
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
export function keepResults({ root, rows, results, table, rounds }) {
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
  const medians = rows.map(({ case: name, key, title, values, goals }) => ({
    case: name,
    figure: key,
    title,
    medians: values,
    goals,
  }));
  writeFileSync(
    path,
    `${JSON.stringify({ date, commit, rounds, machine, medians, rounds_of_cases: results }, null, 1)}\n`,
  );
  addToHistory(
    join(root, "docs/performance.md"),
    `### ${date}, ${commit}\n\n${machine.processors} processors (${machine.model}), Node ${machine.node}; medians of ${rounds} rounds.\n\n${table}\n`,
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
