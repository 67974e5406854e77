import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { CONSOLE_OPERATIONS } from "@/lib/api/console/console-surface";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { createListener, type Handler, type Listener } from "@/lib/server/listener";
import { type PathRule, ruleOf } from "@/lib/server/path-rules";

// `npm run check` refuses a route that could be served outside of the listener's limits: every file
// that Next makes a route of, and every operation, is asked of the real listener, and must be
// refused before anything of it is reached.

const root = fileURLToPath(new URL("../..", import.meta.url));
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const ID = "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001";

/** A path of each route below `app`: groups fall away, parameters get a value. */
function routes(folder = join(root, "app"), path = ""): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return entry.name.startsWith("_")
        ? []
        : routes(join(folder, entry.name), `${path}${segmentOf(entry.name)}`);
    return /^(route|page)\.tsx?$/.test(entry.name) ? [path || "/"] : [];
  });
}

function segmentOf(name: string): string {
  if (name.startsWith("(")) return "";
  return `/${name.replace(/^\[+(?:\.\.\.)?\w+\]+$/, ID)}`;
}

interface Reached {
  path: string;
  why: string;
}

/**
 * What of `paths` is answered though its address is over the limit, or takes a body of more than a
 * limit.
 */
async function findOutside(
  paths: string[],
  make: (settings: Parameters<typeof createListener>[0]) => Listener,
): Promise<Reached[]> {
  const found: Reached[] = [];
  const spent = await serve(
    make({ addressesPerMinute: 1, connectionsPerAddress: 0, trustedProxies: [] }),
  );
  await ask(spent, "GET", "/");
  const free = await serve(
    make({ addressesPerMinute: 0, connectionsPerAddress: 0, trustedProxies: [] }),
  );
  for (const path of paths) {
    for (const method of ["GET", "POST", "HEAD", "OPTIONS"])
      if ((await ask(spent, method, path)) !== 429)
        found.push({ path, why: `${method} is not counted by address` });
    const refused = await ask(free, "POST", path, 8 * 1024 * 1024);
    // The API's own dispatcher bounds its bodies after it has seen the key.
    if (refused !== 413 && refused !== 401 && refused !== 404 && refused !== 405)
      found.push({ path, why: `a body of 8 MiB is answered ${refused}` });
  }
  return found;
}

const serves: Handler = (_incoming, response) => {
  response.end();
};

async function serve(listener: Listener): Promise<number> {
  const server = createServer((incoming, response) =>
    listener.answer(incoming, response, serves),
  ).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return (server.address() as AddressInfo).port; // it listens on a port
}

function ask(port: number, method: string, path: string, bytes = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: bytes > 0 ? { "content-length": bytes } : {},
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.resume();
        call.destroy();
      },
    );
    call.on("error", reject);
    // The announced length is enough to be refused.
    if (bytes > 0) call.flushHeaders();
    else call.end();
  });
}

const OPERATIONS = [...V1_OPERATIONS, ...APP_OPERATIONS, ...CONSOLE_OPERATIONS];
const paths = () =>
  [
    ...new Set([...routes(), ...OPERATIONS.map(({ path }) => path.replaceAll(/\{\w+\}/g, ID))]),
  ].sort();
const isUpload = (path: string) => ruleOf("POST", path).bodyMaxBytes === null;

/** Asked by supervisors and balancers: their answers are known already, and must always come. */
const PROBES = ["/api/health", "/api/ready"];

test("every route but the probes is counted by address, and bounded, first", async () => {
  const all = paths().filter((path) => !PROBES.includes(path));
  expect(all.length).toBeGreaterThan(80);
  expect(all).toEqual(
    expect.arrayContaining(["/", "/sign-in", "/api/inngest", "/metrics", "/v1/runs"]),
  );
  expect(await findOutside(all, createListener)).toEqual([]);
  expect((await findOutside(paths(), createListener)).map(({ path, why }) => [path, why])).toEqual(
    PROBES.flatMap((path) => ["GET", "HEAD"].map((m) => [path, `${m} is not counted by address`])),
  );
});

test("a branch of the listener that lets a path by is found", async () => {
  const letBy =
    (path: string, rule: PathRule) => (settings: Parameters<typeof createListener>[0]) =>
      createListener({
        ...settings,
        rules: (method, target) => (target === path ? rule : ruleOf(method, target)),
      });
  const uncounted = letBy("/metrics", { kind: "static", bodyMaxBytes: 0, bodyWithinMs: 0 });
  expect(
    (await findOutside(["/sign-in", "/metrics"], uncounted)).map(({ path }) => path),
  ).toContain("/metrics");
  const unbounded = letBy("/api/auth/x", { kind: "route", bodyMaxBytes: null, bodyWithinMs: null });
  expect(await findOutside(["/sign-in", "/api/auth/x"], unbounded)).toEqual([
    { path: "/api/auth/x", why: "a body of 8 MiB is answered 200" },
  ]);
});

test("only three operations bound their bodies themselves, and only while they store them", () => {
  const uploads = paths().filter(isUpload);
  expect(uploads.map((path) => path.replace(/\/[0-9a-f-]{36}/g, "/{}"))).toEqual([
    "/v1/agents/import",
    "/v1/skills",
    "/v1/workspaces/{}/files",
  ]);
});

test("nothing but the listener leads to Next's handler or opens a port", () => {
  const opens = sources().filter((file) =>
    /getRequestHandler\(|createServer\(|\.listen\(/.test(readFileSync(join(root, file), "utf8")),
  );
  // The operator's session of the tests listens on loopback, under a path that nobody can guess;
  // the proxy of the conformance suite, too, on a service of its own.
  expect(opens).toEqual([
    "lib/engine/conformance/engine-hosts.ts",
    "lib/server/serve.mjs",
    "scripts/admin-session.mjs",
    "scripts/mcp/conformance-target.mjs",
    "scripts/real-model/model-server.mjs",
    "scripts/setup/free-port.mjs",
  ]);
  const serve = readFileSync(join(root, "lib/server/serve.mjs"), "utf8");
  expect(serve.match(/getRequestHandler\(\)/g)).toHaveLength(1);
  expect(serve).toContain("behindListener(made.getRequestHandler())");
  expect(existsSync(join(root, "pages"))).toBe(false);
});

/** The sources that run in the service, without tests and generated code. */
function sources(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return /(^|\/)(test|generated|node_modules)$/.test(path) ? [] : below(path);
      return /\.(ts|tsx|mjs)$/.test(path) && !/\.test\.|test-server|test-database/.test(path)
        ? [path]
        : [];
    });
  return ["app", "lib", "scripts"].flatMap(below).sort();
}
