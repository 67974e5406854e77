import type { Page } from "@playwright/test";
import type { Credentials } from "./fill-in-credentials";
import { signUp } from "./sign-up";
import { test as base } from "./test";

interface ConsoleFixtures {
  /** A page of a person who has just signed up. */
  signedIn: { page: Page; credentials: Credentials };
}

/** The console tests' `test`: what the API tests have, and a signed-in page. */
export const test = base.extend<ConsoleFixtures>({
  signedIn: async ({ page }, use) => use({ page, credentials: await signUp(page) }),
});

export { expect } from "@playwright/test";
