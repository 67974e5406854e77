import { expect, test } from "vitest";
import { SYSTEM_CLOCK } from "@/lib/client/clock";
import { connect } from "@/lib/client/connect";
import { saveAgent } from "@/lib/console/agent-edit/save-agent";
import type { ConsolePaths } from "@/lib/console/reads";

/**
 * A service that holds one agent; `before` is called with the number of each PATCH before it is
 * looked at, and may answer it.
 */
function service(
  agent: Record<string, unknown>,
  before: (patch: number) => Response | undefined = () => undefined,
  etagOf = (version: number) => `"${version}"`,
) {
  let version = 1;
  let patches = 0;
  const state = { ...agent };
  const change = (fields: Record<string, unknown>) => {
    Object.assign(state, fields);
    version += 1;
    return undefined;
  };
  const answer = async (request: Request) => {
    if (request.method === "PATCH") {
      patches += 1;
      const refused = before(patches);
      if (refused) return refused;
      if (request.headers.get("if-match") !== `"${version}"`)
        return refusal(412, "VERSION_CONFLICT", "Changed.");
      change(await request.json());
    }
    return Response.json(state, { headers: { etag: etagOf(version) } });
  };
  const limits = {
    maxRetries: 0,
    timeoutMs: 5_000,
    maxRetryAfterSeconds: 0,
    stallMs: 5_000,
    maxReconnects: 0,
    clock: SYSTEM_CLOCK,
  };
  const { api } = connect<ConsolePaths>({
    baseUrl: "http://service.test",
    fetch: answer,
    ...limits,
  });
  return { api, change, state, patches: () => patches };
}

function refusal(status: number, error: string, message: string): Response {
  return Response.json({ error, message }, { status });
}

const AGENT = {
  agent_id: "a",
  name: "One",
  skill_content: "skill",
  config_content: "version: 1\n",
};
const SAVE = { agentId: "a", base: { skill_content: "skill" }, change: { skill_content: "mine" } };

test("a change of what nobody else touched is stored, with its release note", async () => {
  const { api, state } = service(AGENT);
  expect(await saveAgent({ ...SAVE, releaseNote: "Better." }, api)).toMatchObject({
    outcome: "saved",
    agent: { skill_content: "mine" },
  });
  expect(state).toMatchObject({ skill_content: "mine", release_note: "Better." });
});

test("another's change of the field is a conflict, which hands over their text", async () => {
  const { api, state, patches } = service({ ...AGENT, skill_content: "theirs" });
  const outcome = await saveAgent(SAVE, api);
  expect(outcome).toMatchObject({
    outcome: "conflict",
    fields: ["skill_content"],
    agent: { skill_content: "theirs" },
  });
  expect(state.skill_content).toBe("theirs");
  expect(patches()).toBe(0);
});

test("a change slipped between look and write is a conflict too, not overwritten", async () => {
  const { api, change, state } = service(AGENT, (patch) =>
    patch === 1 ? change({ skill_content: "theirs" }) : undefined,
  );
  expect(await saveAgent(SAVE, api)).toMatchObject({
    outcome: "conflict",
    agent: { skill_content: "theirs" },
  });
  expect(state.skill_content).toBe("theirs");
});

test("a change of another field meanwhile stays, and this one is put on top of it", async () => {
  const { api, change, state } = service(AGENT, (patch) =>
    patch === 1 ? change({ name: "Two" }) : undefined,
  );
  expect(await saveAgent(SAVE, api)).toMatchObject({ outcome: "saved" });
  expect(state).toMatchObject({ name: "Two", skill_content: "mine" });
});

test("the same change by somebody else is no conflict", async () => {
  const { api } = service({ ...AGENT, skill_content: "mine" });
  expect(await saveAgent(SAVE, api)).toMatchObject({ outcome: "saved" });
});

test("a validator that a proxy weakened still guards", async () => {
  const { api } = service(AGENT, undefined, (version) => `W/"${version}"`);
  expect(await saveAgent(SAVE, api)).toMatchObject({ outcome: "saved" });
});

test("an agent that never stands still ends in an error, not in a loop", async () => {
  const { api, change, patches } = service(AGENT, (patch) => change({ name: `name ${patch}` }));
  await expect(saveAgent(SAVE, api)).rejects.toThrow("being changed all the time");
  expect(patches()).toBe(5);
});

test("a refusal is handed on as it is", async () => {
  const { api } = service(AGENT, () => refusal(400, "INVALID_INPUT", "Line 1."));
  await expect(saveAgent(SAVE, api)).rejects.toMatchObject({
    status: 400,
    code: "INVALID_INPUT",
    serviceMessage: "Line 1.",
  });
});
