import type { Page } from "@playwright/test";
import { type Credentials, fillInCredentials } from "./sessions";

/** Signs in through the page, by labels. Where it leads is the caller's to see. */
export async function signIn(page: Page, credentials: Credentials): Promise<void> {
  await page.goto("/sign-in");
  await fillInCredentials(page, credentials);
  await page.getByRole("button", { name: /^sign in$/i }).click();
}
