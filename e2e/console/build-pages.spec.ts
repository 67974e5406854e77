import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../support/console-test";
import { signIn } from "../support/sign-in";

test("the pages where agents are built and run have no accessibility fault, in light and in dark", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Plain agent" }, account.api);
  await signIn(page, account);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const path of ["/", "/agents", `/agents/${agent.agent_id}`, "/runs", "/keys", "/workspaces"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa"]).analyze();
      expect(violations.map((violation) => `${path} ${colorScheme}: ${violation.id} ${violation.nodes[0]?.html}`)).toEqual([]);
    }
  }
});
