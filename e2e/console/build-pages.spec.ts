import { expect, expectAccessible, test } from "../support/console-test";
import { signIn } from "../support/sign-in";

test("the pages of building and running have no accessibility fault, light and dark", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Plain agent" }, account.api);
  await signIn(page, account);
  for (const path of ["/", "/agents", `/agents/${agent.agent_id}`, "/runs", "/keys", "/workspaces"])
    await expectAccessible(page, path, () =>
      expect(page.getByRole("heading", { level: 1 })).toBeVisible(),
    );
});
