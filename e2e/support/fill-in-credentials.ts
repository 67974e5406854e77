import type { Page } from "@playwright/test";
import type { Credentials } from "./sign-up";

/** Fills the two labelled fields that the sign-in and the sign-up page share. */
export async function fillInCredentials(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
}
