import { admin } from "../support/admin";
import { expect, openConsole, test } from "../support/console-test";

test("no page of the super-agent or admins is wider than 360 px, however long its texts", async ({
  page,
  newAccount,
}) => {
  const person = await newAccount({ superAgent: true });
  await admin([
    "account",
    "update",
    "--email",
    person.email,
    "--admin",
    "true",
    "--name",
    "W".repeat(200),
  ]);
  const profile = {
    name: "W".repeat(255),
    brand: { colors: ["#".repeat(64), "x ".repeat(30)] },
    links: [`https://example.com/${"w".repeat(500)}`],
  };
  expect((await person.api.put("/v1/product-profile", profile)).status).toBe(200);
  await openConsole(page, person, "/super-agent");
  for (const path of ["/super-agent", "/super-agent/profile", "/admin"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBe(0);
  }
});
