import { expect, expectAccessible, openConsole, test } from "../support/console-test";

test("a template is picked, read with what it needs, changed and made an agent", async ({
  page,
  newAccount,
}) => {
  const account = await newAccount();
  await openConsole(page, account, "/agents/new");
  const gallery = page.getByRole("region", { name: "Templates" });
  await expect(gallery.getByRole("button")).toHaveCount(27);
  await gallery.getByRole("button", { name: /Mail to a customer/ }).click();
  const dialog = page.getByRole("dialog", { name: "Mail to a customer" });
  await expect(dialog.getByText("RESEND_KEY: a Resend key that may send")).toBeVisible();
  const area = dialog.getByLabel("Document");
  await expect(area).toHaveValue(/name: Customer Mail Writer/);
  await expectAccessible(page, "/agents/new?template=mail-sender", () =>
    expect(area).toHaveValue(/name: Customer Mail Writer/),
  );
  await area.fill(
    (await area.inputValue()).replace("name: Customer Mail Writer", "name: Our Mail Writer"),
  );
  await dialog.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByRole("heading", { name: "Our Mail Writer", level: 1 })).toBeVisible();
});

test("an account without agents is offered the templates on the list of agents", async ({
  page,
  newAccount,
}) => {
  const account = await newAccount();
  await openConsole(page, account, "/agents");
  await page
    .getByRole("region", { name: "Templates" })
    .getByRole("button", { name: /Questions about tables/ })
    .click();
  await expect(page).toHaveURL(/template=table-questions/);
  await page.getByRole("dialog").getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByRole("heading", { name: "Table Analyst", level: 1 })).toBeVisible();
});
