import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { build } from "esbuild";

/**
 * What one opens to follow a request: the files that a start file imports, and those they import,
 * up to where the next leg begins, and the functions of the database that they call, with those
 * that these call. Types alone are no import.
 *
 * @typedef {object} Leg
 * @property {string} name
 * @property {string[]} from the files where it starts
 * @property {string[]} [cut] what it does not enter, beside the ground and the other legs' starts:
 * the beginnings of paths
 *
 * @typedef {object} Journey
 * @property {string} title
 * @property {Leg[]} legs a file stands in the first leg that comes to it
 */

/** What every journey stands on: words, tables and the ways to the outside. */
const GROUND = [
  "lib/env.ts",
  "lib/service.ts",
  "lib/model/",
  "lib/platform/",
  "lib/storage/generated/",
  "lib/storage/prisma.ts",
  "lib/domain/mail/",
  "lib/domain/limits/row-caps.ts",
];
/** Sides of a run that one follows only when one looks for them. */
const ASIDE = [
  "lib/engine/server/",
  "lib/offline-model/",
  "lib/templates/",
  "lib/runtime/documents/",
  "lib/runtime/skills/",
  "lib/runtime/sandbox/",
  "lib/runtime/text-work/",
  "lib/runtime/tools/",
  "lib/domain/connections/",
  "lib/domain/execution/tools/run-tools.ts",
  "lib/domain/models/vendor-lists.ts",
];
const TURN = "lib/domain/execution/turn/run-turn.ts";
const END = "lib/domain/runs/settle-run.ts";
const LOG = "lib/engine/events/run-log-writer.ts";
const ENGINE = "lib/engine/client.ts";

/** @type {Journey[]} */
export const JOURNEYS = [
  {
    title: "A run of text alone, from the socket to its last line",
    legs: [
      {
        name: "The socket",
        from: ["lib/server/mount-listener.ts"],
        cut: ["lib/api/", "lib/domain/", "lib/engine/", "lib/jobs/", "lib/runtime/"],
      },
      {
        name: "The surface",
        from: ["lib/api/http/dispatch.ts"],
        cut: ["lib/api/v1/", "lib/engine/"],
      },
      {
        name: "Accepting",
        from: ["lib/domain/runs/request-run.ts"],
        cut: [...ASIDE, "lib/runtime/"],
      },
      { name: "The engine's event", from: [ENGINE], cut: ASIDE },
      {
        name: "The engine's drive",
        from: ["lib/engine/embedded/start-embedded-executor.ts"],
        cut: ASIDE,
      },
      { name: "The job", from: ["lib/jobs/execute-run.ts"], cut: ["lib/domain/", "lib/runtime/"] },
      { name: "The turn", from: [TURN], cut: ASIDE },
      { name: "The log", from: [LOG] },
      { name: "The end", from: [END], cut: ASIDE },
    ],
  },
  {
    title: "A run is charged",
    legs: [
      {
        name: "By each call",
        from: ["lib/domain/execution/turn/call-model.ts"],
        cut: [...ASIDE, "lib/runtime/", "lib/engine/"],
      },
      { name: "At the end", from: [END], cut: [...ASIDE, "lib/engine/"] },
    ],
  },
  {
    title: "A run is cancelled",
    legs: [
      { name: "The verb", from: ["lib/domain/runs/cancel-run.ts"], cut: ["lib/engine/"] },
      { name: "Its runs", from: ["lib/jobs/cancel-children.ts"], cut: ["lib/engine/"] },
    ],
  },
  {
    title: "A run that waits for a person is resumed",
    legs: [
      {
        name: "The decision",
        from: ["lib/domain/approvals/resolve-approval.ts"],
        cut: ["lib/engine/embedded/", "lib/engine/server/"],
      },
      {
        name: "The call",
        from: ["lib/domain/execution/tools/call-tool.ts"],
        cut: [
          ...ASIDE,
          "lib/engine/",
          "lib/domain/runs/",
          "lib/domain/agents/",
          "lib/domain/builds/",
          "lib/runtime/",
        ],
      },
    ],
  },
  {
    title: "`PATCH` of an agent, behind the surface",
    legs: [
      {
        name: "The verb",
        from: ["lib/domain/agents/update-agent.ts"],
        // Which models there are is asked of each provider; how each is called is another journey.
        cut: ["lib/runtime/tools/", "lib/runtime/models/providers/"],
      },
    ],
  },
];

/**
 * @param {string} root
 * @param {Journey} journey
 * @returns {Promise<{ name: string, files: string[] }[]>} each leg with its files in order of their
 * names
 */
export async function filesOf(root, { legs }) {
  const starts = legs.flatMap(({ from }) => from);
  const seen = new Set();
  const found = [];
  for (const { name, from, cut = [] } of legs) {
    const others = starts.filter((start) => !from.includes(start));
    const imported = await importsOf(root, from, [...GROUND, ...cut, ...others]);
    const files = [...imported, ...functionsOf(root, imported)];
    found.push({ name, files: files.filter((file) => !seen.has(file)).sort() });
    for (const file of files) seen.add(file);
  }
  return found;
}

const FUNCTIONS = "prisma/functions";

/**
 * The functions of the database that sources call by `callSql`, and those that these call.
 * @param {string} root
 * @param {string[]} files
 */
function functionsOf(root, files) {
  const folder = join(root, FUNCTIONS);
  if (!existsSync(folder)) return [];
  const texts = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".sql"))
      .map((name) => [name.slice(0, -4), readFileSync(join(folder, name), "utf8")]),
  );
  const called = files
    .map((file) => readFileSync(join(root, file), "utf8"))
    .filter((text) => text.includes("callSql("))
    .flatMap((text) => [...text.matchAll(/"([a-z_]+)"/g)].map(([, name = ""]) => name))
    .filter((name) => texts.has(name));
  const reached = new Set(called);
  for (const name of reached)
    for (const [, other = ""] of (texts.get(name) ?? "").matchAll(/\b([a-z_]+)\(/g))
      if (texts.has(other)) reached.add(other);
  return [...reached].map((name) => `${FUNCTIONS}/${name}.sql`);
}

/**
 * @param {string} root
 * @param {string[]} from
 * @param {string[]} cut
 */
async function importsOf(root, from, cut) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: from,
    outdir: ".",
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
    tsconfig: "tsconfig.json",
    plugins: [cutAt(root, cut)],
  });
  return Object.keys(metafile.inputs);
}

/**
 * @param {string} root
 * @param {string[]} cut
 * @returns {import("esbuild").Plugin}
 */
function cutAt(root, cut) {
  const resolving = Symbol("resolving");
  return {
    name: "cut",
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[@.]/ }, async ({ path, pluginData, kind, ...place }) => {
        if (pluginData === resolving || kind === "entry-point") return undefined;
        const { importer, resolveDir } = place;
        const options = { importer, resolveDir, kind, pluginData: resolving };
        const found = await resolve(path, options);
        if (found.errors.length > 0 || found.external) return { path, external: true };
        const file = found.path
          .slice(root.length)
          .replace(/^[\\/]/, "")
          .replaceAll("\\", "/");
        const isCut = file.includes("node_modules/") || cut.some((start) => file.startsWith(start));
        return isCut ? { path, external: true } : { path: found.path };
      });
    },
  };
}

const WIDTH = 100;
const HEAD = `# Journeys

What one opens to follow a request, in the order in which it comes by. A file stands in the first
leg that comes to it; what all of them stand on (\`lib/model\`, \`lib/platform\`, the \
database's client)
is left out. Written by \`npm run task -- docs:journeys\` from the imports of the files where \
each leg
starts and the functions of the database that those call, so a run that takes another way changes
this page: where the legs begin and what they leave aside stands in \`scripts/checks/journeys.mjs\`.
`;

/**
 * The page of all journeys, Markdown.
 * @param {string} root
 */
export async function journeysPage(root) {
  const parts = [HEAD];
  for (const journey of JOURNEYS) {
    const legs = await filesOf(root, journey);
    const count = legs.reduce((sum, { files }) => sum + files.length, 0);
    parts.push(`## ${journey.title}\n\n${count} files.\n\n${legs.map(legText).join("")}`);
  }
  return parts.join("\n");
}

/** @param {{ name: string, files: string[] }} leg */
function legText({ name, files }) {
  /** @type {Map<string, string[]>} */
  const folders = new Map();
  for (const file of files) {
    const folder = posix.dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), posix.basename(file)]);
  }
  const lines = [...folders].map(([folder, names]) =>
    wrapped(`  - \`${folder}\`: ${names.join(", ")}`),
  );
  return `- ${name} (${files.length})\n${lines.join("")}`;
}

/**
 * @param {string} text
 */
function wrapped(text) {
  let line = "";
  const lines = [];
  for (const word of text.trim().split(" ")) {
    if (line && `    ${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return `  ${[...lines, line].join("\n    ")}\n`;
}
