import { test as base } from "@playwright/test";
import { hasInngest } from "../../support/inngest-server-of";
import { Lab } from "./lab";
import { World, type WorldOptions } from "./world";

/**
 * The tests of faults: one PostgreSQL a worker, and for each test a service of its own in
 * surroundings that it may break.
 */
export const test = base.extend<{ open: (options?: WorldOptions) => Promise<World> }, { lab: Lab }>(
  {
    lab: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads names from it
      async ({}, use) => {
        const lab = await Lab.open();
        await use(lab);
        await lab.close();
      },
      { scope: "worker", timeout: 180_000 },
    ],
    open: async ({ lab }, use) => {
      const worlds: World[] = [];
      await use(async (options) => {
        const world = await World.open(lab, options);
        worlds.push(world);
        return world;
      });
      for (const world of worlds) await world.close();
    },
  },
);

/** Skips the test, and prints why, where an Inngest server is the engine. */
export function skipWithInngest(why: string): void {
  if (hasInngest) console.log(`  skipped with an Inngest server: ${why}`);
  test.info().skip(hasInngest, why);
}

/** Skips the test where there is no Inngest server whose ways it would break. */
export function skipWithoutInngest(): void {
  test.info().skip(!hasInngest, "there is no Inngest server here (npm run test:inngest)");
}

export { expect } from "@playwright/test";
