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
import { endUserField, namedEndUserField } from "@/lib/model/end-user";

const RETURN_URL_MAX_CHARACTERS = 2_048;
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

const ownerField = endUserField.optional().meta({
  description:
    "A person whom your backend acts for, who signs in as themself by a link that you hand " +
    "them. In their runs it stands before the account's sign-in at this server, in everybody " +
    "else's it is not there. Left out: the sign-in is for all of the account's runs.",
  example: "u_42",
});

const returnUrlField = z
  .string()
  .max(RETURN_URL_MAX_CHARACTERS)
  .refine((text) => URL.canParse(text), "must be an absolute address")
  .meta({
    description:
      "Where the end user's browser goes at the end, with `sign_in` (`connected`, `refused` " +
      "or `unknown`) and `connection_id` added to its query. Only to an origin that the " +
      "service's operator allows (`RETURN_ORIGINS`). Without it a page of this service says " +
      "how it went.",
    example: "https://app.example.com/settings",
  });

const connectionFields = {
  connection_id: idField,
  server_url: z.string(),
  end_user: z
    .string()
    .optional()
    .meta({ description: "Whose it is; left out where it is the account's." }),
  status: z.enum(CONNECTION_STATUSES).meta({
    description:
      "`pending`: nobody has signed in yet. `connected`: agents may use it. `needs_sign_in`: " +
      "the server has ended the sign-in; `last_error` says how.",
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
  description:
    "The sign-in of an account, or of one of its end users, at an MCP server. Its tokens are " +
    "shown nowhere.",
});

const signInSchema = z
  .object({
    ...connectionFields,
    authorization_url: z.string().meta({
      description:
        "Where a person signs in, in a browser that is signed in to the console as this " +
        "account. With `end_user` a link to hand to that person, whose browser needs no " +
        "session: it works once, for ten minutes, and whoever opens it signs in as themself. " +
        "Show it to them alone, where they are signed in to you.",
    }),
    authorization_expires_at: timeField,
  })
  .meta({ id: "ConnectionSignIn", description: "A connection and where to sign in for it." });

function toConnection(connection: ConnectionView): z.output<typeof connectionSchema> {
  return {
    connection_id: connection.id,
    server_url: connection.serverUrl,
    ...(connection.endUser !== null && { end_user: connection.endUser }),
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
    "https://auth.example.com/authorize?response_type=code&client_id=c-4711" +
    "&code_challenge_method=S256",
  authorization_expires_at: "2026-01-31T09:10:00.000Z",
};

const EXAMPLE_OF_PERSON: z.output<typeof connectionSchema> = { ...EXAMPLE, end_user: "u_42" };
const EXAMPLE_LINK: z.output<typeof signInSchema> = {
  ...EXAMPLE_SIGN_IN,
  end_user: "u_42",
  authorization_url: "https://lathe.example.com/connect#link=Zm9yLW9uZS1wZXJzb24",
};

const beginSignInOperation = operation({
  method: "POST",
  path: "/v1/connections",
  operationId: "connectServer",
  tag: "Connections",
  summary: "Sign in to an MCP server",
  description:
    "Begins a sign-in by OAuth 2.1 for all agents of the account whose config names the " +
    "server with `auth: oauth`. The answer says where a person signs in, once, within ten " +
    "minutes. Without `client_id` this service registers itself at the authorization server. " +
    "Asked again it begins a further sign-in; an earlier one holds until that has succeeded. " +
    "With `end_user` the sign-in is that person's own, for their runs alone, and the address " +
    "is a link for their browser; an end user has at most 50 connections.",
  hourlyWrite: true,
  body: z
    .strictObject({
      server_url: serverUrlField,
      end_user: ownerField,
      return_url: returnUrlField.optional(),
      client_id: printable(CLIENT_MAX_CHARACTERS)
        .optional()
        .meta({
          description:
            "Of a client that you registered at the authorization server, where it takes no " +
            "registrations by itself.",
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
    .refine(({ end_user, return_url }) => return_url === undefined || end_user !== undefined, {
      path: ["return_url"],
      message: "is for an end user's sign-in, and there is no end_user",
    })
    .meta({ id: "ConnectServerRequest" }),
  examples: {
    server: { server_url: "https://mcp.example.com/mcp" },
    of_end_user: { server_url: "https://mcp.example.com/mcp", end_user: "u_42" },
  },
  creates: ["connections", "end_user_connections"],
  responses: [
    {
      status: 201,
      description: "A new connection, and where to sign in.",
      schema: signInSchema,
      headers: ["Location"],
      examples: { connection: EXAMPLE_SIGN_IN, link: EXAMPLE_LINK },
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
    const { server_url, end_user, return_url, client_id, client_secret, scopes } = body;
    const client =
      client_id === undefined ? null : { id: client_id, secret: client_secret ?? null };
    const begun = await beginSignIn(principal, {
      serverUrl: server_url,
      endUser: end_user ?? null,
      returnUrl: return_url ?? null,
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
  description:
    "The account's sign-ins at MCP servers, or those of one end user, newest first, without " +
    "their tokens.",
  query: z.object({
    ...listQuery,
    end_user: namedEndUserField.optional().meta({
      description: "Those of this person. Left out: the account's.",
      example: "u_42",
    }),
  }),
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
    const connections = await listConnections(principal, query, query.end_user ?? null);
    return { status: 200, body: toList(connections, toConnection) };
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
      examples: { connection: EXAMPLE, of_end_user: EXAMPLE_OF_PERSON },
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
    "Deletes the connection, the account's or an end user's, with its tokens, and tells the " +
    "authorization server that they count no more, where it can be told.",
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
