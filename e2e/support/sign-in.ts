import type { Page } from "@playwright/test";
import { type Credentials, fillInCredentials, signInByRequest } from "./sessions";

/**
 * Signs in as the page does, without its form, and opens no page: of a console test, loading pages
 * costs the most. For tests whose subject is something else than signing in.
 */
export async function signIn(page: Page, credentials: Credentials): Promise<void> {
  await signInByRequest(page.request, credentials);
}

/** Signs in through the page, by labels. Where it leads is the caller's to see. */
export async function signInByForm(page: Page, credentials: Credentials): Promise<void> {
  await page.goto("/sign-in");
  await fillInCredentials(page, credentials);
  await page.getByRole("button", { name: /^sign in$/i }).click();
}
