import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * The page in view has no fault of WCAG 2 A or AA, in light and in dark. `ready` is awaited after the load. The scheme changes under the page, as it does when a
 * system turns to its evening: another load would show the same.
 */
export async function expectAccessible(page: Page, path: string, ready: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(path);
  await ready();
  await expectNoFault(page, `${path} light`);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  // Colours on their way from one scheme to the other are neither's.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map((animation) => animation.finished.catch(() => {})),
    ),
  );
  await expectNoFault(page, `${path} dark`);
}

async function expectNoFault(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa"]).analyze();
  expect(violations.map((violation) => `${where}: ${violation.id} ${violation.nodes[0]?.html}`)).toEqual([]);
}
