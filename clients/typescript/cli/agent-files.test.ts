import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AgentFolder, changedFields, readAgentFields } from "./agent-files";
import { replaceFile } from "./write-file";

let place: string;
let folder: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "agent-files-"));
  folder = join(place, "repo/agents");
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const AGENT_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const AGENT = { agent_id: AGENT_ID, current_version_id: "01890a5d-ac96-774b-bcce-b302099a8058" };

function writeIndex(name: string, entry: object = {}): void {
  const whole = {
    agent_id: AGENT_ID,
    version_id: AGENT.current_version_id,
    sha256: "0".repeat(64),
    ...entry,
  };
  writeFileSync(join(folder, ".lathe.json"), JSON.stringify({ agents: { [name]: whole } }));
}

test.each([
  "../../pwned.yaml",
  "../pwned.yaml",
  "sub/pwned.yaml",
  "/tmp/pwned.yaml",
  "..\\pwned.yaml",
  "C:pwned.yaml",
  "pwned.sh",
  ".lathe.json",
  ".yaml",
  "..",
  "",
  "a\u001b[2J.yaml",
  "a\u0000.yaml",
])(
  "an index that names %j is refused as a whole: nothing is read or written by its names",
  (name) => {
    writeIndex(name);
    expect(() => new AgentFolder(folder)).toThrow(".lathe.json");
    expect(() => replaceFile(join(folder, "kept.yaml"), "x")).not.toThrow();
    expect(
      readdirSync(place, { recursive: true }).filter((path) => String(path).includes("pwned")),
    ).toEqual([]);
  },
);

test.each([
  { agent_id: "../account/usage" },
  { agent_id: 7 },
  { version_id: null },
  { sha256: {} },
])("an index whose entry says %j is refused: an id goes into addresses", (entry) => {
  writeIndex("a.yaml", entry);
  expect(() => new AgentFolder(folder)).toThrow(".lathe.json");
});

test("an index that is no object of agents is refused in one sentence", () => {
  for (const text of [
    "[]",
    "null",
    '{"agents":[]}',
    '{"agents":null}',
    '{"agents":{"a.yaml":null}}',
    "{",
  ]) {
    writeFileSync(join(folder, ".lathe.json"), text);
    expect(() => new AgentFolder(folder)).toThrow("cannot be read");
  }
});

test("names that are files of the folder are taken as before, whatever letters they have", () => {
  for (const name of ["a.yaml", "b.yml", "Bericht (alt) ü.yaml", "a..b.yaml", "notes:b.yaml"]) {
    writeIndex(name);
    expect(new AgentFolder(folder).fileOf(AGENT_ID)).toBe(name);
  }
});

test("no link is followed: a file's, the index's, its draft's or one that leads nowhere", () => {
  const outside = join(place, "outside.txt");
  writeFileSync(outside, "theirs");
  for (const target of [outside, join(place, "missing.txt")]) {
    symlinkSync(target, join(folder, "linked.yaml"));
    const agents = new AgentFolder(folder);
    expect(() => agents.write("linked.yaml", "x")).toThrow("is a link");
    expect(() => agents.read("linked.yaml")).toThrow("is a link");
    expect(() => agents.isChangedHere("linked.yaml")).toThrow("is a link");
    expect(agents.freeName("linked")).toBe("linked-2.yaml");
    rmSync(join(folder, "linked.yaml"));
  }
  symlinkSync(outside, join(folder, ".lathe.json.part"));
  const agents = new AgentFolder(folder);
  agents.write("a.yaml", "mine");
  agents.remember("a.yaml", AGENT);
  rmSync(join(folder, ".lathe.json"));
  symlinkSync(outside, join(folder, ".lathe.json"));
  expect(() => agents.remember("a.yaml", AGENT)).toThrow("is a link");
  expect(() => new AgentFolder(folder)).toThrow("is a link");
  expect(readFileSync(outside, "utf8")).toBe("theirs");
  expect(existsSync(join(place, "missing.txt"))).toBe(false);
});

test("a folder that is a link, or lies behind one in the clone, is refused", () => {
  const elsewhere = join(place, "elsewhere");
  mkdirSync(join(elsewhere, "agents"), { recursive: true });
  symlinkSync(elsewhere, join(place, "repo/linked"));
  const before = process.cwd();
  process.chdir(join(place, "repo"));
  try {
    for (const path of [
      "linked",
      "linked/",
      "./linked",
      "linked/agents",
      join(place, "repo/linked"),
      "linked/new",
    ])
      expect(() => new AgentFolder(path).write("a.yaml", "x"), path).toThrow("is a link");
    new AgentFolder("agents").write("a.yaml", "x");
    new AgentFolder("made/anew").write("a.yaml", "x");
    new AgentFolder(join(elsewhere, "agents")).write("b.yaml", "x");
  } finally {
    process.chdir(before);
  }
  expect(readdirSync(elsewhere, { recursive: true }).sort()).toEqual(["agents", "agents/b.yaml"]);
});

test("a file made of an agent's name stays in the folder, no longer than these take", () => {
  const agents = new AgentFolder(folder);
  for (const title of [
    "../../pwned",
    "..",
    "/etc/passwd",
    "a\u0000b",
    ".lathe.json",
    "CON",
    "x".repeat(255),
    "ж".repeat(255),
  ]) {
    const name = agents.freeName(title);
    agents.write(name, "x");
    expect(readdirSync(folder)).toContain(name);
  }
});

test("a replaced file is its user's alone, whatever its mode was, and leaves no draft", () => {
  const file = join(folder, "config.json");
  writeFileSync(file, "old", { mode: 0o644 });
  const { ino } = statSync(file);
  replaceFile(file, "new", 0o600);
  // Another file: whoever had the old one open never sees the key.
  expect([
    readFileSync(file, "utf8"),
    lstatSync(file).mode & 0o777,
    lstatSync(file).ino === ino,
  ]).toEqual(["new", 0o600, false]);
  expect(readdirSync(folder)).toEqual(["config.json"]);
  mkdirSync(join(folder, "taken"));
  expect(() => replaceFile(join(folder, "taken"), "x")).toThrow("no file");
  expect(readdirSync(folder).sort()).toEqual(["config.json", "taken"]);
});

test("of a document's cases those are pushed that the agent lacks, in any order of keys", () => {
  const head = "kind: agent\nname: A\nskill_content: S\n";
  const fields = (cases: string) => readAgentFields(`${head}${cases}`, "a.yaml");
  const there = fields(
    "cases: [{name: A, input: {b: 1, a: {d: 1, c: 2}}, checks: [{type: contains, value: x}]}]\n",
  );
  const same =
    "{checks: [{value: x, type: contains}], answers: {}, input: {a: {c: 2, d: 1}, b: 1}, name: A}";
  expect(changedFields(fields(`cases: [${same}]\n`), there)).toEqual({});
  expect(changedFields(fields(""), there)).toEqual({});
  const other = "{name: B, input: {}, checks: [{type: equals, value: 1}]}";
  expect(changedFields(fields(`cases: [${same}, ${other}]\n`), there)).toMatchObject({
    cases: [{ name: "B" }],
  });
  expect(changedFields(fields(`cases: [${same.replace("c: 2", "c: 3")}]\n`), there)).toMatchObject({
    cases: [{ name: "A" }],
  });
});
