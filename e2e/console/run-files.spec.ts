import { readFile } from "node:fs/promises";
import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";

test("a run's page lists the files that it works with, and downloads them", async ({
  page,
  newAccount,
  script,
}) => {
  const account = await newAccount();
  const write = (path: string, content: string) => ({
    name: "files_write",
    args: { path, content },
  });
  const long = `run:a/${"very-long-name-".repeat(8)}.txt`;
  const { mark } = await script(
    { tool_calls: [write("run:drafts/report.md", "# Tides"), write(long, "x")] },
    { text: "Both are kept." },
  );
  const { run_id } = await startRun(account.api, { input: { text: mark } });
  await waitForRun(account.api, run_id);
  await openConsole(page, account, `/runs/${run_id}`);
  const files = page.getByRole("region", { name: "Working files", exact: true });
  await expect(files).toContainText("drafts/report.md");
  const downloading = page.waitForEvent("download");
  await files.getByRole("link", { name: "Download drafts/report.md" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("report.md");
  expect(await readFile(await download.path(), "utf8")).toBe("# Tides");
  await expectAccessible(page, `/runs/${run_id}`, () => expect(files).toContainText("report.md"));
  for (const [width, scheme] of [
    [360, "dark"],
    [1280, "light"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await files.scrollIntoViewIfNeeded();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
  }
});
