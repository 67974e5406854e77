import "server-only";
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  type OAuthClientInformationFull,
  OAuthError,
  type OAuthTokens,
  refreshAuthorization,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import { isLoopbackHost } from "@/lib/model/loopback-host";
import { createEgressFetch } from "@/lib/platform/egress/egress-fetch";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import {
  checkUrl,
  EgressFailed,
  EgressRefused,
  isAllowedTarget,
} from "@/lib/platform/egress/target";

/**
 * For all requests of one step together, to the last byte: a server that drips answers must not
 * outlive the lease under which its token is renewed.
 */
const STEP_TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 256 * 1024;
const REASON_MAX_CHARACTERS = 300;

/**
 * Where a person signs in for an MCP server, and where tokens come from: read once, when the
 * sign-in begins.
 */
export interface AuthorizationServer {
  issuer: string;
  /** What tokens are asked for (RFC 8707), verbatim as the server names itself. */
  resource: string;
  metadata: AuthorizationServerMetadata;
  /** What the server asks for where nobody says otherwise. */
  scopes: string[];
}

export type OauthClient = Pick<
  OAuthClientInformationFull,
  "client_id" | "client_secret" | "token_endpoint_auth_method"
>;

/**
 * A step of the sign-in failed. `message` is a sentence for a person; it may quote the server, and
 * so what it was sent.
 */
export class OauthFailed extends Error {
  override readonly name = "OauthFailed";
  constructor(
    message: string,
    /** What was given does not count any more: only a new sign-in helps. */
    readonly isOver = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Finds who signs people in for an MCP server: its own metadata (RFC 9728), then the authorization
 * server's (RFC 8414). Every request goes through the egress guard.
 * @throws OauthFailed where there is none, or where it breaks a rule that keeps tokens safe:
 * another resource, another issuer, no PKCE by S256, no https
 */
export async function discoverServer(
  serverUrl: string,
  reach: OauthReach,
): Promise<AuthorizationServer> {
  const send = guardedFetch(reach);
  requireSafeUrl(serverUrl, reach, "The MCP server");
  const asked = await during("The MCP server did not say how to sign in", () =>
    probe(serverUrl, send),
  );
  if (asked.resourceMetadataUrl)
    requireSafeUrl(asked.resourceMetadataUrl.href, reach, "The metadata that the MCP server names");
  const resource = await during(
    "The MCP server does not say who signs people in for it (OAuth protected-resource metadata)",
    () =>
      discoverOAuthProtectedResourceMetadata(
        serverUrl,
        asked.resourceMetadataUrl ? { resourceMetadataUrl: asked.resourceMetadataUrl } : {},
        send,
      ),
  );
  // Else a server could have tokens made that are good for another one.
  if (
    !checkResourceAllowed({ requestedResource: serverUrl, configuredResource: resource.resource })
  )
    throw new OauthFailed(
      `The MCP server says that it is ${cut(resource.resource)}, which is another address. ` +
        "Nobody was signed in.",
    );
  const [issuer] = resource.authorization_servers ?? [];
  if (issuer === undefined) throw new OauthFailed("The MCP server names no authorization server.");
  requireSafeUrl(issuer, reach, "The authorization server");
  const metadata = await during("The authorization server's metadata could not be read", () =>
    // Below it is compared, with a sentence for a person.
    discoverAuthorizationServerMetadata(issuer, { fetchFn: send, skipIssuerValidation: true }),
  );
  if (!metadata)
    throw new OauthFailed(`${cut(issuer)} has no metadata of an authorization server.`);
  requireRules(metadata, issuer, reach);
  return {
    issuer,
    resource: resource.resource,
    metadata,
    scopes: asked.scope?.split(" ") ?? resource.scopes_supported ?? [],
  };
}

/** What an unsigned request is answered: the server's own word on where its metadata lies. */
async function probe(serverUrl: string, send: typeof fetch) {
  const response = await send(serverUrl, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }),
  });
  await response.body?.cancel();
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {};
}

function requireRules(
  metadata: AuthorizationServerMetadata,
  issuer: string,
  reach: EgressOptions,
): void {
  // RFC 8414 §3.3: an answer in another's name may be a mix-up, or an attack.
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer))
    throw new OauthFailed(
      `The authorization server ${cut(issuer)} calls itself ${cut(metadata.issuer)}. Nobody was ` +
        "signed in.",
    );
  if (!metadata.code_challenge_methods_supported?.includes("S256"))
    throw new OauthFailed(
      "The authorization server does not say that it supports PKCE by S256, without which a " +
        "sign-in could be intercepted.",
    );
  if (!metadata.response_types_supported.includes("code"))
    throw new OauthFailed("The authorization server gives no authorization codes.");
  for (const url of [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.registration_endpoint,
    revocationUrl(metadata),
  ])
    if (url !== undefined) requireSafeUrl(url, reach, "An endpoint of the authorization server");
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

/** Tokens and codes travel over https alone, except to what the operator has exempted. */
function requireSafeUrl(text: string, reach: EgressOptions, what: string): void {
  const checked = checkUrl(text, { allow: reach.allow });
  if (!checked.ok) throw new OauthFailed(`${what} cannot be used: ${checked.message}`);
  if (checked.url.protocol !== "https:" && !isAllowedTarget(checked.url, reach.allow))
    throw new OauthFailed(
      `${what} must be reached over https, as tokens would travel there: ${cut(text)}`,
    );
}

/**
 * Registers this service (RFC 7591). @throws OauthFailed where the server takes no registrations:
 * then its operator gives a client's id
 */
export async function registerAt(
  server: AuthorizationServer,
  redirectUri: string,
  scopes: string[],
  reach: OauthReach,
): Promise<OauthClient> {
  if (!server.metadata.registration_endpoint)
    throw new OauthFailed(
      `${cut(server.issuer)} registers no clients by itself. Register one there with the ` +
        `redirect URI ${redirectUri}, and give its client_id.`,
    );
  const methods = server.metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const clientMetadata = {
    client_name: "lathe",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // What a server of OpenID Connect lets redirect URIs be depends on it.
    application_type: isLoopbackHost(new URL(redirectUri).hostname) ? "native" : "web",
    token_endpoint_auth_method:
      ["none", "client_secret_basic", "client_secret_post"].find((method) =>
        methods.includes(method),
      ) ?? "none",
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
  };
  const registered = await during("The authorization server did not register this service", () =>
    registerClient(server.issuer, {
      metadata: server.metadata,
      clientMetadata,
      fetchFn: guardedFetch(reach),
    }),
  );
  const { client_id, client_secret, token_endpoint_auth_method } = registered;
  return {
    client_id,
    ...(client_secret && { client_secret }),
    ...(token_endpoint_auth_method && { token_endpoint_auth_method }),
  };
}

/**
 * This service as a client that is registered nowhere: its id is the address of its own metadata
 * document. Null where there is none that others can read, or the server does not say that it takes
 * such ids.
 */
export function documentedClient(
  server: AuthorizationServer,
  documentUrl: string | null,
): OauthClient | null {
  const { metadata } = server;
  const isTaken =
    "client_id_metadata_document_supported" in metadata &&
    metadata.client_id_metadata_document_supported === true;
  return documentUrl !== null && isTaken
    ? { client_id: documentUrl, token_endpoint_auth_method: "none" }
    : null;
}

/** Where to send the person, and the verifier of PKCE that the code is worth nothing without. */
export async function authorizationUrl(
  server: AuthorizationServer,
  client: OauthClient,
  request: { redirectUri: string; state: string; scopes: string[] },
): Promise<{ url: string; codeVerifier: string }> {
  const { authorizationUrl: url, codeVerifier } = await startAuthorization(server.issuer, {
    metadata: server.metadata,
    clientInformation: client,
    redirectUrl: request.redirectUri,
    state: request.state,
    resource: server.resource,
    ...(request.scopes.length > 0 && { scope: request.scopes.join(" ") }),
  });
  return { url: url.href, codeVerifier };
}

/**
 * The tokens for a code. @throws OauthFailed
 * @param grant.iss who the answer says that it comes from (RFC 9207)
 */
export function exchangeCode(
  server: AuthorizationServer,
  client: OauthClient,
  grant: { code: string; codeVerifier: string; redirectUri: string; iss: string | null },
  reach: OauthReach,
): Promise<OAuthTokens> {
  return during("The authorization server gave no tokens", () =>
    exchangeAuthorization(server.issuer, {
      ...tokenEndpoint(server, reach),
      clientInformation: client,
      authorizationCode: grant.code,
      ...(grant.iss !== null && { iss: grant.iss }),
      codeVerifier: grant.codeVerifier,
      redirectUri: grant.redirectUri,
      resource: server.resource,
    }),
  );
}

/**
 * Fresh tokens; the refresh token in them may be another one, and the old one then counts no more.
 * @throws OauthFailed
 */
export function refreshTokens(
  server: AuthorizationServer,
  client: OauthClient,
  refreshToken: string,
  reach: OauthReach,
): Promise<OAuthTokens> {
  return during("The authorization server did not renew the sign-in", () =>
    refreshAuthorization(server.issuer, {
      ...tokenEndpoint(server, reach),
      clientInformation: client,
      refreshToken,
      resource: server.resource,
    }),
  );
}

/**
 * How tokens are asked for. The SDK refuses every endpoint that is not https but on this machine;
 * one that the operator has exempted it is told of as https, and asked as it is.
 */
function tokenEndpoint({ metadata }: AuthorizationServer, reach: OauthReach) {
  const fetchFn = guardedFetch(reach);
  const plain = new URL(metadata.token_endpoint);
  if (plain.protocol === "https:" || !isAllowedTarget(plain, reach.allow))
    return { metadata, fetchFn };
  const told = metadata.token_endpoint.replace(/^http:/i, "https:");
  const asItIs: typeof fetch = (input, init) =>
    fetchFn(String(input) === new URL(told).href ? plain : input, init);
  return { metadata: { ...metadata, token_endpoint: told }, fetchFn: asItIs };
}

/**
 * Tells the server that a token counts no more (RFC 7009), where it can be told. @throws
 * OauthFailed
 */
export async function revokeToken(
  server: AuthorizationServer,
  client: OauthClient,
  token: string,
  reach: OauthReach,
): Promise<void> {
  const url = revocationUrl(server.metadata);
  if (url === undefined) return;
  const method = selectClientAuthMethod(
    client,
    server.metadata.token_endpoint_auth_methods_supported ?? [],
  );
  const body = new URLSearchParams({ token, token_type_hint: "refresh_token" });
  const headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded" };
  if (method === "client_secret_basic") {
    const pair = [client.client_id, client.client_secret ?? ""].map(encodeURIComponent).join(":");
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  } else {
    body.set("client_id", client.client_id);
    if (method === "client_secret_post" && client.client_secret)
      body.set("client_secret", client.client_secret);
  }
  const response = await during("The authorization server was not told", () =>
    guardedFetch(reach)(url, { method: "POST", headers, body }),
  );
  await response.body?.cancel();
  if (!response.ok)
    throw new OauthFailed(`The authorization server answered ${response.status} when it was told.`);
}

/** An addition to the metadata of RFC 8414 that OpenID Connect's has under the same name. */
function revocationUrl(metadata: AuthorizationServerMetadata): string | undefined {
  return z.looseObject({ revocation_endpoint: z.string().optional() }).catch({}).parse(metadata)
    .revocation_endpoint;
}

/** How a step reaches the servers of a sign-in; tests give it less time. */
type OauthReach = EgressOptions & { totalMs?: number };

/** The requests of one step. */
function guardedFetch({ totalMs = STEP_TIMEOUT_MS, ...reach }: OauthReach): typeof fetch {
  const times = {
    timeoutMs: totalMs,
    idleTimeoutMs: totalMs,
    signal: AbortSignal.timeout(totalMs),
  };
  return createEgressFetch({ ...reach, ...times, maxResponseBytes: ANSWER_MAX_BYTES });
}

/** What the grant's end is called: no waiting and no trying again helps. */
const OVER = new Set(["invalid_grant", "invalid_client", "unauthorized_client"]);

async function during<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = [error, error instanceof Error ? error.cause : null].find(
      (one) => one instanceof EgressRefused || one instanceof EgressFailed,
    );
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const isOver = error instanceof OAuthError && OVER.has(error.code);
    const said =
      error instanceof OAuthError
        ? `${error.code}${error.message ? ` (${error.message})` : ""}`
        : "";
    const reason =
      known instanceof Error
        ? known.message
        : isLate
          ? "it did not answer whole in time."
          : said ||
            (error instanceof z.ZodError
              ? "its answer has not the form that it should."
              : String(error instanceof Error ? error.message : error));
    throw new OauthFailed(`${what}: ${cut(reason)}`, isOver, { cause: error });
  }
}

function cut(text: string): string {
  return text.slice(0, REASON_MAX_CHARACTERS).replaceAll("\u0000", "").toWellFormed();
}
