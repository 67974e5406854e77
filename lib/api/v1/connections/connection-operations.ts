import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  nullableTime,
  timeField,
} from "@/lib/api/schemas/fields";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import {
  CONNECTION_STATUSES,
  type ConnectionView,
  getConnection,
} from "@/lib/domain/connections/connection-store";
import { deleteConnection } from "@/lib/domain/connections/delete-connection";
import { listConnections } from "@/lib/domain/connections/list-connections";
import {
  CONNECTOR_URL_MAX_CHARACTERS,
  checkConnectorUrl,
} from "@/lib/model/agent-config/connector-url";

const CLIENT_MAX_CHARACTERS = 2_048;
const SCOPES_MAX = 50;

const serverUrlField = z
  .string()
  .min(1)
  .max(CONNECTOR_URL_MAX_CHARACTERS)
  .superRefine((url, context) => {
    const message = checkConnectorUrl(url, false);
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .meta({
    description: "Address of the MCP server (streamable HTTP), as agents' configs name it.",
    example: "https://mcp.example.com/mcp",
  });

const printable = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x20-\x7e]+$/, "must be of printable ASCII characters");

const scopeField = z
  .string()
  .max(200)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be one scope, without spaces");

const connectionFields = {
  connection_id: idField,
  server_url: z.string(),
  status: z.enum(CONNECTION_STATUSES).meta({
    description:
      "`pending`: nobody has signed in yet. `connected`: agents may use it. `needs_sign_in`: the server has ended the sign-in; `last_error` says how.",
  }),
  issuer: z
    .string()
    .nullable()
    .meta({ description: "The authorization server that signs people in." }),
  client_id: z.string().nullable().meta({ description: "How this service is known there." }),
  scopes: z
    .array(z.string())
    .meta({ description: "What was allowed, or was asked for while nobody has signed in." }),
  expires_at: nullableTime.meta({
    description: "When the access token ends. It is renewed before, where the server lets it be.",
  }),
  signed_in_at: nullableTime,
  last_error: z
    .string()
    .nullable()
    .meta({ description: "Why the last sign-in or renewal failed; null since one has succeeded." }),
  created_at: timeField,
  updated_at: timeField,
};

const connectionSchema = z.object(connectionFields).meta({
  id: "Connection",
  description: "An account's sign-in at an MCP server. Its tokens are shown nowhere.",
});

const signInSchema = z
  .object({
    ...connectionFields,
    authorization_url: z.string().meta({
      description:
        "Where a person signs in, in a browser that is signed in to the console as this account.",
    }),
    authorization_expires_at: timeField,
  })
  .meta({ id: "ConnectionSignIn", description: "A connection and where to sign in for it." });

function toConnection(connection: ConnectionView): z.output<typeof connectionSchema> {
  return {
    connection_id: connection.id,
    server_url: connection.serverUrl,
    status: connection.status,
    issuer: connection.issuer,
    client_id: connection.clientId,
    scopes: connection.scopes,
    expires_at: connection.expiresAt?.toISOString() ?? null,
    signed_in_at: connection.signedInAt?.toISOString() ?? null,
    last_error: connection.lastError,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  };
}

const PATH = "/v1/connections/{connection_id}";
const params = z.object({ connection_id: idField });

const EXAMPLE: z.output<typeof connectionSchema> = {
  connection_id: EXAMPLE_IDS.connection_id,
  server_url: "https://mcp.example.com/mcp",
  status: "connected",
  issuer: "https://auth.example.com/",
  client_id: "c-4711",
  scopes: ["tickets:read"],
  expires_at: "2026-01-31T10:00:00.000Z",
  signed_in_at: "2026-01-31T09:00:00.000Z",
  last_error: null,
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

const EXAMPLE_SIGN_IN: z.output<typeof signInSchema> = {
  ...EXAMPLE,
  status: "pending",
  expires_at: null,
  signed_in_at: null,
  authorization_url:
    "https://auth.example.com/authorize?response_type=code&client_id=c-4711&code_challenge_method=S256",
  authorization_expires_at: "2026-01-31T09:10:00.000Z",
};

const beginSignInOperation = operation({
  method: "POST",
  path: "/v1/connections",
  operationId: "connectServer",
  tag: "Connections",
  summary: "Sign in to an MCP server",
  description:
    "Begins a sign-in by OAuth 2.1 for all agents of the account whose config names the server with `auth: oauth`. The answer says where a person signs in, once, within ten minutes. Without `client_id` this service registers itself at the authorization server. Asked again it begins a further sign-in; an earlier one holds until that has succeeded.",
  hourlyWrite: true,
  body: z
    .strictObject({
      server_url: serverUrlField,
      client_id: printable(CLIENT_MAX_CHARACTERS).optional().meta({
        description:
          "Of a client that you registered at the authorization server, where it takes no registrations by itself.",
      }),
      client_secret: printable(CLIENT_MAX_CHARACTERS)
        .optional()
        .meta({ description: "Stored encrypted and never returned.", writeOnly: true }),
      scopes: z
        .array(scopeField)
        .max(SCOPES_MAX)
        .optional()
        .meta({ description: "Without it, what the server asks for." }),
    })
    .refine(
      ({ client_id, client_secret }) => client_secret === undefined || client_id !== undefined,
      {
        path: ["client_secret"],
        message: "stands without a client_id",
      },
    )
    .meta({ id: "ConnectServerRequest" }),
  examples: { server: { server_url: "https://mcp.example.com/mcp" } },
  creates: ["connections"],
  responses: [
    {
      status: 201,
      description: "A new connection, and where to sign in.",
      schema: signInSchema,
      headers: ["Location"],
      examples: { connection: EXAMPLE_SIGN_IN },
    },
    {
      status: 200,
      description: "The connection that there is, and where to sign in anew.",
      schema: signInSchema,
      examples: { again: EXAMPLE_SIGN_IN },
    },
  ],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }) {
    const { server_url, client_id, client_secret, scopes } = body;
    const client =
      client_id === undefined ? null : { id: client_id, secret: client_secret ?? null };
    const begun = await beginSignIn(principal, {
      serverUrl: server_url,
      client,
      scopes: scopes ?? null,
    });
    const answer = {
      ...toConnection(begun.connection),
      authorization_url: begun.authorizationUrl,
      authorization_expires_at: begun.authorizationExpiresAt.toISOString(),
    };
    if (!begun.isNew) return { status: 200, body: answer };
    return {
      status: 201,
      body: answer,
      headers: { Location: `/v1/connections/${begun.connection.id}` },
    };
  },
});

const listConnectionsOperation = operation({
  method: "GET",
  path: "/v1/connections",
  operationId: "listConnections",
  tag: "Connections",
  summary: "List connections",
  description: "The account's sign-ins at MCP servers, newest first, without their tokens.",
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of connections.",
      schema: listOf(connectionSchema),
      examples: examplePage(EXAMPLE),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return { status: 200, body: toList(await listConnections(principal, query), toConnection) };
  },
});

const getConnectionOperation = operation({
  method: "GET",
  path: PATH,
  operationId: "getConnection",
  tag: "Connections",
  summary: "Fetch a connection",
  description: "Everything but its tokens.",
  params,
  responses: [
    {
      status: 200,
      description: "The connection.",
      schema: connectionSchema,
      examples: { connection: EXAMPLE },
    },
  ],
  errors: ["INVALID_INPUT", "CONNECTION_NOT_FOUND"],
  async handle({ principal, params }) {
    return {
      status: 200,
      body: toConnection(await getConnection(principal, params.connection_id)),
    };
  },
});

const deleteConnectionOperation = operation({
  method: "DELETE",
  path: PATH,
  operationId: "deleteConnection",
  tag: "Connections",
  summary: "Disconnect",
  description:
    "Deletes the connection with its tokens, and tells the authorization server that they count no more, where it can be told.",
  hourlyWrite: true,
  params,
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "CONNECTION_NOT_FOUND"],
  async handle({ principal, params }) {
    await deleteConnection(principal, params.connection_id);
    return { status: 204 };
  },
});

export const CONNECTION_OPERATIONS = [
  beginSignInOperation,
  listConnectionsOperation,
  getConnectionOperation,
  deleteConnectionOperation,
];
