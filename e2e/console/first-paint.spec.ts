import { expect, openConsole, test } from "../support/console-test";

const LOADS = 100;
const AGENT = "kind: agent\nformat: 1\nname: Often looked at\nskill_content: Answer.\n";

test("a page's first reads are not counted: many loads of one leave another's page whole", async ({
  page,
  newAccount,
}) => {
  const [busy, other] = [await newAccount(), await newAccount()];
  const agentOf = async ({ api }: typeof busy) => {
    const made = await api.post("/v1/agents/import", undefined, {
      raw: AGENT,
      headers: { "content-type": "application/yaml" },
    });
    return (made.json() as { agent_id: string }).agent_id; // an Agent
  };
  const [mine, theirs] = [await agentOf(busy), await agentOf(other)];
  await openConsole(page, busy, "/agents");
  // Each load reads several things: counted as requests of an address, all together they would be
  // more than one may make a minute.
  for (let load = 0; load < LOADS; load += 1) {
    const answer = await page.request.get(`/agents/${mine}`);
    expect([answer.status(), (await answer.text()).includes("Often looked at")]).toEqual([
      200,
      true,
    ]);
  }
  await page.context().clearCookies();
  await openConsole(page, other, `/agents/${theirs}`);
  await expect(page.getByRole("heading", { name: "Often looked at", level: 1 })).toBeVisible();
});
