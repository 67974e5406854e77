import { expect, test } from "vitest";
import { ConsoleError } from "@/lib/console/console-error";
import type { ConsoleRequest } from "@/lib/console/request-console";
import { saveAgent } from "./save-agent";

/** A service that holds one agent; `before` is called with the number of each PATCH before it is looked at. */
function service(
  agent: Record<string, unknown>,
  before: (patch: number) => void = () => undefined,
  etagOf = (version: number) => `"${version}"`,
) {
  let version = 1;
  let patches = 0;
  const state = { ...agent };
  const change = (fields: Record<string, unknown>) => {
    Object.assign(state, fields);
    version += 1;
  };
  const request = async (_path: string, { method = "GET", body, headers = {} }: ConsoleRequest = {}) => {
    if (method === "PATCH") {
      patches += 1;
      before(patches);
      if (headers["if-match"] !== `"${version}"`) throw new ConsoleError("VERSION_CONFLICT", "Changed.", 412);
      change(body as Record<string, unknown>);
    }
    return new Response(JSON.stringify(state), { headers: { etag: etagOf(version) } });
  };
  return { request, change, state, patches: () => patches };
}

const AGENT = { agent_id: "a", name: "One", skill_content: "skill", config_content: "version: 1\n" };
const SAVE = { agentId: "a", base: { skill_content: "skill" }, change: { skill_content: "mine" } };

test("a change of what nobody else touched is stored, with its release note", async () => {
  const { request, state } = service(AGENT);
  expect(await saveAgent({ ...SAVE, releaseNote: "Better." }, request)).toMatchObject({
    outcome: "saved",
    agent: { skill_content: "mine" },
  });
  expect(state).toMatchObject({ skill_content: "mine", release_note: "Better." });
});

test("a change of the same field by somebody else is a conflict that stores nothing and hands over their text", async () => {
  const { request, state, patches } = service({ ...AGENT, skill_content: "theirs" });
  const outcome = await saveAgent(SAVE, request);
  expect(outcome).toMatchObject({ outcome: "conflict", fields: ["skill_content"], agent: { skill_content: "theirs" } });
  expect(state.skill_content).toBe("theirs");
  expect(patches()).toBe(0);
});

test("a change that slips in between look and write is a conflict too, not overwritten", async () => {
  const { request, change, state } = service(AGENT, (patch) => patch === 1 && change({ skill_content: "theirs" }));
  expect(await saveAgent(SAVE, request)).toMatchObject({ outcome: "conflict", agent: { skill_content: "theirs" } });
  expect(state.skill_content).toBe("theirs");
});

test("a change of another field meanwhile stays, and this one is put on top of it", async () => {
  const { request, change, state } = service(AGENT, (patch) => patch === 1 && change({ name: "Two" }));
  expect(await saveAgent(SAVE, request)).toMatchObject({ outcome: "saved" });
  expect(state).toMatchObject({ name: "Two", skill_content: "mine" });
});

test("the same change by somebody else is no conflict", async () => {
  const { request } = service({ ...AGENT, skill_content: "mine" });
  expect(await saveAgent(SAVE, request)).toMatchObject({ outcome: "saved" });
});

test("a validator that a proxy weakened still guards", async () => {
  const { request } = service(AGENT, undefined, (version) => `W/"${version}"`);
  expect(await saveAgent(SAVE, request)).toMatchObject({ outcome: "saved" });
});

test("an agent that never stands still ends in an error, not in a loop", async () => {
  const { request, change, patches } = service(AGENT, (patch) => change({ name: `name ${patch}` }));
  await expect(saveAgent(SAVE, request)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  expect(patches()).toBe(5);
});

test("a refusal is handed on as it is", async () => {
  const refusal = new ConsoleError("INVALID_INPUT", "Line 1.", 400);
  const { request } = service(AGENT, () => {
    throw refusal;
  });
  await expect(saveAgent(SAVE, request)).rejects.toBe(refusal);
});
