import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base, expect, expectAccessible } from "../support/console-test";
import { freePort, startHelperServer } from "../support/servers";
import { startService } from "../support/start-service";

interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
}

interface SignOn {
  baseUrl: string;
  /** Who comes from the provider next. */
  become: (person: Person) => Promise<void>;
}

// One service of its own that knows a provider; the suite's knows none.
const test = base.extend<object, { signOn: SignOn }>({
  signOn: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-oidc-"));
      const provider = await startHelperServer("oidc");
      const port = await freePort();
      const service = await startService({
        port,
        dataDir: path.join(folder, "data"),
        modelUrl,
        logFile: `${folder}.log`,
        environment: {
          NEXTAUTH_URL: `http://127.0.0.1:${port}`,
          OIDC_ISSUER: provider.url,
          OIDC_CLIENT_ID: "lathe",
          OIDC_CLIENT_SECRET: "oidc-secret",
          OIDC_NAME: "Harbour ID",
        },
      });
      const become = async (person: Person) => {
        await fetch(`${provider.url}/person`, { method: "PUT", body: JSON.stringify(person) });
      };
      await use({ baseUrl: service.baseUrl, become });
      await service.stop();
      await provider.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],
  baseURL: ({ signOn }, use) => use(signOn.baseUrl),
});
test.describe.configure({ mode: "default" });

const unique = () => randomBytes(6).toString("hex");

test("a person whom the provider vouches for gets an account, the same again", async ({
  page,
  signOn,
}) => {
  const id = unique();
  await signOn.become({
    sub: id,
    email: `${id}@example.test`,
    email_verified: true,
    name: "Robin Harbour",
  });
  await page.goto("/sign-up?callbackUrl=%2Fkeys");
  await page.getByRole("button", { name: "Continue with Harbour ID" }).click();
  await expect(page.getByRole("heading", { name: "API keys" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Account menu" })).toContainText("Robin Harbour");
  const first = await (await page.request.get("/api/console/v1/account")).json();
  await page.context().clearCookies();
  // The provider's own id counts, whatever the address is by now.
  await signOn.become({ sub: id, email: "another@example.test", email_verified: false });
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Harbour ID" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(await (await page.request.get("/api/console/v1/account")).json()).toMatchObject({
    account_id: first.account_id,
  });
});

test("an account with a password is never taken over by its address", async ({ page, signOn }) => {
  const id = unique();
  const sent = {
    headers: { origin: signOn.baseUrl },
    data: { email: `${id}@example.test`, password: "correct horse battery" },
  };
  expect((await page.request.post("/api/console/sign-up", sent)).status()).toBe(201);
  await signOn.become({ sub: id, email: `${id.toUpperCase()}@EXAMPLE.test`, email_verified: true });
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Continue with Harbour ID" }).click();
  await expect(page.getByText("This address has an account already")).toBeVisible();
  expect((await page.request.get("/api/console/keys")).status()).toBe(401);
});

test("an address that the provider does not vouch for opens nothing", async ({ page, signOn }) => {
  for (const email_verified of [false, undefined, "true"]) {
    const id = unique();
    await signOn.become({ sub: id, email: `${id}@example.test`, email_verified });
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Continue with Harbour ID" }).click();
    await expect(page.getByText("No verified e-mail address")).toBeVisible();
    expect((await page.request.get("/api/console/keys")).status()).toBe(401);
  }
});

test("the pages with a provider's button have no fault of accessibility in light and dark", async ({
  page,
}) => {
  const button = () =>
    expect(page.getByRole("button", { name: "Continue with Harbour ID" })).toBeEnabled();
  await expectAccessible(page, "/sign-in?error=AddressTaken", button);
  await expectAccessible(page, "/sign-up", button);
});
