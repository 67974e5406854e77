import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createClient } from "@lathe/client";

// By LATHE_API_KEY and LATHE_BASE_URL. The key stays here.
const lathe = createClient();
const agentId = process.env.LATHE_AGENT_ID ?? "";
const port = Number(process.env.PORT ?? 4000);
const pageOrigin = process.env.PAGE_ORIGIN ?? `http://localhost:${port}`;

const own = (path) => fileURLToPath(new URL(`public/${path}`, import.meta.url));
const FILES = {
  "/": [own("index.html"), "text/html"],
  "/chat.js": [own("chat.js"), "text/javascript"],
  "/chat.css": [own("chat.css"), "text/css"],
  "/lathe.js": [fileURLToPath(import.meta.resolve("@lathe/client/browser")), "text/javascript"],
};

/** Who is there: by a cookie here, by your own sign-in in a product. */
function visitorOf(request, response) {
  const known = /(?:^|;\s*)visitor=([0-9a-f-]{36})/.exec(request.headers.cookie ?? "")?.[1];
  const visitor = known ?? randomUUID();
  if (!known)
    response.setHeader("set-cookie", `visitor=${visitor}; Path=/; HttpOnly; SameSite=Lax`);
  return visitor;
}

async function answer(request, response) {
  const { pathname } = new URL(request.url ?? "/", pageOrigin);
  if (request.method === "POST" && pathname === "/lathe-token") {
    // A token is for this page alone: another site's page must not be given one by a visitor's
    // cookie.
    if (request.headers.origin !== pageOrigin) return response.writeHead(403).end();
    const token = await lathe.clientTokens.create({
      agent_id: agentId,
      end_user: visitorOf(request, response),
      expires_in: 900,
      can: ["run", "read", "cancel", "approve"],
      origins: [pageOrigin],
    });
    response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    return response.end(JSON.stringify({ ...token, agentId, baseUrl: process.env.LATHE_BASE_URL }));
  }
  const [file, type] = FILES[pathname] ?? [];
  if (!file) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
  response.end(await readFile(file));
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
}).listen(port, "localhost", () => console.log(`The page is at ${pageOrigin}`));
