import { test as base } from "@playwright/test";
import { Lab } from "./lab";
import { World, type WorldOptions } from "./world";

/**
 * The tests of faults: one PostgreSQL a worker, and for each test a service of its own in
 * surroundings that it may break.
 */
export const test = base.extend<{ open: (options?: WorldOptions) => Promise<World> }, { lab: Lab }>(
  {
    lab: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
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

export { expect } from "@playwright/test";
