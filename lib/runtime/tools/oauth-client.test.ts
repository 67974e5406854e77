import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  discoverServer,
  documentedClient,
  refreshTokens,
  registerAt,
} from "@/lib/runtime/tools/oauth-client";

let server: Server;
let origin: string;
let resource: Record<string, unknown>;
let metadata: Record<string, unknown>;
const asked: string[] = [];
/** What else a refusal says, and the path that is answered byte by byte without end. */
let more = "";
let drips = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const json = (body: unknown) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/mcp")
      return void response
        .writeHead(401, { "www-authenticate": `Bearer error="invalid_token", scope="a b"${more}` })
        .end();
    if (request.url === drips) {
      response.writeHead(200, { "content-type": "application/json" });
      // Never silent for long, and never done.
      const timer = setInterval(() => response.write(" "), 5);
      return void response.once("close", () => clearInterval(timer));
    }
    if (request.url === "/.well-known/oauth-protected-resource/mcp") return void json(resource);
    if (request.url === "/.well-known/oauth-authorization-server") return void json(metadata);
    if (request.url === "/token")
      return void json({ access_token: "fresh", token_type: "Bearer", expires_in: 60 });
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  more = "";
  drips = "";
  resource = { resource: `${origin}/mcp`, authorization_servers: [origin] };
  metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
  };
});

const reach = () => ({ allow: [new URL(origin).host] });
const discover = () => discoverServer(`${origin}/mcp`, reach());

test("a server and its authorization server are found by their words, with scopes", async () => {
  expect(await discover()).toMatchObject({
    issuer: origin,
    resource: `${origin}/mcp`,
    scopes: ["a", "b"],
  });
  expect(asked).toEqual([
    "POST /mcp",
    "GET /.well-known/oauth-protected-resource/mcp",
    "GET /.well-known/oauth-authorization-server",
  ]);
});

test.each([
  [
    "names another server as the resource",
    () => Object.assign(resource, { resource: "https://other.example/mcp" }),
    /which is another address/,
  ],
  [
    "names a place beside its own as the resource",
    () => Object.assign(resource, { resource: `${origin}/mcp2` }),
    /which is another address/,
  ],
  [
    "names no authorization server",
    () => Object.assign(resource, { authorization_servers: [] }),
    /names no authorization server/,
  ],
  [
    "names one that lies inside",
    () => Object.assign(resource, { authorization_servers: ["https://10.0.0.1"] }),
    /public http or https/,
  ],
  [
    "names one without https",
    () => Object.assign(resource, { authorization_servers: ["http://auth.example"] }),
    /over https/,
  ],
  [
    "is signed in to by one that calls itself another",
    () => Object.assign(metadata, { issuer: "https://other.example" }),
    /calls itself/,
  ],
  [
    "is signed in to without PKCE",
    () => Object.assign(metadata, { code_challenge_methods_supported: ["plain"] }),
    /PKCE by S256/,
  ],
  [
    "has a token endpoint that lies inside",
    () => Object.assign(metadata, { token_endpoint: "https://192.168.1.1/t" }),
    /public http or https/,
  ],
  [
    "sends people elsewhere without https",
    () => Object.assign(metadata, { authorization_endpoint: "http://auth.example/a" }),
    /over https/,
  ],
  [
    "is told of a revocation inside",
    () => Object.assign(metadata, { revocation_endpoint: "https://[::1]/r" }),
    /public http or https/,
  ],
])("a server that %s signs nobody in, and is sent nothing more", async (_what, change, words) => {
  change();
  await expect(discover()).rejects.toThrow(words);
  expect(asked.every((line) => !/authorize|token|revo/.test(line))).toBe(true);
});

test("where no client can be registered, the owner is told the redirect URI", async () => {
  const found = await discover();
  await expect(registerAt(found, "https://lathe.example/callback", [], reach())).rejects.toThrow(
    /registers no clients .* redirect URI https:\/\/lathe\.example\/callback, and give its client_id\.$/,
  );
});

test.each(["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"])(
  "a server that answers %s byte by byte without end is given up in a limited time for all of it",
  async (path) => {
    drips = path;
    await expect(discoverServer(`${origin}/mcp`, { ...reach(), totalMs: 300 })).rejects.toThrow(
      /did not answer whole in time/,
    );
  },
);

test("a renewal answered byte by byte is given up before its lease ends", async () => {
  const found = await discover();
  drips = "/token";
  const renewal = refreshTokens(found, { client_id: "c" }, "r", { ...reach(), totalMs: 300 });
  await expect(renewal).rejects.toThrow(
    /did not renew the sign-in: .* did not answer whole in time/,
  );
});

test("metadata of a server is read over https alone, and from no address inside", async () => {
  for (const [url, said] of [
    ["http://meta.example/m", /over https/],
    ["https://10.0.0.1/m", /public http or https/],
  ] as const) {
    more = `, resource_metadata="${url}"`;
    await expect(discover()).rejects.toThrow(said);
  }
  more = `, resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  expect(await discover()).toMatchObject({ issuer: origin });
});

test("a service with its own document registers nowhere, where servers take it", async () => {
  const document = "https://lathe.example/client-metadata.json";
  expect(documentedClient(await discover(), document)).toBeNull();
  metadata.client_id_metadata_document_supported = true;
  const found = await discover();
  expect(documentedClient(found, null)).toBeNull();
  expect(documentedClient(found, document)).toEqual({
    client_id: document,
    token_endpoint_auth_method: "none",
  });
});

test("tokens are asked for without https only where the operator exempted it", async () => {
  const plain = origin.replace("127.0.0.1", "0.0.0.0");
  metadata.token_endpoint = `${plain}/token`;
  await expect(discover()).rejects.toThrow(/public http or https/);
  const both = [new URL(origin).host, new URL(plain).host];
  const found = await discoverServer(`${origin}/mcp`, { allow: both });
  const tokens = await refreshTokens(found, { client_id: "c" }, "r", { allow: both });
  expect(tokens.access_token).toBe("fresh");
  await expect(refreshTokens(found, { client_id: "c" }, "r", reach())).rejects.toThrow();
});
