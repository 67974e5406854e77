import { expect, type Page } from "@playwright/test";
import { signIn } from "./sign-in";

/** Signs in and opens a page of the console once its session stands. */
export async function openConsole(page: Page, credentials: { email: string; password: string }, path: string): Promise<void> {
  await signIn(page, credentials);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}
