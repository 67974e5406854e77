// The import table of docs/architecture.md, one line a row: what each layer may import of ours.
// Nothing else of ours is allowed to it.
const ENV = "^lib/(env|service)\\.ts$";
const TABLE = [
  ["lib/model", []],
  ["lib/platform", ["lib/model"]],
  ["lib/storage", ["lib/model", "lib/platform"]],
  ["lib/engine", ["lib/model", "lib/platform"]],
  ["lib/templates", ["lib/model"]],
  ["lib/offline-model", ["lib/model", "lib/templates"]],
  ["lib/runtime", ["lib/model", "lib/platform", "lib/offline-model/offline-model\\.ts"]],
  [
    "lib/domain",
    ["lib/model", "lib/platform", "lib/storage", "lib/engine", "lib/runtime", "lib/templates"],
  ],
  ["lib/api", ["lib/model", "lib/platform", "lib/domain", "lib/templates"]],
  ["lib/server", ["lib/model", "lib/platform", "lib/api"]],
  ["lib/client", []],
  ["clients", ["lib/client/lathe-client\\.ts", "scripts/setup/on-supported-node\\.mjs"]],
  ["lib/console", ["lib/model", "lib/client"]],
  ["lib/jobs", ["lib/model", "lib/platform", "lib/engine", "lib/domain"]],
  [
    "lib/admin",
    // The body of a run's webhook, which a run that a command ends has too.
    ["lib/model", "lib/platform", "lib/domain", "lib/api/schemas/run-webhook\\.ts"],
  ],
  ["components", ["lib/model"]],
  ["app/(v1|api/v1|api/console)", ["lib/api", "lib/domain"]],
  ["app/mcp", ["lib/api"]],
  ["app/api/inngest", ["lib/jobs", "lib/engine", "lib/api"]],
  [
    "app/\\(console\\)",
    ["components", "lib/console", "lib/client", "lib/model", "lib/domain", "lib/api/console"],
  ],
  ["e2e", ["lib/client"]],
];
/**
 * The nouns within a layer, from those that know no other one upwards: a noun imports what stands
 * in the lines before its own, never its neighbours in the line nor what comes after. So there is
 * no circle between folders, and a new folder has a place to be written down.
 */
const NOUNS = {
  "lib/domain": [
    ["apps", "audit", "conversations", "limits", "mail", "metrics", "models", "templates"],
    ["end-users"],
    ["approvals", "blobs", "credits", "datasets", "keys", "notifications", "secrets", "sessions"],
    ["account", "agents", "connections", "retention", "skills"],
    ["artifacts", "client-tokens", "memories", "workspaces"],
    ["files", "webhooks"],
    ["runs"],
    ["admin", "deletion", "events", "execution", "schedules"],
    ["backup", "builds"],
    ["super-agent"],
  ],
  "lib/api": [
    ["http"],
    ["artifacts", "engine", "mcp", "schemas"],
    ["apps", "openapi"],
    ["v1"],
    ["console"],
  ],
  "lib/runtime": [
    ["prompts", "sandbox", "skills"],
    ["documents", "drafts", "makers", "python"],
    ["text-work"],
    ["models"],
    ["tools"],
  ],
};
// The browser reads these; a server's environment has no place in them.
const WITHOUT_ENV = new Set([
  "lib/model",
  "lib/offline-model",
  "lib/client",
  "lib/console",
  "components",
  "e2e",
  "clients",
]);
// Tests, and the folders of what only tests use.
const TESTS = "(\\.test\\.(ts|tsx|mjs)$|^lib/[^/]+/test/)";
// Modules of Node.js are resolved to their bare names.
const NODE_MODULE = "^[a-z0-9_/:]+$";

const rows = TABLE.map(([layer, allowed]) => ({
  name: `imports-of-${layer.replace(/[^a-z0-9]+/gi, "-")}`,
  severity: "error",
  from: { path: `^${layer}/`, pathNot: TESTS },
  to: {
    path: "^(app|clients|components|lib|e2e|prisma|scripts|bench)/",
    pathNot: [
      `^${layer}/`,
      ...allowed.map((target) => `^${target}(/|$)`),
      ...(WITHOUT_ENV.has(layer) ? [] : [ENV]),
    ],
  },
}));

const nouns = Object.entries(NOUNS).flatMap(([layer, lines]) => [
  ...lines.flatMap((line, index) =>
    line.map((noun) => ({
      name: `nouns-of-${layer.replace("/", "-")}-${noun}`,
      severity: "error",
      from: { path: `^${layer}/${noun}/`, pathNot: TESTS },
      to: {
        path: `^${layer}/(${lines.slice(index).flat().join("|")})/`,
        pathNot: [`^${layer}/${noun}/`, TESTS],
      },
    })),
  ),
  {
    name: `nouns-of-${layer.replace("/", "-")}-unlisted`,
    severity: "error",
    from: {
      path: `^${layer}/[^/]+/`,
      pathNot: [`^${layer}/(${["test", ...lines.flat()].join("|")})/`],
    },
    to: {},
  },
]);

/** Only `folders` may import what matches `packages`. */
const only = (name, folders, packages) => ({
  name,
  severity: "error",
  from: {
    path: "^(app|components|lib)/",
    pathNot: [TESTS, ...folders.map((folder) => `^${folder}/`)],
  },
  to: { path: packages },
});

module.exports = {
  forbidden: [
    ...rows,
    ...nouns,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "resolvable",
      severity: "error",
      from: { path: "^(app|clients|components|lib|e2e)/" },
      to: { couldNotResolve: true, pathNot: "^(server-only|vitest)$" },
    },
    {
      name: "client-stands-alone",
      severity: "error",
      from: { path: "^lib/client/", pathNot: TESTS },
      // It is copied into other projects, and runs where there is no Node.js.
      to: {
        path: ["(^|/)node_modules/", NODE_MODULE],
        pathNot: "(^|/)node_modules/(openapi-fetch|react|@types/react)/",
      },
    },
    {
      name: "react-in-its-entry",
      severity: "error",
      // The rest of it is for pages and servers that have no React.
      from: { path: "^lib/client/", pathNot: [TESTS, "^lib/client/react\\.ts$"] },
      to: { path: "(^|/)node_modules/(react|@types/react)/" },
    },
    only(
      "prisma-in-storage-and-domain",
      ["lib/storage", "lib/domain"],
      "(^|/)(node_modules/(@prisma|prisma)/|lib/storage/generated/)",
    ),
    // How it drives functions is nobody's business; the rest dispatches events.
    only("embedded-in-engine-and-jobs", ["lib/engine", "lib/jobs"], "^lib/engine/embedded/"),
    // Its own prefetches whatever is in view, about twenty requests a page.
    only("links-fetch-on-intent", ["components/ui"], "(^|/)node_modules/next/link"),
    only(
      "ai-sdk-in-runtime",
      ["lib/runtime", "lib/offline-model"],
      "(^|/)node_modules/(ai|@ai-sdk)/",
    ),
    {
      name: "e2e-is-a-black-box",
      severity: "error",
      from: { path: "^e2e/" },
      // The client is what an integrator has, and its entry is all of it that is promised.
      to: {
        path: "^(app|components|lib)/",
        pathNot: "^lib/client/(lathe-client|browser|react|schemas|openapi-types)\\.ts$",
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(lib/storage/generated/.*/|\\.next|\\.cache)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
    cache: false,
  },
};
