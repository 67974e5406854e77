import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { build } from "esbuild";
import { newProject, ROOT } from "../support/client-package";
import { test as base, expect } from "../support/console-test";
import { freePort } from "../support/servers";

/** What a page of somebody's own with React is, with the hooks of the package. */
const REACT_PAGE = `
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserClient } from "@lathe/client/browser";
import { useConversation } from "@lathe/client/react";
let place;
const getToken = async () => (place = await (await fetch("/lathe-token", { method: "POST" \
})).json());
function Chat({ lathe, words }) {
  const { messages, run, isBusy, send } = useConversation(lathe);
  const twice = () => { void send(words); void send(words); };
  return h("main", null,
    h("button", { onClick: twice, disabled: isBusy }, "Ask"),
    h("button", { onClick: () => run.cancel() }, "Cancel"),
    h("output", null, JSON.stringify({ said: messages.map(({ text }) => text), now: run.text, \
isBusy })));
}
window.showChat = async (words) => {
  const { agentId, baseUrl } = await getToken();
  document.body.innerHTML = "<div id=root></div>";
  const lathe = createBrowserClient({ agentId, baseUrl, getToken: async () => place });
  createRoot(document.getElementById("root")).render(h(Chat, { lathe, words }));
};
`;

interface Chat {
  /** Where the example and the installed package are. */
  folder: string;
  /** Where the page is: another origin than the service's. */
  url: string;
  agentId: string;
}

/** The example's chat page, embedding an agent that asks before it writes, at a port of its own. */
const test = base.extend<{ chat: Chat; elsewhere: string }>({
  // What is sent along with each request of a page is more than a page of another origin may send.
  extraHTTPHeaders: {},
  chat: async ({ account, inbox, newAgent, serviceUrl }, use) => {
    const folder = await newProject({}, { type: "module" });
    cpSync(path.join(ROOT, "examples/browser-chat"), folder, {
      recursive: true,
      filter: (file) => path.basename(file) !== "package.json",
    });
    const http = [
      {
        name: "create_ticket",
        method: "POST",
        url: `${inbox.url}/tickets`,
        input_schema: { type: "object" },
      },
    ];
    const agent = await newAgent({ autonomy: "approval_required", config: { tools: { http } } });
    const port = await freePort();
    const child: ChildProcess = spawn(process.execPath, ["server.js"], {
      cwd: folder,
      env: {
        ...process.env,
        LATHE_API_KEY: account.apiKey,
        LATHE_BASE_URL: serviceUrl,
        LATHE_AGENT_ID: agent.agent_id,
        PORT: String(port),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (child.stdout) await once(child.stdout, "data");
    await use({ folder, url: `http://localhost:${port}`, agentId: agent.agent_id });
    child.kill();
    await once(child, "close");
    await rm(folder, { recursive: true, force: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: a fixture takes a pattern
  elsewhere: async ({}, use) => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><link rel=icon href=data:,><title>Elsewhere</title>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // A server that listens on a port has such an address.
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    server.close();
  },
});

test("another origin's page starts a run, shows its answer live, and goes on", async ({
  account,
  chat,
  page,
  script,
}) => {
  const first = await script({ text: "It is sunny today.", chunk_size: 4, hold_after: 2 });
  await page.goto(chat.url);
  await page.getByLabel("Your question").fill(`The weather? ${first.mark}`);
  await page.getByRole("button", { name: "Send" }).click();
  const answers = page.locator("li.assistant");
  // Of the answer only a part has been written; the rest waits.
  await expect(answers).toHaveText(/^It is s/);
  await expect(answers).not.toHaveText(/today/);
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await first.release();
  await expect(answers).toHaveText("It is sunny today.");
  const second = await script({ text: "Rain." });
  await page.getByLabel("Your question").fill(`And tomorrow? ${second.mark}`);
  await page.getByLabel("Your question").press("Enter");
  await expect(answers.nth(1)).toHaveText("Rain.");
  const { data } = (
    await account.api.get("/v1/runs", { query: { agent_id: chat.agentId, limit: 100 } })
  ).as("RunPage");
  const runs = data.filter(({ kind }) => kind === "app");
  expect(runs).toHaveLength(2);
  expect(new Set(runs.map((run) => run.conversation_id)).size).toBe(1);
  const [visitor] = (await page.context().cookies()).filter(({ name }) => name === "visitor");
  for (const run of runs) expect(run.metadata).toEqual({ end_user: visitor?.value });
});

test("the person in the page decides what the agent asks, and stops what is unwanted", async ({
  chat,
  inbox,
  page,
  script,
}) => {
  const asking = await script(
    { tool_calls: [{ name: "create_ticket", args: { title: "Broken lamp" } }] },
    { text: "The ticket is made." },
  );
  await page.goto(chat.url);
  await page.getByLabel("Your question").fill(`A ticket, please. ${asking.mark}`);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("region", { name: "Your decision" })).toContainText("create_ticket");
  expect(await inbox.received()).toEqual([]);
  await page.getByRole("button", { name: "Yes, do it" }).click();
  await expect(page.locator("li.assistant")).toContainText("The ticket is made.");
  expect((await inbox.received()).map(({ body }) => body)).toEqual(['{"title":"Broken lamp"}']);
  const held = await script({ text: "Never said.", hold_first: true });
  await page.getByLabel("Your question").fill(`A long story. ${held.mark}`);
  await page.getByRole("button", { name: "Send" }).click();
  await held.waitForCalls(1);
  await page.getByRole("button", { name: "Stop" }).click();
  await held.waitForDisconnect();
  await expect(page.locator("li.problem")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
});

test("the hooks tell what is said, send one message for two clicks, and go on", async ({
  chat,
  page,
  script,
}) => {
  const { outputFiles } = await build({
    stdin: { contents: REACT_PAGE, resolveDir: chat.folder },
    bundle: true,
    format: "iife",
    define: { "process.env.NODE_ENV": '"production"' },
    nodePaths: [path.join(ROOT, "node_modules")],
    write: false,
  });
  const one = await script({ text: "The first.", chunk_size: 4, hold_after: 2 }, { text: "Then." });
  await page.goto(chat.url);
  await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
  await page.evaluate(
    (words) => (window as unknown as { showChat(words: string): Promise<void> }).showChat(words),
    one.mark,
  );
  const shown = page.locator("output");
  await page.getByRole("button", { name: "Ask" }).click();
  await expect(shown).toHaveText(/"now":"The fir/);
  await one.release();
  await expect(shown).toHaveText(
    JSON.stringify({ said: [one.mark, "The first."], now: "The first.", isBusy: false }),
  );
  await page.getByRole("button", { name: "Ask" }).click();
  await expect(shown).toHaveText(
    JSON.stringify({
      said: [one.mark, "The first.", one.mark, "Then."],
      now: "Then.",
      isBusy: false,
    }),
  );
  expect(await one.calls()).toHaveLength(2);
});

test("a page of a third origin can neither use the token nor read what is answered to it", async ({
  chat,
  elsewhere,
  page,
  pageProblems,
  serviceUrl,
}) => {
  await page.goto(chat.url);
  const { token } = await page.evaluate(
    async () =>
      (await (await fetch("/lathe-token", { method: "POST" })).json()) as { token: string },
  );
  const list = `${serviceUrl}/api/v1/apps/${chat.agentId}/runs`;
  const ask = () =>
    page.evaluate(
      async ([url, bearer]) => {
        try {
          const answer = await fetch(String(url), {
            headers: { authorization: `Bearer ${bearer}` },
          });
          return answer.status;
        } catch (error) {
          return String(error);
        }
      },
      [list, token],
    );
  expect(await ask()).toBe(200);
  pageProblems.allow(/CORS|ERR_FAILED/);
  await page.goto(elsewhere);
  expect(await ask()).toContain("Failed to fetch");
});
