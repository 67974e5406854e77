import { spawnSync } from "node:child_process";
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { errorCode } from "../../lib/platform/error-code.mjs";
import { SetupError } from "./setup-error.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const TRIAL_MS = 30_000;

// The packed browser needs its own libraries and fonts. A launcher keeps them from everything else
// that the tests start.
const LAUNCHER = `#!/bin/sh
home=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$home/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_PATH="$home"
exec "$home/chromium" "$@"
`;
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir><cachedir \
prefix="xdg">fontconfig</cachedir></fontconfig>
`;

const ARCHIVES = [
  { archive: "al2023.tar.br", folder: "al2023" },
  { archive: "swiftshader.tar.br", folder: "." },
  { archive: "fonts.tar.br", folder: "." },
];

/**
 * The path of a Chromium that was seen to start, for PLAYWRIGHT_CHROMIUM_PATH. In this order: the
 * one named there already, an installed one, Playwright's own, the one inside @sparticuz/chromium,
 * unpacked into `cacheFolder`; with `isLight` that one comes before the installed one: it is a
 * headless shell, which shows the same pages for half the processor time.
 * Throws a SetupError with the reason of each.
 * @param {string} cacheFolder
 * @param {{ isLight?: boolean }} [options]
 * @returns {Promise<string>}
 */
export async function findChromium(cacheFolder, { isLight = false } = {}) {
  const { chromium } = await import("@playwright/test");
  /** @type {string[]} */
  const refusals = [];
  const named = process.env.PLAYWRIGHT_CHROMIUM_PATH;
  const installed = candidates(chromium).map((path) => async () => path);
  const packed = () => unpackedChromium(cacheFolder);
  const finders = [
    ...(named ? [async () => named] : []),
    ...(isLight ? [packed, ...installed] : [...installed, packed]),
  ];
  for (const find of finders) {
    let path = "@sparticuz/chromium";
    try {
      path = await find();
      await tryBrowser(chromium, path);
      return path;
    } catch (error) {
      refusals.push(`${path}: ${String(error).split("\n")[0]}`);
    }
  }
  throw new SetupError(
    "No browser for the end-to-end tests starts here; install Chromium or set " +
      "PLAYWRIGHT_CHROMIUM_PATH.",
    refusals.join("\n"),
  );
}

/** @param {import("@playwright/test").BrowserType} chromium */
function candidates(chromium) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const apple = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  return [...installed, ...apple, chromium.executablePath()].filter(existsSync);
}

/**
 * Opens a page: a program that is there may still lack its libraries, or be a stub that offers to
 * install another.
 * @param {import("@playwright/test").BrowserType} chromium
 * @param {string} executablePath
 */
async function tryBrowser(chromium, executablePath) {
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: process.getuid?.() === 0 ? false : undefined,
    timeout: TRIAL_MS,
  });
  try {
    const page = await browser.newPage();
    await page.setContent("<p>ready</p>");
    if ((await page.textContent("p")) !== "ready") throw new Error("it shows no page");
  } finally {
    await browser.close();
  }
}

/** @param {string} cacheFolder */
async function unpackedChromium(cacheFolder) {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error(`it has no browser for ${process.platform}-${process.arch}`);
  const folder =
    createRequire(import.meta.url)
      .resolve("@sparticuz/chromium")
      .split(/build[\\/]/, 1)[0] ?? "";
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const home = join(cacheFolder, `chromium-${version}`);
  if (!existsSync(home)) await unpackInto(home, join(folder, "bin"));
  return join(home, "start-chromium");
}

/**
 * Into a draft that is renamed when whole: a broken-off unpacking is never used.
 * @param {string} home
 * @param {string} packed
 */
async function unpackInto(home, packed) {
  const draft = `${home}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    await unpackBrotli(join(packed, "chromium.br"), join(draft, "chromium"));
    chmodSync(join(draft, "chromium"), 0o755);
    for (const { archive, folder } of ARCHIVES) {
      mkdirSync(join(draft, folder), { recursive: true });
      await unpackBrotli(join(packed, archive), join(draft, `${archive}.tar`));
      const { status, stderr } = spawnSync(
        "tar",
        ["-xf", join(draft, `${archive}.tar`), "-C", join(draft, folder)],
        { encoding: "utf8" },
      );
      if (status !== 0) throw new Error(`${archive} could not be unpacked: ${stderr}`);
      rmSync(join(draft, `${archive}.tar`));
    }
    writeFileSync(join(draft, "fonts.conf"), FONTS);
    writeFileSync(join(draft, "start-chromium"), LAUNCHER, { mode: 0o755 });
    renameSync(draft, home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error))) throw error;
  }
}

/**
 * Unpacks one Brotli file to `target`.
 * @param {string} source
 * @param {string} target
 */
export async function unpackBrotli(source, target) {
  await pipeline(createReadStream(source), createBrotliDecompress(), createWriteStream(target));
}
