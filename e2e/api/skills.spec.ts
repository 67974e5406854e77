import { type Zippable, zipSync } from "fflate";
import type { ApiClient } from "../support/api-client";
import { brokenBodies, expectError } from "../support/expect-answers";
import { toolResultOf } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_IDS } from "../support/unknown-ids";

const LIMIT_BYTES = 262_144;
let counter = 0;
/** A name that no other test of this worker uses. */
const newName = () => `skill-${process.pid}-${Date.now()}-${++counter}`;
const skillText = (name: string, body = "Do it with care.") =>
  `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n${body}\n`;
const bytes = (text: string) => new TextEncoder().encode(text);

function upload(api: ApiClient, files: Zippable | Uint8Array, query?: Record<string, string>) {
  const form = new FormData();
  const zip = files instanceof Uint8Array ? files : zipSync(files, { level: 0 });
  form.append("file", new Blob([new Uint8Array(zip)], { type: "application/zip" }), "skill.zip");
  return api.post("/v1/skills", undefined, { raw: form, query });
}

test("a skill is installed from its text, listed without it, fetched with it, and deleted", async ({
  api,
}) => {
  const name = newName();
  const content = skillText(name, "Ünïcode 🌍");
  const installed = await api.post("/v1/skills", { content });
  expect(installed.status).toBe(201);
  const skill = installed.as("Skill");
  expect(skill).toMatchObject({
    name,
    description: `Does ${name}.`,
    source: "custom",
    enabled: true,
    version: 1,
  });
  const page = await api.get("/v1/skills", { query: { limit: 100 } });
  expect(page.as("SkillPage").data).toContainEqual(skill);
  expect(page.text).not.toContain("Ünïcode");
  expect((await api.get(`/v1/skills/${skill.skill_id}`)).as("SkillDetail")).toMatchObject({
    ...skill,
    content,
  });
  expect((await api.delete(`/v1/skills/${skill.skill_id}`)).status).toBe(204);
  expectError(await api.get(`/v1/skills/${skill.skill_id}`), 404, "SKILL_NOT_FOUND");
  expectError(await api.delete(`/v1/skills/${skill.skill_id}`), 404, "SKILL_NOT_FOUND");
});

test("a zip brings more files, at its root or in its one folder", async ({ api }) => {
  for (const folder of ["", "my-skill/"]) {
    const name = newName();
    const answer = await upload(api, {
      [`${folder}SKILL.md`]: bytes(skillText(name)),
      [`${folder}refs/a.csv`]: bytes("a,b\n"),
    });
    expect(answer.status).toBe(201);
    const { skill_id } = answer.as("Skill");
    expect((await api.get(`/v1/skills/${skill_id}`)).as("SkillDetail")).toMatchObject({
      name,
      files: [{ path: "refs/a.csv", size_bytes: 4 }],
    });
  }
});

test("a taken name answers 409; replace=true makes it the next version under the same id", async ({
  api,
}) => {
  const name = newName();
  const skill = (await api.post("/v1/skills", { content: skillText(name) })).as("Skill");
  expectError(await api.post("/v1/skills", { content: skillText(name, "Else.") }), 409, "CONFLICT");
  expectError(
    await api.post(
      "/v1/skills",
      { content: skillText(name, "Else.") },
      { query: { replace: "false" } },
    ),
    409,
    "CONFLICT",
  );
  expectError(
    await api.post("/v1/skills", { content: skillText(name) }, { query: { replace: "perhaps" } }),
    400,
    "INVALID_INPUT",
    "replace",
  );
  const replaced = await upload(
    api,
    { "SKILL.md": bytes(skillText(name, "Else.")) },
    { replace: "true" },
  );
  expect(replaced.status).toBe(201);
  expect(replaced.as("Skill")).toMatchObject({
    skill_id: skill.skill_id,
    version: 2,
    created_at: skill.created_at,
  });
  expect((await api.get(`/v1/skills/${skill.skill_id}`)).as("SkillDetail").content).toContain(
    "Else.",
  );
});

test("a skill is disabled and enabled, each twice without harm", async ({ api }) => {
  const { skill_id } = (await api.post("/v1/skills", { content: skillText(newName()) })).as(
    "Skill",
  );
  for (const [action, enabled] of [
    ["disable", false],
    ["disable", false],
    ["enable", true],
    ["enable", true],
  ] as const) {
    const answer = await api.post(`/v1/skills/${skill_id}/${action}`);
    expect([answer.status, answer.as("Skill").enabled]).toEqual([200, enabled]);
  }
});

test("built-in skills are listed and read, and can be not disabled, deleted or replaced", async ({
  api,
}) => {
  const builtIns = (await api.get("/v1/skills", { query: { limit: 100 } }))
    .as("SkillPage")
    .data.filter(({ source }) => source === "built_in");
  expect(builtIns.length).toBeGreaterThan(0);
  for (const { skill_id, name, enabled } of builtIns) {
    expect(enabled).toBe(true);
    expect((await api.get(`/v1/skills/${skill_id}`)).as("SkillDetail").content).toContain(
      `name: ${name}`,
    );
    expectError(await api.post(`/v1/skills/${skill_id}/disable`), 409, "CONFLICT");
    expectError(await api.delete(`/v1/skills/${skill_id}`), 409, "CONFLICT");
    expectError(
      await api.post("/v1/skills", { content: skillText(name) }, { query: { replace: "true" } }),
      409,
      "CONFLICT",
    );
    expect((await api.post(`/v1/skills/${skill_id}/enable`)).as("Skill").enabled).toBe(true);
  }
});

test("a text has 262,144 bytes at most, of more than one a character too", async ({ api }) => {
  const filled = (unit: string, size: number) => {
    const head = skillText(newName(), "");
    const room = size - bytes(head).length;
    return (
      head +
      unit.repeat(Math.floor(room / bytes(unit).length)) +
      "x".repeat(room % bytes(unit).length)
    );
  };
  for (const unit of ["x", "é", "🌍"]) {
    expect((await api.post("/v1/skills", { content: filled(unit, LIMIT_BYTES) })).status).toBe(201);
    expectError(
      await api.post("/v1/skills", { content: filled(unit, LIMIT_BYTES + 1) }),
      400,
      "INVALID_INPUT",
      "content",
    );
  }
});

for (const [what, content] of [
  ["no frontmatter", "# Only text"],
  ["no name", "---\ndescription: x\n---\n"],
  ["no description", "---\nname: a\n---\n"],
  ["a name with capitals", "---\nname: Bad\ndescription: x\n---\n"],
  ["a name of 65 characters", `---\nname: ${"a".repeat(65)}\ndescription: x\n---\n`],
  ["a description of 1,025 characters", `---\nname: a\ndescription: ${"x".repeat(1_025)}\n---\n`],
  ["deep YAML", `---\nname: a\ndescription: ${"[".repeat(5_000)}\n---\n`],
  ["nothing", ""],
  ["a number", 7],
] as const) {
  test(`a skill of ${what} is refused`, async ({ api }) => {
    expectError(await api.post("/v1/skills", { content }), 400, "INVALID_INPUT", "content");
  });
}

for (const { name, options, status, code } of brokenBodies(
  { content: skillText("never-stored") },
  "content",
)) {
  test(`POST /v1/skills refuses ${name}`, async ({ api }) => {
    expectError(await api.post("/v1/skills", undefined, options), status, code);
  });
}

test("a zip that is none, climbs out, links, or lacks SKILL.md stores nothing", async ({ api }) => {
  const name = newName();
  const good = { "SKILL.md": bytes(skillText(name)) };
  const bad: (Zippable | Uint8Array)[] = [
    bytes("no zip at all"),
    { "README.md": bytes("x") },
    { ...good, "../x": bytes("x") },
    { ...good, "a/x": bytes("x"), "a/X": bytes("x") },
    { ...good, link: [bytes("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] },
    { "SKILL.md": new Uint8Array([0xff, 0xfe, 0x00]) },
  ];
  for (const files of bad) expectError(await upload(api, files), 400, "INVALID_INPUT", "file");
  expect((await upload(api, good)).status).toBe(201);
});

test("a zip has 5 MiB packed, 20 MiB unpacked and 200 files at most", async ({ api }) => {
  const files = (count: number): Zippable => ({
    "SKILL.md": bytes(skillText(newName())),
    ...Object.fromEntries(
      Array.from({ length: count - 1 }, (_, index) => [`f${index}`, bytes("x")]),
    ),
  });
  expect((await upload(api, files(200))).status).toBe(201);
  expectError(await upload(api, files(201)), 400, "INVALID_INPUT", "file");
  const packed = (size: number) => {
    const overhead = zipSync(
      { "SKILL.md": bytes(skillText("skill-0")), pad: new Uint8Array() },
      { level: 0 },
    ).length;
    return zipSync(
      { "SKILL.md": bytes(skillText("skill-0")), pad: new Uint8Array(size - overhead) },
      { level: 0 },
    );
  };
  expect(packed(5 * 1024 * 1024)).toHaveLength(5 * 1024 * 1024);
  expect((await upload(api, packed(5 * 1024 * 1024), { replace: "true" })).status).toBe(201);
  expectError(
    await upload(api, packed(5 * 1024 * 1024 + 1), { replace: "true" }),
    413,
    "PAYLOAD_TOO_LARGE",
  );
  const bomb = zipSync({
    "SKILL.md": bytes(skillText(newName())),
    zeros: new Uint8Array(20 * 1024 * 1024),
  });
  expectError(await upload(api, bomb), 413, "PAYLOAD_TOO_LARGE");
});

test("a form has one file, in the field file", async ({ api }) => {
  const zip = new Uint8Array(zipSync({ "SKILL.md": bytes(skillText(newName())) }));
  const form = (...fields: [string, string | Blob][]) => {
    const made = new FormData();
    for (const [field, value] of fields) made.append(field, value);
    return made;
  };
  const part = () => new Blob([zip]);
  for (const raw of [
    form(["other", part()]),
    form(["file", part()], ["file", part()]),
    form(["content", "x"]),
    form(["file", part()], ["path", "x"]),
  ])
    expect((await api.post("/v1/skills", undefined, { raw })).status).toBe(400);
});

test("ids are 400 when malformed and 404 when unknown", async ({ api }) => {
  for (const [method, suffix] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/enable"],
    ["POST", "/disable"],
  ] as const) {
    for (const id of MALFORMED_IDS)
      expectError(
        await api.request(method, `/v1/skills/${id}${suffix}`),
        400,
        "INVALID_INPUT",
        "skill_id",
      );
    for (const id of UNKNOWN_IDS)
      expectError(await api.request(method, `/v1/skills/${id}${suffix}`), 404, "SKILL_NOT_FOUND");
  }
  for (const query of [{ limit: "0" }, { limit: "101" }, { cursor: "nonsense" }])
    expectError(
      await api.get("/v1/skills", { query }),
      400,
      "INVALID_INPUT",
      Object.keys(query)[0],
    );
});

test("another account's skill answers as a missing one does, and is left alone", async ({
  api,
  stranger,
}) => {
  const { skill_id } = (
    await stranger.api.post("/v1/skills", { content: skillText(newName()) })
  ).as("Skill");
  for (const [method, suffix] of [
    ["GET", ""],
    ["POST", "/disable"],
    ["POST", "/enable"],
    ["DELETE", ""],
  ] as const) {
    const foreign = await api.request(method, `/v1/skills/${skill_id}${suffix}`);
    const absent = await api.request(method, `/v1/skills/${UNKNOWN_IDS[0]}${suffix}`);
    expect([foreign.status, foreign.text]).toEqual([absent.status, absent.text]);
  }
  expect((await stranger.api.get(`/v1/skills/${skill_id}`)).as("Skill").enabled).toBe(true);
});

test("a run is told of the account's enabled skills and built-in ones, and reads one", async ({
  newAccount,
  script,
}) => {
  const { api } = await newAccount({ credits: 1_000 });
  const [on, off] = [newName(), newName()];
  await upload(api, {
    "SKILL.md": bytes(skillText(on, "The secret of tea is patience.")),
    "refs/tea.txt": bytes("Darjeeling, 3 minutes"),
  });
  const { skill_id } = (await api.post("/v1/skills", { content: skillText(off) })).as("Skill");
  await api.post(`/v1/skills/${skill_id}/disable`);
  const one = await script(
    {
      tool_calls: [
        { name: "read_skill", args: { name: on } },
        { name: "read_skill", args: { name: on, path: "refs/tea.txt" } },
        { name: "read_skill", args: { name: off } },
      ],
    },
    { text: "Done." },
  );
  expect(
    (await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id)).status,
  ).toBe("completed");
  const [first, second] = await one.calls();
  const system = JSON.stringify(first?.body.messages[0]);
  expect(system).toContain(`${on}: Does ${on}.`);
  expect(system).toContain("csv-analysis");
  expect(system).not.toContain(off);
  expect(system).not.toContain("patience");
  const results = second?.body.messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.stringify(content));
  expect(results).toEqual([
    expect.stringContaining("patience"),
    expect.stringContaining("Darjeeling"),
    expect.stringContaining("There is no skill"),
  ]);
});

test("scripts beside a skill run in the sandbox, and not where it may read no skills", async ({
  api,
  newAgent,
  script,
}) => {
  const name = newName();
  const files = {
    "SKILL.md": bytes(skillText(name, "Run scripts/sum.py on the table.")),
    "scripts/sum.py": bytes(
      "import csv, sys\nfrom shared import to_number\n" +
        "print('sum', sum(to_number(r['y']) for r in csv.DictReader(open(sys.argv[1]))))",
    ),
    "scripts/shared.py": bytes("to_number = int"),
    "scripts/double.js": bytes("(number) => number * 2"),
  };
  expect((await upload(api, files)).status).toBe(201);
  const python = {
    name: "run_python",
    args: {
      files: [`skill:${name}`, "run:t.csv"],
      code: `run_script("${name}/scripts/sum.py", "t.csv")`,
    },
  };
  const javascript = {
    name: "run_javascript",
    args: { code: `return eval(files["skill:${name}/scripts/double.js"])(21)` },
  };
  const builtin = ["run_python", "run_javascript", "files_write"];
  const runOf = async (permissions: object) => {
    const agent = await newAgent({ config: { tools: { builtin }, permissions } });
    const one = await script(
      { tool_calls: [{ name: "files_write", args: { path: "run:t.csv", content: "y\n3\n4\n" } }] },
      { tool_calls: [python] },
      { tool_calls: [javascript] },
      { text: "Done." },
    );
    const { run_id } = await startRun(api, {
      agent_id: agent.agent_id,
      input: { text: one.mark },
    });
    expect((await waitForRun(api, run_id)).status).toBe("completed");
    const told = (await one.calls()).slice(2).map(toolResultOf);
    const kept = (await api.get(`/v1/runs/${run_id}/files`)).as("RunFilePage").data;
    return { told, kept: kept.map(({ path }) => path) };
  };
  const { told, kept } = await runOf({});
  expect(told[0]).toContain("sum 7");
  expect(told[1]).toContain("42");
  expect(kept).toEqual(["t.csv"]);
  const denied = await runOf({ deny: ["read_skill"] });
  expect(denied.told[0]).toContain("There is no skill");
  expect(denied.told[1]).not.toContain("42");
});
