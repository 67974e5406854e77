import { expect, expectAccessible, openConsole, test } from "../support/console-test";

test("a person talks with the super-agent, reloads, and goes on in the same conversation", async ({
  page,
  newAccount,
  script,
}) => {
  const person = await newAccount({ superAgent: true });
  const said = await script({ text: "There are **no** agents yet." }, { text: "As I said: none." });
  await openConsole(page, person, "/super-agent");
  const message = page.getByLabel("Message", { exact: true });
  await expect(page.getByLabel("Model").locator("option")).not.toHaveCount(1);
  await message.fill(`Which agents do I have? ${said.mark}`);
  await message.press("Enter");
  await expect(page).toHaveURL(/conversation=[0-9a-f-]{36}/);
  const messages = page.getByRole("region", { name: "Messages" });
  await expect(messages.getByText("There are no agents yet.")).toBeVisible();
  await expect(message).toHaveValue("");
  await page.reload();
  await expect(messages.getByText("There are no agents yet.")).toBeVisible();
  await message.fill(`Are you sure? ${said.mark}`);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(messages.getByText("As I said: none.")).toBeVisible();
  await expect(messages.getByRole("listitem")).toHaveCount(4);
  await page.getByRole("button", { name: "New" }).click();
  await expect(page.getByRole("heading", { name: "What should be done?" })).toBeVisible();
  await page
    .getByRole("region", { name: "Conversations" })
    .getByRole("button", { name: /^Which agents do I have/ })
    .click();
  await expect(messages.getByText("As I said: none.")).toBeVisible();
});

test("a run of the super-agent is stopped from its own page", async ({
  page,
  newAccount,
  script,
}) => {
  const person = await newAccount({ superAgent: true });
  const held = await script({ text: "This never ends.", hold_after: 1 });
  await openConsole(page, person, "/super-agent");
  await page.getByLabel("Message", { exact: true }).fill(`Think for long. ${held.mark}`);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await expect(page.getByText("This run was cancelled")).toBeVisible();
});

test("the profile is saved whole, names faults by field, and asks before changes are lost", async ({
  page,
  newAccount,
}) => {
  const person = await newAccount({ superAgent: true });
  await openConsole(page, person, "/super-agent/profile");
  await page.getByLabel("Name", { exact: true }).fill("Harbour Coffee");
  await page.getByLabel("Brand colours").fill("#0b3d4f\nteal");
  await expect(page.getByRole("list", { name: "Colours" }).getByRole("listitem")).toHaveCount(2);
  await page.getByLabel("Links").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("does not begin with an http or https address")).toBeVisible();
  await page.getByRole("link", { name: "Super-agent" }).first().click();
  await page
    .getByRole("dialog", { name: "Leave with unsaved changes?" })
    .getByRole("button", { name: "Stay" })
    .click();
  await page.getByLabel("Links").fill("https://example.com/help Help");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("The profile was saved.")).toBeVisible();
  expect((await person.api.get("/v1/product-profile")).json()).toMatchObject({
    name: "Harbour Coffee",
    tagline: null,
    brand: { colors: ["#0b3d4f", "teal"], logo_url: null },
    links: [{ url: "https://example.com/help", title: "Help" }],
  });
  await page.reload();
  await expect(page.getByLabel("Links")).toHaveValue("https://example.com/help Help");
});

test("the super-agent's pages have no fault of accessibility in light and dark", async ({
  page,
  newAccount,
}) => {
  const person = await newAccount({ superAgent: true });
  await openConsole(page, person, "/super-agent");
  await expectAccessible(page, "/super-agent", () =>
    expect(page.getByLabel("Message", { exact: true })).toBeVisible(),
  );
  await expectAccessible(page, "/super-agent/profile", () =>
    expect(page.getByLabel("Tagline")).toBeVisible(),
  );
});
