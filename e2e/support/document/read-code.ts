import type { Page } from "@playwright/test";
import type { CodeLanguage } from "./run-code";

/** The code that the reference shows of an operation, as a reader copies it, and how long the page is. */
export async function readCode(page: Page, operationId: string): Promise<{ code: Record<CodeLanguage, string>; bytes: number }> {
  const html = await (await page.request.get(`/reference/${operationId}`)).text();
  const blocks = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "text/html");
    return [...parsed.querySelectorAll("[data-snippet]")].map((block) => [
      block.getAttribute("data-snippet") ?? "",
      block.querySelector("code")?.textContent ?? "",
    ]);
  }, html);
  const found = Object.fromEntries(blocks) as Partial<Record<string, string>>;
  const code = { curl: found.curl ?? "", typescript: found.typescript ?? "", python: found.python ?? "" };
  return { code, bytes: Buffer.byteLength(html) };
}
