import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { filesOf, JOURNEYS, journeysPage } from "./journeys.mjs";
import { repositoryFiles } from "./repository-files.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");

test("every file that the architecture names is there", () => {
  const named = [...text.matchAll(/`((?:app|lib|components)\/[^`*{<]+\.(?:ts|tsx|mjs))`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

/** Names of files that documents say nobody is to use. */
const FORBIDDEN = ["types.ts"];

test("every file that a document names without its folder is there, too", () => {
  const files = new Set([...repositoryFiles(ROOT).map((file) => basename(file)), ...FORBIDDEN]);
  // Decisions and the changelog tell of what was.
  const documents = repositoryFiles(ROOT, ["*.md"]).filter(
    (file) => !/decisions\/|CHANGELOG/.test(file),
  );
  const gone = documents.flatMap((document) =>
    [
      ...readFileSync(join(ROOT, document), "utf8").matchAll(
        /`([\w./[\]()-]+\.(?:tsx?|mjs|cjs|sql|prisma))`/g,
      ),
    ]
      .filter(([, name = ""]) => !files.has(basename(name)))
      .map(([, name]) => `${document}: ${name}`),
  );
  expect(gone).toEqual([]);
});

test("every decision says when it was made and what has become of it", () => {
  const folder = join(ROOT, "docs/decisions");
  const without = readdirSync(folder).filter(
    (file) =>
      !/^# .+\n\nDate: \d{4}-\d\d-\d\d\nState: \S/.test(readFileSync(join(folder, file), "utf8")),
  );
  expect(without).toEqual([]);
});

test("what the architecture says happens in a file is exported there", () => {
  const table = text.slice(text.indexOf("## Where it happens"), text.indexOf("## A request"));
  const places = [...table.matchAll(/`([\w-]+)` in `([^`]+)`/g)];
  expect(places.length).toBeGreaterThanOrEqual(10);
  for (const [, name, path] of places) {
    const source = readFileSync(join(ROOT, path ?? ""), "utf8");
    expect
      .soft(source, `${name} in ${path}`)
      .toMatch(
        path?.endsWith(".sql")
          ? (name ?? "")
          : new RegExp(`export (?:async )?(?:function|const) ${name}\\b`),
      );
  }
});

test("the journeys are those of today's imports (npm run task -- docs:journeys)", async () => {
  expect(readFileSync(join(ROOT, "docs/journeys.md"), "utf8")).toBe(await journeysPage(ROOT));
});

test("each leg of a journey has files of its own, and begins with one of them", async () => {
  for (const journey of JOURNEYS)
    for (const [index, { name, files }] of (await filesOf(ROOT, journey)).entries())
      expect(files, `${journey.title}: ${name}`).toEqual(
        expect.arrayContaining(journey.legs[index]?.from ?? []),
      );
});

test("what the database decides of a run is on its journey, down to called functions", async () => {
  const accepting = {
    name: "accepting",
    from: ["lib/domain/runs/accept-run.ts"],
    cut: ["lib/engine/"],
  };
  const [leg] = await filesOf(ROOT, { title: "one statement", legs: [accepting] });
  for (const name of ["accept_run", "counted_rows", "engine_send"])
    expect(leg?.files).toContain(`prisma/functions/${name}.sql`);
  expect(leg?.files).not.toContain("prisma/functions/engine_bury.sql");
});

test("what imports types alone is on no journey", async () => {
  const socket = { name: "socket", from: ["lib/server/mount-listener.ts"], cut: ["lib/server/"] };
  const [leg] = await filesOf(ROOT, { title: "one file", legs: [socket] });
  expect(leg?.files).toContain("lib/server/mount-listener.ts");
  expect(leg?.files).not.toContain("lib/server/listener.ts");
});
