import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { type Credentials, signUpByRequest } from "./sessions";
import { signIn } from "./sign-in";
import { test as base } from "./test";

/**
 * Collects what went wrong in the pages of a test beside what the test looks at: a test passes only
 * when nothing did.
 */
class PageProblems {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  /** Watches every page of the context, also those still to be opened. */
  async watch(context: BrowserContext): Promise<void> {
    context.on("page", (page) => this.#watchPage(page));
    await context.exposeBinding("reportViolation", (_source, violation: string) =>
      this.#add(violation),
    );
    await context.addInitScript(() => {
      // The binding above.
      const report = (window as unknown as { reportViolation(text: string): void }).reportViolation;
      document.addEventListener("securitypolicyviolation", (event) =>
        report(
          `policy: ${event.effectiveDirective} stopped ${event.blockedURI} in ` +
            `${event.documentURI} (${event.sourceFile}:${event.lineNumber}) ${event.sample}`,
        ),
      );
    });
  }

  /** A problem that the test causes on purpose. */
  allow(pattern: RegExp): void {
    this.#allowed.push(pattern);
  }

  /** Everything that nobody allowed, each once. */
  unexpected(): string[] {
    return [...new Set(this.#found)].filter(
      (problem) => !this.#allowed.some((pattern) => pattern.test(problem)),
    );
  }

  #add(problem: string): void {
    this.#found.push(problem);
  }

  #watchPage(page: Page): void {
    page.on("pageerror", (error) => this.#add(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      // What the policy stopped is reported above already. A refusal by status is the test's own
      // matter, and the browser says nothing of it that the answer does not.
      if (
        message.type() === "error" &&
        !/^Failed to load resource|Content Security Policy/.test(message.text())
      )
        this.#add(`console: ${message.text()} on ${page.url()}`);
    });
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // What a page asked for is given up when the page is left.
      if (reason !== "net::ERR_ABORTED")
        this.#add(`failed: ${request.method()} ${request.url()} ${reason}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 500)
        this.#add(`answer: ${response.status()} ${response.request().method()} ${response.url()}`);
    });
  }
}

interface ConsoleFixtures {
  /**
   * What went wrong in the test's pages. A test that causes something on purpose allows it here.
   */
  pageProblems: PageProblems;
  /** A page, still empty, of a person who has just signed up. */
  signedIn: { page: Page; credentials: Credentials };
}

/**
 * The console tests' `test`: what the API tests have, a signed-in page, and a watch over every page
 * of the test.
 */
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
  signedIn: async ({ page, serviceUrl }, use) =>
    use({ page, credentials: await signUpByRequest(page.request, serviceUrl) }),
});

export { expect } from "@playwright/test";

/** Signs in and opens a page of the console. */
export async function openConsole(
  page: Page,
  credentials: { email: string; password: string },
  path: string,
): Promise<void> {
  await signIn(page, credentials);
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Opens a page, awaits `ready`, and looks at it by {@link expectNoFault}. */
export async function expectAccessible(
  page: Page,
  path: string,
  ready: () => Promise<void>,
): Promise<void> {
  await page.goto(path);
  await ready();
  await expectNoFault(page, path);
}

/** Of what passes nothing is said, and so need not be gathered. */
const ONLY_FAULTS = { resultTypes: ["violations" as const] };

/**
 * What is in view, or the part of it, has no fault of WCAG 2.2 A or AA, in light and in dark. The
 * scheme changes under the page, as it does when a system turns to its evening: another load would
 * show the same. Of the rules only that of contrast looks at colours, so it alone is asked again in
 * the dark.
 */
export async function expectNoFault(page: Page, where: string, part = "body"): Promise<void> {
  const faults = (axe: AxeBuilder, scheme: string) =>
    axe
      .include(part)
      // In the page itself: the other way opens a second one for each look, for frames of other
      // sites. The console has none.
      .setLegacyMode()
      .analyze()
      .then(({ violations }) =>
        violations.map(
          (violation) => `${where} ${scheme}: ${violation.id} ${violation.nodes[0]?.html}`,
        ),
      );
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await waitForScheme(page, /\blight\b/);
  expect(
    await faults(
      new AxeBuilder({ page })
        .options(ONLY_FAULTS)
        .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]),
      "light",
    ),
  ).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await waitForScheme(page, /\bdark\b/);
  expect(
    await faults(
      new AxeBuilder({ page }).options(ONLY_FAULTS).withRules(["color-contrast"]),
      "dark",
    ),
  ).toEqual([]);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

/** Colours on their way from one scheme to the other are neither's. */
async function waitForScheme(page: Page, scheme: RegExp): Promise<void> {
  await expect(page.locator("html")).toHaveClass(scheme);
  // Asked again and again: a transition that another one replaces never says that it has finished.
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          document
            .getAnimations()
            .filter((each) => each instanceof CSSTransition && each.playState === "running").length,
      ),
    )
    .toBe(0);
}
