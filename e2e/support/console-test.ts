import { type BrowserContext, expect, type Page } from "@playwright/test";
import type { Credentials } from "./fill-in-credentials";
import { PageProblems } from "./page-problems";
import { signUp } from "./sign-up";
import { test as base } from "./test";

interface ConsoleFixtures {
  /** What went wrong in the test's pages. A test that causes something on purpose allows it here. */
  pageProblems: PageProblems;
  /** A page of a person who has just signed up. */
  signedIn: { page: Page; credentials: Credentials };
}

/** The console tests' `test`: what the API tests have, a signed-in page, and a watch over every page of the test. */
export const test = base.extend<ConsoleFixtures>({
  pageProblems: [
    async ({ browser }, use) => {
      const problems = new PageProblems();
      const watch = (context: BrowserContext) => void problems.watch(context);
      browser.on("context", watch);
      await use(problems);
      browser.off("context", watch);
      expect(problems.unexpected(), "what went wrong in the pages of this test").toEqual([]);
    },
    { auto: true },
  ],
  signedIn: async ({ page }, use) => use({ page, credentials: await signUp(page) }),
});

export { expect } from "@playwright/test";
