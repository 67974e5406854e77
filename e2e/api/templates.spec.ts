import { expectError } from "../support/expect-answers";
import { expect, test } from "../support/test";

const YAML = { "content-type": "application/yaml" };

test("twenty templates and more are listed in pages, keyless, cached, and by category", async ({
  anonymous,
}) => {
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const answer = await anonymous.get("/v1/templates", {
      query: { limit: 9, ...(cursor !== null && { cursor }) },
    });
    expect([answer.status, answer.header("cache-control")]).toEqual([200, "public, max-age=300"]);
    const page = Object(answer.json());
    for (const row of page.data) {
      expect(row).toMatchObject({
        name: expect.any(String),
        title: expect.any(String),
        category: expect.any(String),
        needs: expect.any(Array),
      });
      names.push(row.name);
    }
    expect(page.has_more).toBe(page.next_cursor !== null);
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(names.length).toBeGreaterThanOrEqual(20);
  expect(new Set(names).size).toBe(names.length);
  const data = Object(
    (await anonymous.get("/v1/templates", { query: { category: "connectors" } })).json(),
  ).data;
  expect(data.length).toBeGreaterThan(2);
  for (const row of data)
    expect(row).toMatchObject({ category: "connectors", works_offline: false });
});

test("every template's document is imported as it is, and the agent says the same", async ({
  api,
  anonymous,
}) => {
  const list = Object((await anonymous.get("/v1/templates", { query: { limit: 100 } })).json());
  for (const { name } of list.data) {
    const template = Object((await anonymous.get(`/v1/templates/${name}`)).json());
    const made = await api.post("/v1/agents/import", undefined, {
      raw: template.content,
      headers: YAML,
    });
    expect(made.status, name).toBe(201);
    const {
      name: agentName,
      skill_content,
      config,
      dashboard_template,
      write_autonomy,
    } = template.document;
    expect(made.json()).toMatchObject({
      name: agentName,
      skill_content,
      config,
      dashboard_template,
      write_autonomy,
    });
    // JSON is YAML, so the object can be sent too.
    if (name === "sales-report")
      expect(
        (
          await api.post("/v1/agents/import", undefined, {
            raw: JSON.stringify(template.document),
            headers: YAML,
          })
        ).status,
      ).toBe(201);
  }
});

test("missing ones, malformed names, unknown categories and foreign cursors are refused", async ({
  anonymous,
}) => {
  expectError(await anonymous.get("/v1/templates/no-such-template"), 404, "TEMPLATE_NOT_FOUND");
  expectError(await anonymous.get("/v1/templates/..%2Ftemplates.ts"), 400, "INVALID_INPUT");
  expectError(
    await anonymous.get("/v1/templates", { query: { category: "magic" } }),
    400,
    "INVALID_INPUT",
  );
  expectError(
    await anonymous.get("/v1/templates", { query: { cursor: "nonsense" } }),
    400,
    "INVALID_INPUT",
  );
  expectError(await anonymous.post("/v1/templates", {}), 405, "METHOD_NOT_ALLOWED");
});
