import { type CaseWorld, CLIENT_CASES } from "./client-cases";
import type { ClientDriver } from "./client-driver";
import { startCuttingProxy } from "./proxies";
import { test as base } from "./test";

export const test = base.extend<{ worldOf: (driver: ClientDriver) => Promise<CaseWorld> }>({
  worldOf: async ({ account, newAccount, script, inbox, request, serviceUrl }, use) => {
    const stops: (() => unknown)[] = [];
    await use(async (driver) => {
      stops.push(() => driver.stop());
      const open = ({ apiKey }: { apiKey: string }) => driver.open({ apiKey, baseUrl: serviceUrl });
      return {
        driver,
        client: await open(account),
        account,
        newAccount,
        open,
        async behindCuts({ apiKey }, budgets, options) {
          const proxy = await startCuttingProxy(serviceUrl, budgets);
          stops.push(() => proxy.close());
          return { client: await driver.open({ apiKey, baseUrl: proxy.url, ...options }), proxy };
        },
        async behindRefusals({ apiKey }, answers) {
          const proxy = await startCuttingProxy(serviceUrl, [], answers);
          stops.push(() => proxy.close());
          return driver.open({ apiKey, baseUrl: proxy.url });
        },
        script,
        inbox,
        request,
      };
    });
    for (const stop of stops.reverse()) await stop();
  },
});

/**
 * Every case for one implementation. `driver` null: it cannot run on this machine, which `npm test`
 * says at its end.
 */
export function testClient(kind: string, driver: () => Promise<ClientDriver | null>): void {
  for (const [name, check] of Object.entries(CLIENT_CASES)) {
    test(`${kind}: ${name}`, async ({ worldOf }) => {
      const found = await driver();
      if (found === null)
        return void test.info().annotations.push({
          type: "skipped",
          description: "there is no python3 (3.10 or newer) with httpx",
        });
      await check(await worldOf(found));
    });
  }
}
