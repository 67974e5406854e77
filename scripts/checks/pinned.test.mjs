import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readDockerfile } from "./dockerfile.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const WORKFLOWS = join(ROOT, ".github/workflows");

/**
 * Images whose digest was not at hand (decisions 0048 and 0053): of the Node.js of the last
 * security release no public repository named one, and an older one by digest lacks its fixes.
 */
const BY_TAG = ["node:24.22.2-bookworm-slim", "inngest/inngest:v1.43.0"];

test("each action is a commit, with the version that it is beside it", () => {
  const uses = readdirSync(WORKFLOWS).flatMap((name) =>
    [...readFileSync(join(WORKFLOWS, name), "utf8").matchAll(/^\s*-?\s*uses:\s*(.*)$/gm)].map(
      ([, used = ""]) => `${name}: ${used}`,
    ),
  );
  expect(uses.length).toBeGreaterThan(3);
  expect(uses.filter((used) => !/: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used))).toEqual(
    [],
  );
});

test("each foreign image is a version and digest, one everywhere, or a noted exception", () => {
  const { services } = parse(readFileSync(join(ROOT, "compose.yaml"), "utf8"), { merge: true });
  const images = [
    ...readDockerfile(readFileSync(join(ROOT, "Dockerfile"), "utf8")).bases,
    .../** @type {{ image: string }[]} */ (Object.values(services)).map(({ image }) => image),
  ].filter((image) => !image.startsWith("${LATHE_IMAGE"));
  expect(images.length).toBeGreaterThan(8);
  expect([
    ...new Set(images.filter((image) => !/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))),
  ]).toEqual(BY_TAG);
  const digests = new Map(
    images.map((image) => /** @type {[string, string]} */ (image.split("@"))),
  );
  for (const image of images)
    expect(image.split("@")[1], image).toBe(digests.get(image.split("@")[0] ?? ""));
});

test("what is pinned is kept up, images, actions and packages, a week after release", () => {
  const { updates } = parse(readFileSync(join(ROOT, ".github/dependabot.yml"), "utf8"));
  /** @type {{ "package-ecosystem": string, cooldown?: object, groups?: object }[]} */
  const kinds = updates;
  expect(kinds.map((each) => each["package-ecosystem"]).sort()).toEqual(
    ["npm", "github-actions", "docker", "docker-compose", "pip"].sort(),
  );
  for (const kind of kinds) {
    expect(kind.cooldown, kind["package-ecosystem"]).toEqual({ "default-days": 7 });
    expect(Object.keys(kind.groups ?? {}), kind["package-ecosystem"]).not.toEqual([]);
  }
});

test("a version is forced on a package only with the reason in SECURITY.md", () => {
  const { overrides } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const policy = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
  const forced = Object.entries(overrides).flatMap(([parent, children]) =>
    Object.keys(children).map((name) => `| \`${name}\` below \`${parent}\` `),
  );
  expect(forced).not.toEqual([]);
  expect(forced.filter((row) => !policy.includes(row))).toEqual([]);
  const rows = policy.match(/^\| `[^`]+` below `/gm) ?? [];
  expect(rows).toHaveLength(forced.length);
});
