import { execFile, spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { build } from "esbuild";

/**
 * The code that the reference shows of an operation, as a reader copies it, and how long the page
 * is.
 */
export async function readCode(
  page: Page,
  operationId: string,
): Promise<{ code: Record<CodeLanguage, string>; bytes: number }> {
  const html = await (await page.request.get(`/reference/${operationId}`)).text();
  const blocks = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "text/html");
    return [...parsed.querySelectorAll("[data-snippet]")].map((block) => [
      block.getAttribute("data-snippet") ?? "",
      block.querySelector("code")?.textContent ?? "",
    ]);
  }, html);
  const found = Object.fromEntries(blocks) as Partial<Record<string, string>>;
  const code = {
    curl: found.curl ?? "",
    typescript: found.typescript ?? "",
    python: found.python ?? "",
  };
  return { code, bytes: Buffer.byteLength(html) };
}

const CLIENT = fileURLToPath(new URL("../../../lib/client/lathe-client.ts", import.meta.url));

type CodeLanguage = "curl" | "typescript" | "python";

/** Whether this machine can run it: the tests need nothing but Node. */
export function runsHere(language: CodeLanguage): boolean {
  const command = { curl: "curl", python: "python3", typescript: process.execPath }[language];
  return spawnSync(command, ["--version"]).error === undefined;
}

/**
 * Runs code of the reference as a reader would, in `folder`, and gives what it printed.
 * @throws when it ends with a fault, with all that it printed
 */
export async function runCode(
  language: CodeLanguage,
  code: string,
  folder: string,
  keys: Record<string, string>,
): Promise<string> {
  if (language === "curl") return run("sh", ["-c", code], folder, keys);
  if (language === "python") return run("python3", ["-c", code], folder, keys);
  const outfile = path.join(folder, `${crypto.randomUUID()}.mjs`);
  await build({
    stdin: {
      contents: code.replaceAll("./client/lathe-client", CLIENT),
      loader: "ts",
      resolveDir: folder,
    },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    outfile,
  });
  return run(process.execPath, [outfile], folder, keys);
}

function run(
  command: string,
  args: string[],
  cwd: string,
  keys: Record<string, string>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const env: NodeJS.ProcessEnv = { NODE_ENV: "test", PATH: process.env.PATH, ...keys };
    execFile(command, args, { cwd, env, timeout: 240_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stdout}\n${stderr}`)) : resolve(stdout),
    );
  });
}
