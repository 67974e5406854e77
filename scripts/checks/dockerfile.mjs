import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * The last stage of a Dockerfile, as far as a test puts it together without a container engine.
 * @typedef {object} Image
 * @property {string} from
 * @property {Record<string, string>} environment
 * @property {string} folder where it works
 * @property {{ from: string | null, sources: string[], target: string }[]} copies
 * @property {string} user
 * @property {string[]} command
 * @property {string[]} healthCheck
 * @property {string[]} bases the images that all stages are made of
 */

/** @param {string} text */
function instructions(text) {
  const lines = text.split("\n").filter((line) => !/^\s*#/.test(line));
  return lines
    .join("\n")
    .replace(/\\\n/g, " ")
    .split("\n")
    .map((line) => /^([A-Z]+) (.*)$/.exec(line.trim().replace(/\s+/g, " ")))
    .flatMap((match) => (match ? [{ name: match[1] ?? "", rest: (match[2] ?? "").trim() }] : []));
}

/**
 * @param {string} text a Dockerfile of the forms that ours has: commands as JSON, no ONBUILD, no
 * heredocs
 * @returns {Image}
 */
export function readDockerfile(text) {
  const all = instructions(text);
  const bases = all
    .filter(({ name }) => name === "FROM")
    .map(({ rest }) => rest.split(/\s+/)[0] ?? "");
  const last = all.slice(all.findLastIndex(({ name }) => name === "FROM"));
  /** @param {string} wanted */
  const value = (wanted) => last.findLast(({ name }) => name === wanted)?.rest ?? "";
  const environment = last
    .filter(({ name }) => name === "ENV")
    .flatMap(({ rest }) => rest.split(/\s+/).map((pair) => pair.split(/=(.*)/s)));
  return {
    from: bases.at(-1) ?? "",
    bases,
    environment: Object.fromEntries(environment.map(([name, text = ""]) => [name, text])),
    folder: value("WORKDIR"),
    copies: last.filter(({ name }) => name === "COPY").map(({ rest }) => readCopy(rest)),
    user: value("USER"),
    command: JSON.parse(value("CMD") || "[]"),
    healthCheck: JSON.parse(/\bCMD\s+(\[.*)$/.exec(value("HEALTHCHECK"))?.[1] ?? "[]"),
  };
}

/** @param {string} rest */
function readCopy(rest) {
  const words = rest.split(/\s+/);
  const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length) ?? null;
  const paths = words.filter((word) => !word.startsWith("--"));
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? "" };
}

/**
 * Copies into the folder `root` what the image's COPY lines take from the stage `build`, whose
 * folder is the built clone at `clone`.
 * @param {Image} image
 * @param {string} clone
 * @param {string} root
 * @throws Error for a line whose source is not there
 */
export function assembleImage(image, clone, root) {
  for (const { sources, target } of image.copies) {
    const place = join(root, target.startsWith("/") ? target : join(image.folder, target));
    for (const source of sources) {
      const found = matching(join(clone, source.replace(/^\/app\//, "")));
      if (found.length === 0) throw new Error(`COPY takes ${source}, which is not there.`);
      for (const file of found) {
        const intoFolder = sources.length > 1 || target.endsWith("/");
        // As COPY does: of a folder its content, of a file the file itself.
        const to =
          statSync(file).isDirectory() || !intoFolder ? place : join(place, basename(file));
        mkdirSync(join(to, ".."), { recursive: true });
        cpSync(file, to, { recursive: true, verbatimSymlinks: true });
      }
    }
  }
}

/** The file or folder at `path`, or those that its last part means by `*`. @param {string} path */
export function matching(path) {
  if (!path.includes("*")) return existsSync(path) ? [path] : [];
  const [before = "", after = ""] = basename(path).split("*");
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => join(dirname(path), name));
}
