import { expectError } from "../support/expect-answers";
import { expect, test } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_IDS } from "../support/unknown-ids";

test("a version is the whole agent as it was, and stays so whatever changes later", async ({
  api,
  newAgent,
}) => {
  const agent = await newAgent({ skill: "first" });
  const path = `/v1/agents/${agent.agent_id}`;
  const id = agent.current_version_id;
  const before = (await api.get(`${path}/versions/${id}`)).as("AgentVersion");
  const {
    name,
    description,
    skill_content,
    config_content,
    config,
    dashboard_template,
    write_autonomy,
  } = agent;
  const texts = {
    name,
    description,
    skill_content,
    config_content,
    config,
    dashboard_template,
    write_autonomy,
  };
  expect(before).toMatchObject({
    version_id: id,
    agent_id: agent.agent_id,
    number: 1,
    version: "1.0.0",
    source: "create",
    ...texts,
  });
  await api.patch(path, { skill_content: "second" });
  await api.delete(path);
  expect((await api.get(`${path}/versions/${id}`)).json()).toEqual(before);
});

test("versions are listed newest first, without texts, in pages that stay whole", async ({
  api,
  newAgent,
}) => {
  const path = `/v1/agents/${(await newAgent()).agent_id}`;
  for (const name of ["b", "c"]) await api.patch(path, { name });
  const one = (await api.get(`${path}/versions`, { query: { limit: 2 } })).as(
    "AgentVersionMetadataPage",
  );
  await api.patch(path, { name: "late" });
  const two = (
    await api.get(`${path}/versions`, { query: { limit: 2, cursor: String(one.next_cursor) } })
  ).as("AgentVersionMetadataPage");
  expect([...one.data, ...two.data].map((version) => version.number)).toEqual([3, 2, 1]);
  expect(two).toMatchObject({ has_more: false, next_cursor: null });
  for (const field of ["skill_content", "config_content", "config", "dashboard_template"])
    expect(one.data[0]).not.toHaveProperty(field);
});

test("restoring a version makes the agent read as it did, as a new version", async ({
  api,
  newAgent,
}) => {
  const agent = await newAgent({ skill: "first", config: { starters: ["one"] } });
  const path = `/v1/agents/${agent.agent_id}`;
  await api.patch(path, {
    name: "Other",
    skill_content: "second",
    config: { version: 1 },
    version: "2.0.0",
  });
  const answer = await api.post(`${path}/versions/${agent.current_version_id}/restore`);
  expect(answer.status).toBe(200);
  const { current_version_id: was, updated_at: _, ...texts } = agent;
  const restored = answer.as("Agent");
  expect(restored).toMatchObject(texts);
  expect(restored.current_version_id).not.toBe(was);
  expect((await api.get(path)).json()).toEqual(answer.json());
  const list = (await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data;
  expect(list.map(({ number, source }) => [number, source])).toEqual([
    [3, "restore"],
    [2, "patch"],
    [1, "create"],
  ]);
  const noted = await api.post(`${path}/versions/${was}/restore`, { release_note: "back again" });
  expect(noted.status).toBe(200);
  expect(
    (await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data[0]?.release_note,
  ).toBe("back again");
});

test("a version that is not this agent's is not found, a malformed id is refused", async ({
  api,
  newAgent,
}) => {
  const [agent, other] = [await newAgent(), await newAgent()];
  const path = `/v1/agents/${agent.agent_id}/versions`;
  for (const id of [...UNKNOWN_IDS, other.current_version_id]) {
    expectError(await api.get(`${path}/${id}`), 404, "VERSION_NOT_FOUND");
    expectError(await api.post(`${path}/${id}/restore`), 404, "VERSION_NOT_FOUND");
  }
  for (const id of MALFORMED_IDS) {
    expectError(await api.get(`${path}/${id}`), 400, "INVALID_INPUT", "version_id");
    expectError(await api.post(`${path}/${id}/restore`), 400, "INVALID_INPUT", "version_id");
  }
  expectError(
    await api.post(`${path}/${agent.current_version_id}/restore`, { surprise: 1 }),
    400,
    "INVALID_INPUT",
    "surprise",
  );
  expectError(
    await api.post(`${path}/${agent.current_version_id}/restore`, {
      release_note: "r".repeat(2001),
    }),
    400,
    "INVALID_INPUT",
    "release_note",
  );
  for (const query of [{ limit: "0" }, { cursor: "nonsense" }])
    expectError(await api.get(path, { query }), 400, "INVALID_INPUT", Object.keys(query)[0]);
});
