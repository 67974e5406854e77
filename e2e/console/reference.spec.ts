import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ApiDocument } from "../support/api-document";
import { expect, expectAccessible, test } from "../support/console-test";
import { DocumentWorld } from "../support/document/document-world";
import { boundTo } from "../support/document/example-request";
import { readCode, runCode, runsHere } from "../support/document/reference-code";
import { signIn } from "../support/sign-in";

const LANGUAGES = (["curl", "typescript", "python"] as const).filter(runsHere);
const PAGE_MAX_BYTES = 500_000;
/** Besides every GET. */
const RUN_FOR_REAL = [
  "createAgent",
  "createRun",
  "createRealtimeRun",
  "createAppRun",
  "uploadFile",
  "importAgent",
  "updateAgent",
];

test("every operation has a page with code in three languages, and the index leads to it", async ({
  signedIn: { page },
  anonymous,
}) => {
  const { operations } = await ApiDocument.read(anonymous);
  expect(operations.length).toBeGreaterThan(60);
  await page.goto("/reference");
  for (const { id: operationId, method, path: route } of operations) {
    await expect(page.locator(`a[href="/reference/${operationId}"]`)).toHaveCount(1);
    const { code, bytes } = await readCode(page, operationId);
    expect(code.curl, operationId).toContain(method === "GET" ? "curl " : `-X ${method}`);
    expect(code.curl, operationId).toContain(route.split("{")[0]);
    expect(code.typescript, operationId).toContain("await");
    expect(code.python, operationId).toContain("urllib.request.urlopen");
    expect(bytes, operationId).toBeLessThan(PAGE_MAX_BYTES);
  }
});

test("the code runs as copied: every GET, starts, streams and uploads, in each language", async ({
  page,
  newAccount,
  anonymous,
  modelUrl,
  inbox,
}) => {
  const { operations } = await ApiDocument.read(anonymous);
  const world = await DocumentWorld.make(
    await newAccount({ credits: 100_000, superAgent: true }),
    modelUrl,
    inbox,
  );
  const keys = { LATHE_API_KEY: world.account.apiKey, LATHE_APP_KEY: world.appClient.key ?? "" };
  await signIn(page, world.account);
  const folder = await mkdtemp(path.join(tmpdir(), "lathe-code-"));
  await writeFile(path.join(folder, "sales.csv"), "month,amount\n2026-01,1200\n");
  const problems: string[] = [];
  for (const operation of operations.filter(
    ({ method, id }) => method === "GET" || RUN_FOR_REAL.includes(id),
  )) {
    const { code } = await readCode(page, operation.id);
    // A conversation takes one run at a time, and a file's name one upload.
    for (const language of LANGUAGES) {
      const bindings = await world.bindingsFor(operation.id);
      const examples = [
        ...operation.parameters,
        ...operations.flatMap(({ parameters }) => parameters),
      ];
      const real = examples.reduce(
        (text, { name, example }) =>
          typeof example === "string" && example.length > 5
            ? text.replaceAll(example, boundTo(bindings, name) ?? example)
            : text,
        code[language].replaceAll("https://example.com/hooks/runs", inbox.url),
      );
      const printed = await runCode(language, real, folder, keys).catch((error: Error) => {
        problems.push(`${operation.id} in ${language}: ${error.message}`);
        return "";
      });
      if (operation.id === "createRealtimeRun" && !/\w/.test(printed))
        problems.push(`no text of the stream in ${language}`);
    }
  }
  await rm(folder, { recursive: true, force: true });
  expect(problems).toEqual([]);
});

test("code is copied in the language chosen once for all, and only the service is asked", async ({
  signedIn: { page },
  context,
  serviceUrl,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${serviceUrl}/`))
      elsewhere.push(request.url());
  });
  await page.goto("/reference/createRun");
  await page.getByRole("button", { name: "Python", exact: true }).click();
  await page.getByRole("button", { name: "Copy Start a run in Python" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("import urllib.request");
  expect(copied).toMatch(
    new RegExp(`"http://(localhost|127\\.0\\.0\\.1):${new URL(serviceUrl).port}/v1/runs"`),
  );
  expect(copied).not.toContain("svc_sk_");
  await page.goto("/reference/guide");
  for (const button of await page.getByRole("button", { name: "Python", exact: true }).all())
    await expect(button).toHaveAttribute("aria-pressed", "true");
  await page.goto("/reference");
  await expect(page.getByRole("link", { name: "OpenAPI document", exact: true })).toHaveAttribute(
    "href",
    "/v1/openapi.json",
  );
  expect(elsewhere).toEqual([]);
});

test("an operation is found by keyboard, and an error's code leads to what to do about it", async ({
  signedIn: { page },
}) => {
  await page.goto("/reference");
  await expect(page.getByRole("button", { name: "Search" }).first()).toBeEnabled();
  const search = page.getByRole("searchbox", { name: "Find an operation" });
  // The page listens once it is hydrated, which may be a moment after its frame; in the field the
  // key would be typed, so the field is emptied.
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(search).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await search.fill("");
  await page.keyboard.type("post realtime");
  const found = page.locator('a[href^="/reference/create"]');
  await expect(found).toHaveCount(2);
  await found.first().click();
  await page.getByRole("link", { name: "CONVERSATION_BUSY" }).click();
  await expect(page.locator("#CONVERSATION_BUSY")).toBeInViewport();
  await expect(page.locator("#CONVERSATION_BUSY")).toContainText(
    "Wait for the conversation's run to end",
  );
});

test("what is no operation is not found", async ({ signedIn: { page } }) => {
  for (const name of ["nothing", "__proto__", "constructor"]) {
    await page.goto(`/reference/${name}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/not found|nothing|no such/i);
  }
});

test("the reference has no fault of accessibility, in light and in dark", async ({
  signedIn: { page },
}) => {
  for (const place of [
    "/reference",
    "/reference/guide",
    "/reference/updateAgent",
    "/reference/createRealtimeRun",
  ])
    await expectAccessible(page, place, () =>
      expect(page.getByRole("heading", { level: 1 })).toBeVisible(),
    );
});
