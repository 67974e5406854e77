import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  InvalidGrantError,
  InvalidTokenError,
} from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import type { OAuthServerProvider } from "@modelcontextprotocol/sdk/server/auth/provider.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type {
  OAuthClientInformationFull,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { z } from "zod";

export interface OauthMcpServer {
  /** The MCP server that needs a sign-in; its authorization server is on the same origin. */
  serverUrl: string;
  /** The same tools, for anybody. */
  plainUrl: string;
  host: string;
  settings: {
    /** Of access tokens. */
    tokenSeconds: number;
    /** Who signs in is refused. */
    refuses: boolean;
    /** What a renewal waits for. */
    renewalHeld: Promise<void>;
    /** The renewal's answer is a fault of the server. */
    renewalFails: boolean;
    /** What it makes of clients that are known by their metadata document; null: it takes none. */
    documents: "taken" | "refused by a page" | "refused for tokens" | null;
    /** It registers clients. */
    registers: boolean;
  };
  seen: {
    registrations: number;
    renewals: number;
    renewalsAtOnce: number;
    resources: Set<string>;
    tokens: Set<string>;
    revoked: string[];
  };
  /** Goes where a browser would go, and gives the address that it is sent back to. */
  signIn(authorizationUrl: string): Promise<URL>;
  /** No access token that was given counts any more. */
  endAccess(): void;
  /** Nothing that was given counts any more. */
  endGrants(): void;
  stop(): Promise<void>;
}

type JsonResponse = ServerResponse & { json(body: Record<string, unknown>): unknown };

interface Grant {
  clientId: string;
  refreshToken: string;
  scopes: string[];
  isOver: boolean;
}

/**
 * An authorization server and an MCP server by the official SDK, on the loopback address. It
 * rotates refresh tokens, and takes one that comes again for a theft, which ends its grant.
 */
export async function startOauthMcpServer(port = 0): Promise<OauthMcpServer> {
  const settings: OauthMcpServer["settings"] = {
    tokenSeconds: 3_600,
    refuses: false,
    renewalHeld: Promise.resolve(),
    renewalFails: false,
    documents: null,
    registers: true,
  };
  const seen: OauthMcpServer["seen"] = {
    registrations: 0,
    renewals: 0,
    renewalsAtOnce: 0,
    resources: new Set(),
    tokens: new Set(),
    revoked: [],
  };
  const clients = new Map<string, OAuthClientInformationFull>();
  /** Clients whose document was read. */
  const documented = new Map<string, OAuthClientInformationFull>();
  const codes = new Map<
    string,
    { challenge: string; clientId: string; redirectUri: string; scopes: string[] }
  >();
  const grants = new Map<string, Grant>();
  const access = new Map<
    string,
    { clientId: string; grant: Grant; until: number; resource: string | undefined }
  >();
  let renewing = 0;

  const give = (grant: Grant, resource: URL | undefined): OAuthTokens => {
    grant.refreshToken = `refresh-${randomBytes(16).toString("hex")}`;
    grants.set(grant.refreshToken, grant);
    const token = `access-${randomBytes(16).toString("hex")}`;
    access.set(token, {
      clientId: grant.clientId,
      grant,
      until: Date.now() + settings.tokenSeconds * 1000,
      resource: resource?.href,
    });
    seen.tokens.add(token).add(grant.refreshToken);
    if (resource) seen.resources.add(resource.href);
    return {
      access_token: token,
      refresh_token: grant.refreshToken,
      token_type: "bearer",
      expires_in: settings.tokenSeconds,
      scope: grant.scopes.join(" "),
    };
  };

  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id) ?? documented.get(id),
      registerClient: (client) => {
        seen.registrations += 1;
        const known = {
          ...client,
          client_id: randomBytes(8).toString("hex"),
          client_id_issued_at: 0,
        };
        clients.set(known.client_id, known);
        return known;
      },
    },
    async authorize(client, { state, scopes, codeChallenge, redirectUri, resource }, response) {
      const back = new URL(redirectUri);
      if (state) back.searchParams.set("state", state);
      if (settings.refuses) back.searchParams.set("error", "access_denied");
      else {
        const code = randomBytes(16).toString("hex");
        codes.set(code, {
          challenge: codeChallenge,
          clientId: client.client_id,
          redirectUri,
          scopes: scopes ?? [],
        });
        back.searchParams.set("code", code);
        if (settings.documents === "refused for tokens") documented.clear();
      }
      if (resource) seen.resources.add(resource.href);
      response.redirect(back.href);
    },
    async challengeForAuthorizationCode(_client, code) {
      const known = codes.get(code);
      if (!known) throw new InvalidGrantError("no such code");
      return known.challenge;
    },
    async exchangeAuthorizationCode(client, code, _verifier, redirectUri, resource) {
      const known = codes.get(code);
      codes.delete(code);
      if (known?.clientId !== client.client_id || known.redirectUri !== redirectUri)
        throw new InvalidGrantError("no such code");
      return give(
        { clientId: client.client_id, refreshToken: "", scopes: known.scopes, isOver: false },
        resource,
      );
    },
    async exchangeRefreshToken(client, refreshToken, _scopes, resource) {
      seen.renewals += 1;
      renewing += 1;
      seen.renewalsAtOnce = Math.max(seen.renewalsAtOnce, renewing);
      try {
        await settings.renewalHeld;
        if (settings.renewalFails) throw new Error("out of order");
        const grant = grants.get(refreshToken);
        if (!grant || grant.isOver || grant.clientId !== client.client_id)
          throw new InvalidGrantError(`no such grant: ${refreshToken}`);
        if (grant.refreshToken !== refreshToken) {
          grant.isOver = true;
          throw new InvalidGrantError("this token was used before");
        }
        return give(grant, resource);
      } finally {
        renewing -= 1;
      }
    },
    async verifyAccessToken(token) {
      const known = access.get(token);
      if (!known || known.grant.isOver || known.until <= Date.now())
        throw new InvalidTokenError("no such token");
      return {
        token,
        clientId: known.clientId,
        scopes: known.grant.scopes,
        expiresAt: known.until / 1000,
        ...(known.resource && { resource: new URL(known.resource) }),
      };
    },
    async revokeToken(_client, { token }) {
      seen.revoked.push(token);
      const grant = grants.get(token);
      if (grant) grant.isOver = true;
    },
  };

  const app = createMcpExpressApp();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  const resource = new URL(`http://${host}/mcp`);
  const unlimited = { rateLimit: false } as const;
  app.get(
    "/.well-known/oauth-authorization-server",
    (_request: IncomingMessage, response: JsonResponse, next: () => void) => {
      const say = response.json.bind(response);
      response.json = ({ registration_endpoint, ...metadata }) =>
        say({
          ...metadata,
          ...(settings.registers && { registration_endpoint }),
          ...(settings.documents !== null && { client_id_metadata_document_supported: true }),
        });
      next();
    },
  );
  app.get(
    "/authorize",
    ({ url = "/" }: IncomingMessage, _response: ServerResponse, next: () => void) => {
      const { searchParams } = new URL(url, resource);
      const [id, back] = [searchParams.get("client_id"), searchParams.get("redirect_uri")];
      // Stands for reading the document: its address leads nowhere in a test.
      if (id?.startsWith("https://") && back !== null)
        if (settings.documents === "refused by a page") documented.delete(id);
        else documented.set(id, { client_id: id, redirect_uris: [back] });
      next();
    },
  );
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(`http://${host}`),
      resourceServerUrl: resource,
      scopesSupported: ["tickets"],
      authorizationOptions: unlimited,
      clientRegistrationOptions: unlimited,
      tokenOptions: unlimited,
      revocationOptions: unlimited,
    }),
  );
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resource);
  app.use(
    "/mcp",
    requireBearerAuth({ verifier: provider, resourceMetadataUrl, expectedResource: resource }),
  );
  for (const path of ["/mcp", "/plain"])
    app.post(
      path,
      async (request: IncomingMessage & { body: unknown }, response: ServerResponse) => {
        const transport = new StreamableHTTPServerTransport({});
        response.on("close", () => void transport.close());
        await ticketServer(request.headers.authorization ?? "").connect(transport);
        await transport.handleRequest(request, response, request.body);
      },
    );

  return {
    serverUrl: resource.href,
    plainUrl: `http://${host}/plain`,
    host,
    settings,
    seen,
    async signIn(authorizationUrl) {
      const response = await fetch(authorizationUrl, { redirect: "manual" });
      const location = response.headers.get("location");
      if (location === null)
        throw new Error(
          `The authorization server answered ${response.status}: ${await response.text()}`,
        );
      return new URL(location);
    },
    endAccess: () => access.clear(),
    endGrants: () => {
      for (const grant of grants.values()) grant.isOver = true;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A server of one request, by the official SDK; `echo` says what it was sent, as a bad server
 * would.
 */
function ticketServer(authorization: string): McpServer {
  const server = new McpServer({ name: "tickets", version: "1.0.0" });
  server.registerTool(
    "read_ticket",
    {
      description: "Reads a ticket.",
      inputSchema: { id: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ id }) => ({ content: [{ type: "text", text: `Ticket ${id} is open.` }] }),
  );
  server.registerTool("echo", { description: "Says what it was sent." }, () => ({
    content: [{ type: "text", text: `You sent ${authorization}.` }],
  }));
  return server;
}
