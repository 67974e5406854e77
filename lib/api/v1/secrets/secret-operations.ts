import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { examplePage, listOf, listQuery, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { deleteSecret } from "@/lib/domain/secrets/delete-secret";
import { listSecrets } from "@/lib/domain/secrets/list-secrets";
import { getSecret, type SecretView } from "@/lib/domain/secrets/secret-view";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { endUserField, namedEndUserField } from "@/lib/model/end-user";
import { invalidInput } from "@/lib/model/errors";
import { DESCRIPTION_MAX_CHARACTERS } from "@/lib/model/limits";
import {
  allowedHostText,
  readAllowedHost,
  SECRET_MAX_ALLOWED_HOSTS,
  SECRET_NAME,
  SECRET_VALUE_MAX_BYTES,
} from "@/lib/model/secret/allowed-host";
import { textOf } from "@/lib/model/text-of";

const secretNameField = z
  .string()
  .regex(
    SECRET_NAME,
    "must start with a capital letter and hold capital letters, digits and _ only, 64 " +
      "characters at most",
  )
  .meta({ description: "The name by which connectors refer to the secret.", example: "CRM_KEY" });

const secretValueField = z
  .string()
  .min(1, "must not be empty")
  .refine(
    (text) => Buffer.byteLength(text) <= SECRET_VALUE_MAX_BYTES,
    `must have at most ${SECRET_VALUE_MAX_BYTES} bytes of UTF-8`,
  )
  .meta({
    description: "1 to 65,536 bytes of UTF-8. Stored encrypted and never returned.",
    maxLength: SECRET_VALUE_MAX_BYTES,
    writeOnly: true,
    example: "sk-test-123",
  });

const secretDescriptionField = textOf(DESCRIPTION_MAX_CHARACTERS).nullable();

const HOSTS_NEEDED =
  'must name the hosts that the value may be sent to, such as ["api.example.com"], or ' +
  '["api.example.com:8443"] for another port than the usual one';

/**
 * `host` or `host:port`, at least one: a secret that names no host would go wherever a connector
 * that names it leads.
 */
const allowedHostsField = z
  .array(
    z
      .string()
      .max(300)
      .refine(
        (text) => readAllowedHost(text) !== null,
        "must be host or host:port, without a scheme, a path or a wildcard",
      ),
    HOSTS_NEEDED,
  )
  .min(1, HOSTS_NEEDED)
  .max(SECRET_MAX_ALLOWED_HOSTS, `may have at most ${SECRET_MAX_ALLOWED_HOSTS} hosts`)
  .meta({
    description:
      "The hosts (`host`, or `host:port` where the port is not the usual one) that the value " +
      "may be sent to, over https. A secret of before hosts were asked for has none, and " +
      "goes only to the host of the connector that names it.",
    example: ["api.example.com"],
  });

const ownerField = endUserField.optional().meta({
  description:
    "A person whom your backend acts for: the secret is theirs alone. In their runs it " +
    "stands before the account's of the same name, in everybody else's it is not there. Left " +
    "out: it is the account's.",
  example: "u_42",
});
const ownerQuery = {
  end_user: namedEndUserField.optional().meta({
    description: "That of this person. Left out: the account's.",
    example: "u_42",
  }),
};

const secretSchema = z
  .object({
    name: secretNameField,
    end_user: z
      .string()
      .optional()
      .meta({ description: "Whose it is; left out where it is the account's." }),
    description: z.string().nullable(),
    allowed_hosts: z.array(z.string()),
    created_at: timeField,
    updated_at: timeField,
    last_used_at: nullableTime.meta({ description: "When a run last sent it." }),
  })
  .meta({
    id: "Secret",
    description: "A secret of the account, or of one of its end users. Its value is write-only.",
  });

function toSecret(secret: SecretView) {
  return {
    name: secret.name,
    ...(secret.endUser !== null && { end_user: secret.endUser }),
    description: secret.description,
    allowed_hosts: secret.allowedHosts,
    created_at: secret.createdAt.toISOString(),
    updated_at: secret.updatedAt.toISOString(),
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
  };
}

/** Each host in its one spelling, once. */
function toAllowedHosts(texts: readonly string[]): string[] {
  const hosts = texts.map(readAllowedHost).filter((host) => host !== null);
  return [...new Set(hosts.map(allowedHostText))];
}

const PATH = "/v1/secrets/{name}";
const params = z.object({ name: secretNameField });

const EXAMPLE_SECRET: z.output<typeof secretSchema> = {
  name: "CRM_KEY",
  description: "Writes tickets.",
  allowed_hosts: ["api.example.com"],
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
  last_used_at: null,
};
const EXAMPLE_OF_PERSON: z.output<typeof secretSchema> = { ...EXAMPLE_SECRET, end_user: "u_42" };

function locationOf(name: string, endUser: string | undefined): string {
  const owner = endUser === undefined ? "" : `?end_user=${encodeURIComponent(endUser)}`;
  return `/v1/secrets/${name}${owner}`;
}

const createSecretOperation = operation({
  method: "POST",
  path: "/v1/secrets",
  operationId: "createSecret",
  tag: "Secrets",
  summary: "Add a secret",
  description:
    "Stores a value that connectors send for a run, to the hosts that it names and over " +
    "https alone, and that nothing ever shows again. A name that is taken answers 409. An " +
    "account has at most 1,000 secrets and 384 KiB of values together; each of its end users " +
    "has at most 50 of their own, with 128 KiB.",
  hourlyWrite: true,
  body: z
    .strictObject({
      name: secretNameField,
      end_user: ownerField,
      value: secretValueField,
      description: secretDescriptionField.optional(),
      allowed_hosts: allowedHostsField,
    })
    .meta({ id: "CreateSecretRequest" }),
  examples: {
    secret: {
      name: "CRM_KEY",
      value: "sk-test-123",
      description: "Writes tickets.",
      allowed_hosts: ["api.example.com"],
    },
    of_end_user: {
      name: "CRM_KEY",
      end_user: "u_42",
      value: "sk-test-789",
      allowed_hosts: ["api.example.com"],
    },
  },
  creates: ["secrets", "end_user_secrets"],
  responses: [
    {
      status: 201,
      description: "The secret, without its value.",
      schema: secretSchema,
      headers: ["Location"],
      examples: { secret: EXAMPLE_SECRET, of_end_user: EXAMPLE_OF_PERSON },
    },
  ],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }) {
    const { name, end_user, value, description, allowed_hosts } = body;
    const secret = {
      name,
      endUser: end_user ?? null,
      value,
      description: description ?? null,
      allowedHosts: toAllowedHosts(allowed_hosts),
    };
    return {
      status: 201,
      body: toSecret(await createSecret(principal, secret)),
      headers: { Location: locationOf(name, end_user) },
    };
  },
});

const listSecretsOperation = operation({
  method: "GET",
  path: "/v1/secrets",
  operationId: "listSecrets",
  tag: "Secrets",
  summary: "List secrets",
  description:
    "The account's secrets, or those of one end user, newest first, without their values.",
  query: z.object({ ...listQuery, ...ownerQuery }),
  responses: [
    {
      status: 200,
      description: "A page of secrets.",
      schema: listOf(secretSchema),
      examples: examplePage(EXAMPLE_SECRET),
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const secrets = await listSecrets(principal, query, query.end_user ?? null);
    return { status: 200, body: toList(secrets, toSecret) };
  },
});

const getSecretOperation = operation({
  method: "GET",
  path: PATH,
  operationId: "getSecret",
  tag: "Secrets",
  summary: "Fetch a secret's record",
  description: "Everything but the value.",
  params,
  query: z.object(ownerQuery),
  responses: [
    {
      status: 200,
      description: "The secret, without its value.",
      schema: secretSchema,
      examples: { secret: EXAMPLE_SECRET },
    },
  ],
  errors: ["INVALID_INPUT", "SECRET_NOT_FOUND"],
  async handle({ principal, params, query }) {
    const secret = await getSecret(principal, params.name, query.end_user ?? null);
    return { status: 200, body: toSecret(secret) };
  },
});

const updateSecretOperation = operation({
  method: "PUT",
  path: PATH,
  operationId: "updateSecret",
  tag: "Secrets",
  summary: "Change a secret",
  description:
    "Replaces the value of a secret that exists: the account's, or with `end_user` (in the " +
    "body, or in the address) that of this person. `description` and `allowed_hosts` stay as " +
    "they are when they are left out; a description of null clears it.",
  hourlyWrite: true,
  params,
  query: z.object(ownerQuery),
  body: z
    .strictObject({
      end_user: ownerField,
      value: secretValueField,
      description: secretDescriptionField.optional(),
      allowed_hosts: allowedHostsField.optional(),
    })
    .meta({ id: "UpdateSecretRequest" }),
  examples: { value: { value: "sk-test-456" } },
  responses: [
    {
      status: 200,
      description: "The secret, without its value.",
      schema: secretSchema,
      examples: { secret: EXAMPLE_SECRET },
    },
  ],
  errors: ["INVALID_INPUT", "SECRET_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, query, body }) {
    const endUser = body.end_user ?? query.end_user ?? null;
    if (query.end_user !== undefined && query.end_user !== endUser)
      throw invalidInput("end_user", "is another one in the body than in the address");
    const allowedHosts =
      body.allowed_hosts === undefined ? undefined : toAllowedHosts(body.allowed_hosts);
    return {
      status: 200,
      body: toSecret(
        await updateSecret(
          principal,
          params.name,
          { value: body.value, description: body.description, allowedHosts },
          endUser,
        ),
      ),
    };
  },
});

const deleteSecretOperation = operation({
  method: "DELETE",
  path: PATH,
  operationId: "deleteSecret",
  tag: "Secrets",
  summary: "Delete a secret",
  description:
    "Removes the secret. Connectors that name it fail from then on; in the runs of an end " +
    "user whose own it was, they send the account's again.",
  hourlyWrite: true,
  params,
  query: z.object(ownerQuery),
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "SECRET_NOT_FOUND"],
  async handle({ principal, params, query }) {
    await deleteSecret(principal, params.name, query.end_user ?? null);
    return { status: 204 };
  },
});

export const SECRET_OPERATIONS = [
  createSecretOperation,
  listSecretsOperation,
  getSecretOperation,
  updateSecretOperation,
  deleteSecretOperation,
];
