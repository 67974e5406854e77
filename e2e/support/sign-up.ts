import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { type Credentials, fillInCredentials } from "./fill-in-credentials";

/** Signs up through the page as a person does, by labels, and waits until the console is left open. */
export async function signUp(page: Page): Promise<Credentials> {
  const credentials = { email: `console-${randomBytes(8).toString("hex")}@example.test`, password: randomBytes(12).toString("base64url") };
  await page.goto("/sign-up");
  const name = page.getByLabel("Name", { exact: false });
  if (await name.count()) await name.first().fill("Console test");
  await fillInCredentials(page, credentials);
  await page.getByRole("button", { name: /sign up|create (an |your )?account/i }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-up" && url.pathname !== "/sign-in");
  return credentials;
}
