import type { Page } from "@playwright/test";

export interface Credentials {
  email: string;
  password: string;
}

/** Fills the two labelled fields that the sign-in and the sign-up page share. */
export async function fillInCredentials(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
}
