import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type AgentRecord, requireAgent } from "@/lib/domain/agents/agent-store";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { duplicateAgent } from "@/lib/domain/agents/duplicate-agent";
import { exportAgent } from "@/lib/domain/agents/export-agent";
import { getAgentVersion } from "@/lib/domain/agents/get-agent-version";
import { importAgent } from "@/lib/domain/agents/import-agent";
import { listAgentVersions } from "@/lib/domain/agents/list-agent-versions";
import { restoreAgentVersion } from "@/lib/domain/agents/restore-agent-version";
import { listRunnableAgents } from "@/lib/domain/agents/runnable-agents";
import { type AgentChangeRequest, updateAgent } from "@/lib/domain/agents/update-agent";
import { getAgentEdit, listAgentEdits } from "@/lib/domain/builds/agent-edits";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import type { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
let agent: AgentRecord;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
  agent = await newAgent(owner);
});
afterAll(() => database.close());

const patch = (request: AgentChangeRequest) => updateAgent(owner, agent.id, request);
const versions = async (id = agent.id) =>
  (await listAgentVersions(owner, id, { limit: 100, cursor: null })).data;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: ServiceError) => error.code,
  );
const writesLeft = async () =>
  (
    await database.pool.query("SELECT count FROM hour_buckets WHERE key = $1", [
      `write:${owner.accountId}`,
    ])
  ).rows[0]?.count ?? 0;

describe("what a patch changes", () => {
  test("each given field replaces the stored one, and the outcome is a version", async () => {
    const changed = await patch({
      name: "New",
      skillContent: "Other.",
      version: "2.0.0",
      writeAutonomy: "blocked",
      releaseNote: "why",
    });
    expect(changed).toMatchObject({
      name: "New",
      skillContent: "Other.",
      version: "2.0.0",
      writeAutonomy: "blocked",
      configContent: agent.configContent,
    });
    expect(await requireAgent(owner, agent.id)).toEqual(changed);
    const [last, first] = await versions();
    expect(last).toMatchObject({
      id: changed.currentVersionId,
      number: 2,
      version: "2.0.0",
      source: "patch",
      releaseNote: "why",
      runId: null,
    });
    expect(first).toMatchObject({ number: 1, version: "1.0.0", source: "create" });
  });

  test("version changes only when the patch says so", async () => {
    expect((await patch({ skillContent: "a" })).version).toBe("1.0.0");
    expect((await patch({ skillContent: "b", version: "1.5" })).version).toBe("1.5");
    expect((await patch({ skillContent: "c" })).version).toBe("1.5");
  });

  test("a change of nothing stores nothing, whichever way the same is said", async () => {
    const dashboardTemplate = { version: 1, title: "D", layout: [], widgets: {} };
    const before = await patch({
      dashboardTemplate,
      description: "d",
      config: { version: 1, limits: { max_steps: 3, max_credits: 5 } },
    });
    for (const same of [
      {},
      { releaseNote: "nothing" },
      {
        name: "Helper",
        description: "d",
        version: "1.0.0",
        skillContent: "Help.",
        writeAutonomy: "approval_required" as const,
      },
      { config: { limits: { max_credits: 5, max_steps: 3 }, version: 1 } },
      { configContent: before.configContent },
      { dashboardTemplate: { widgets: {}, layout: [], title: "D", version: 1 } },
    ])
      expect(await patch(same)).toEqual(before);
    expect(await versions()).toHaveLength(2);
  });

  test("null clears the description and the dashboard", async () => {
    await patch({
      dashboardTemplate: { version: 1, title: "D", layout: [], widgets: {} },
      description: "d",
    });
    expect(await patch({ dashboardTemplate: null, description: null })).toMatchObject({
      dashboardTemplate: null,
      description: null,
    });
  });
});

describe("config and config_content always say the same", () => {
  test("a text is kept as it is, comments and all, and becomes the config", async () => {
    const configContent = "# mine\nversion: 1\r\nlimits: { max_steps: 7 }   # few\n";
    expect(await patch({ configContent })).toMatchObject({
      configContent,
      config: { version: 1, limits: { max_steps: 7 } },
    });
  });

  test("a config rewrites the text and leaves the comments of what stays", async () => {
    const changed = await patch({ config: { version: 1, starters: ["Go"] } });
    expect(changed.config).toEqual({ version: 1, starters: ["Go"] });
    expect(changed.configContent).toContain("# the format");
    expect(changed.configContent).toContain("Go");
  });

  test("of both, config wins, and the text is made to say it", async () => {
    const changed = await patch({
      config: { version: 1, limits: { max_steps: 9 } },
      configContent: "version: 1\nlimits:\n  max_steps: 3 # of mine\n",
    });
    expect(changed.config).toEqual({ version: 1, limits: { max_steps: 9 } });
    expect(changed.configContent).toBe("version: 1\nlimits:\n  max_steps: 9 # of mine\n");
  });

  test.each([
    ["syntax", "version: 1\nlimits: [\n", "config_content", 3],
    ["a value", "version: 1\nlimits:\n  max_steps: 0\n", "config_content.limits.max_steps", 3],
    ["an unknown key", "version: 1\nmodle: x\n", "config_content.modle", 2],
    ["an unknown model", "version: 1\nmodel: no/such\n", "config_content.model", 2],
    ["nothing", "", "config_content", 1],
  ])(
    "a text that is wrong in %s is refused with line and column, and nothing is stored",
    async (_what, configContent, path, line) => {
      const error = await patch({ configContent, name: "Not stored" }).catch(
        (refusal: ServiceError) => refusal,
      );
      expect(error).toMatchObject({
        code: "INVALID_INPUT",
        extras: {
          details: [{ path, line, message: expect.stringMatching(/^line \d+, column \d+: /) }],
        },
      });
      expect(await requireAgent(owner, agent.id)).toEqual(agent);
    },
  );

  test("a wrong text is refused even where config would win", async () => {
    expect(await codeOf(patch({ configContent: "[", config: { version: 1 } }))).toBe(
      "INVALID_INPUT",
    );
  });

  test.each([
    [{ config: { version: 1, limits: { max_steps: 0 } } }, "config.limits.max_steps"],
    [{ config: { version: 2 } }, "config.version"],
    [{ config: { version: 1, model: "no/such" } }, "config.model"],
    [{ dashboardTemplate: { version: 1 } }, "dashboard_template.title"],
  ])("%j is refused at %s", async (request, path) => {
    const error = await patch(request).catch((refusal: ServiceError) => refusal);
    expect((error as ServiceError).extras.details?.map((detail) => detail.path)).toContain(path);
  });
});

describe("at once", () => {
  test("of ten patches that expect the same record exactly one is stored", async () => {
    const expected = agent.currentVersionId;
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        codeOf(
          updateAgent(
            owner,
            agent.id,
            { name: `n${n}` },
            (now) => now.currentVersionId === expected,
          ),
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual([
      "VERSION_CONFLICT",
      "VERSION_CONFLICT",
      "VERSION_CONFLICT",
      "VERSION_CONFLICT",
      "VERSION_CONFLICT",
      "VERSION_CONFLICT",
      "VERSION_CONFLICT",
      "VERSION_CONFLICT",
      "VERSION_CONFLICT",
      "done",
    ]);
    expect(await versions()).toHaveLength(2);
  });

  test("patches of different fields all hold, with versions counted without a gap", async () => {
    await Promise.all([
      patch({ name: "N" }),
      patch({ description: "D" }),
      patch({ skillContent: "S" }),
      patch({ version: "9" }),
      patch({ writeAutonomy: "blocked" }),
    ]);
    expect(await requireAgent(owner, agent.id)).toMatchObject({
      name: "N",
      description: "D",
      skillContent: "S",
      version: "9",
      writeAutonomy: "blocked",
    });
    expect((await versions()).map((version) => version.number)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test("the hourly cap lets exactly as many through, and the rest changes nothing", async () => {
    const capped = await database.account({ writePerHour: 4 });
    const own = await newAgent(capped);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => codeOf(updateAgent(capped, own.id, { name: `n${n}` }))),
    );
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "RATE_LIMITED")).toHaveLength(9);
    expect(
      (await listAgentVersions(capped, own.id, { limit: 100, cursor: null })).data,
    ).toHaveLength(4);
    const [first] = (await listAgentVersions(capped, own.id, { limit: 100, cursor: null })).data;
    for (const write of [
      () => archiveAgent(capped, own.id),
      () => duplicateAgent(capped, own.id),
      () => restoreAgentVersion(capped, own.id, first?.id ?? "", null),
      () => newAgent(capped),
      () =>
        requestAgentEdit(capped, own.id, {
          text: "x",
          conversationId: null,
          webhookUrl: null,
          releaseNote: null,
        }),
    ])
      expect(await codeOf(write())).toBe("RATE_LIMITED");
    expect((await requireAgent(capped, own.id)).status).toBe("active");
    expect(
      (await database.pool.query("SELECT 1 FROM agents WHERE account_id = $1", [capped.accountId]))
        .rowCount,
    ).toBe(1);
    expect(
      (await database.pool.query("SELECT 1 FROM runs WHERE account_id = $1", [capped.accountId]))
        .rowCount,
    ).toBe(0);
  });

  test("a patch that is refused for another reason costs no write", async () => {
    const before = await writesLeft();
    await codeOf(updateAgent(owner, agent.id, { name: "x" }, () => false));
    await codeOf(patch({ configContent: "[" }));
    await codeOf(updateAgent(owner, newId(), { name: "x" }));
    await archiveAgent(owner, agent.id);
    await codeOf(patch({ name: "x" }));
    expect((await writesLeft()) - before).toBe(1);
  });
});

describe("archived", () => {
  test("an archived agent is read as before, and refuses patches, edits and restores", async () => {
    await archiveAgent(owner, agent.id);
    await archiveAgent(owner, agent.id);
    const [first] = await versions();
    expect(await requireAgent(owner, agent.id)).toMatchObject({
      status: "archived",
      skillContent: agent.skillContent,
      currentVersionId: agent.currentVersionId,
    });
    expect(await codeOf(patch({ name: "x" }))).toBe("CONFLICT");
    expect(await codeOf(patch({}))).toBe("CONFLICT");
    expect(await codeOf(restoreAgentVersion(owner, agent.id, first?.id ?? "", null))).toBe(
      "CONFLICT",
    );
    expect(
      await codeOf(
        requestAgentEdit(owner, agent.id, {
          text: "x",
          conversationId: null,
          webhookUrl: null,
          releaseNote: null,
        }),
      ),
    ).toBe("CONFLICT");
    expect(await versions()).toHaveLength(1);
  });

  test("its app keys are revoked, those of other agents are not", async () => {
    const other = await newAgent(owner);
    const [own, theirs] = [
      await createKey(owner, { name: "own", agentId: agent.id, expiresAt: null }),
      await createKey(owner, { name: "other", agentId: other.id, expiresAt: null }),
    ];
    await archiveAgent(owner, agent.id);
    const { rows } = await database.pool.query(
      "SELECT id, revoked_at IS NOT NULL AS revoked FROM api_keys WHERE account_id = $1",
      [owner.accountId],
    );
    expect(new Map(rows.map((row) => [row.id, row.revoked]))).toEqual(
      new Map([
        [own.id, true],
        [theirs.id, false],
      ]),
    );
  });

  test("a copy of it is active, with a history of its own", async () => {
    await patch({
      version: "3.1.4",
      dashboardTemplate: { version: 1, title: "D", layout: [], widgets: {} },
    });
    await archiveAgent(owner, agent.id);
    const copy = await duplicateAgent(owner, agent.id);
    expect(copy).toMatchObject({
      name: "Helper (copy)",
      status: "active",
      version: "1.0.0",
      skillContent: "Help.",
      config: agent.config,
      configContent: agent.configContent,
      dashboardTemplate: { title: "D" },
    });
    expect(await versions(copy.id)).toMatchObject([{ number: 1, source: "create" }]);
  });
});

test("a restored version is the agent again, as a new version, and the history stays", async () => {
  const [first] = await versions();
  await patch({
    name: "B",
    skillContent: "B",
    version: "2.0.0",
    config: { version: 1, starters: ["b"] },
    writeAutonomy: "blocked",
  });
  const restored = await restoreAgentVersion(owner, agent.id, first?.id ?? "", null);
  const { updatedAt: _a, currentVersionId: was, ...before } = agent;
  expect(restored).toMatchObject(before);
  expect(restored.currentVersionId).not.toBe(was);
  expect(await versions()).toMatchObject([
    { number: 3, source: "restore", version: "1.0.0" },
    { number: 2, source: "patch", version: "2.0.0" },
    { number: 1, source: "create" },
  ]);
  expect(await getAgentVersion(owner, agent.id, restored.currentVersionId)).toMatchObject({
    name: "Helper",
    skillContent: "Help.",
    configContent: agent.configContent,
  });
});

test("pages of versions are newest first and stay whole while versions are added", async () => {
  for (const name of ["b", "c", "d"]) await patch({ name });
  const one = await listAgentVersions(owner, agent.id, { limit: 2, cursor: null });
  await patch({ name: "e" });
  const two = await listAgentVersions(owner, agent.id, { limit: 2, cursor: one.nextCursor });
  expect([...one.data, ...two.data].map((version) => version.number)).toEqual([4, 3, 2, 1]);
  expect(two.nextCursor).toBeNull();
  const other = await newAgent(owner);
  expect(
    await codeOf(listAgentVersions(owner, other.id, { limit: 2, cursor: one.nextCursor })),
  ).toBe("INVALID_INPUT");
});

test("an exported agent is imported the same, its config's comments included", async () => {
  const before = await patch({
    name: "Bericht: über — 日報",
    description: "two\nlines",
    version: "1.10",
    writeAutonomy: "full_auto",
    skillContent: "# Skill\n\n  indented\n\ttab\n- é 🌍\n",
    configContent: "# head\nversion: 1 # the format\nlimits: {max_steps: 3} # few\n",
    dashboardTemplate: { version: 1, title: "D", layout: [], widgets: {} },
  });
  const { text } = await exportAgent(owner, agent.id);
  const stranger = await database.account();
  const after = await importAgent(stranger, text);
  for (const field of [
    "name",
    "description",
    "version",
    "writeAutonomy",
    "skillContent",
    "config",
    "dashboardTemplate",
  ] as const)
    expect(after[field]).toEqual(before[field]);
  for (const comment of ["# head", "# the format", "# few"])
    expect(after.configContent).toContain(comment);
  expect(after).toMatchObject({ status: "active", accountId: stranger.accountId });
  expect((await exportAgent(stranger, after.id)).text).toBe(text);
});

test("an object of another account is not there, for any verb", async () => {
  const stranger = await database.account();
  const [first] = await versions();
  const page = { limit: 10, cursor: null };
  const edit = { text: "x", conversationId: null, webhookUrl: null, releaseNote: null };
  for (const id of [agent.id, newId()]) {
    for (const work of [
      () => requireAgent(stranger, id),
      () => updateAgent(stranger, id, { name: "x" }),
      () => archiveAgent(stranger, id),
      () => duplicateAgent(stranger, id),
      () => exportAgent(stranger, id),
      () => listAgentVersions(stranger, id, page),
      () => getAgentVersion(stranger, id, first?.id ?? ""),
      () => restoreAgentVersion(stranger, id, first?.id ?? "", null),
      () => requestAgentEdit(stranger, id, edit),
      () => getAgentEdit(stranger, id, newId()),
      () => listAgentEdits(stranger, id, page),
    ])
      expect(await codeOf(work())).toBe("AGENT_NOT_FOUND");
  }
  const own = await newAgent(stranger);
  expect(await codeOf(getAgentVersion(stranger, own.id, first?.id ?? ""))).toBe(
    "VERSION_NOT_FOUND",
  );
  expect(await codeOf(restoreAgentVersion(stranger, own.id, first?.id ?? "", null))).toBe(
    "VERSION_NOT_FOUND",
  );
  expect(await requireAgent(owner, agent.id)).toEqual(agent);
});

test("inputs stay in their order in the record, versions, copies, exports and runs", async () => {
  const text = `version: 1
inputs:
  type: object
  properties:
    question: { type: string }
    file: { type: string }
    year: { type: integer }
`;
  const namesOf = ({ config }: { config: unknown }) =>
    Object.keys((config as { inputs: { properties: object } }).inputs.properties);
  const written = ["question", "file", "year"];
  const changed = await patch({ configContent: text });
  expect(namesOf(changed)).toEqual(written);
  expect(namesOf(await requireAgent(owner, agent.id))).toEqual(written);
  expect(namesOf(await getAgentVersion(owner, agent.id, changed.currentVersionId))).toEqual(
    written,
  );
  expect(namesOf(await duplicateAgent(owner, agent.id))).toEqual(written);
  const { text: exported } = await exportAgent(owner, agent.id);
  const imported = await importAgent(owner, exported);
  expect(namesOf(await requireAgent(owner, imported.id))).toEqual(written);
  const { data } = await listRunnableAgents(owner, { limit: 10, cursor: null });
  for (const { inputs } of data) expect(Object.keys(inputs?.properties ?? {})).toEqual(written);
  const run = await startTestRun(owner, { agentId: agent.id, input: { question: "Which?" } });
  const loaded = (await loadRun(run.id)).agent;
  expect(loaded && namesOf(loaded)).toEqual(written);
  expect(loaded).not.toHaveProperty("keyOrder");
  // A field that is added in JSON follows in the text, and so everywhere.
  const config = structuredClone(changed.config) as unknown as { inputs: { properties: object } };
  config.inputs.properties = { a: { type: "string" }, ...config.inputs.properties };
  const more = await patch({ config });
  expect(namesOf(await requireAgent(owner, agent.id))).toEqual(
    Object.keys(parseInputs(more.configContent)),
  );
  const [before] = (await versions()).slice(1);
  const restored = await restoreAgentVersion(owner, agent.id, before?.id ?? "", null);
  expect(namesOf(restored)).toEqual(written);
});

/** The properties of the inputs, as a reader of the text finds them. */
function parseInputs(text: string): object {
  return (parse(text) as { inputs: { properties: object } }).inputs.properties;
}
