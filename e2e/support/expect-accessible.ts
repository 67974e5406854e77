import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The page in view has no fault of WCAG 2 A or AA, in light and in dark. `ready` is awaited after each load. */
export async function expectAccessible(page: Page, path: string, ready: () => Promise<void>): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(path);
    await ready();
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa"]).analyze();
    expect(violations.map((violation) => `${path} ${colorScheme}: ${violation.id} ${violation.nodes[0]?.html}`)).toEqual([]);
  }
}
