import "server-only";
import { z } from "zod";
import { operation, toList } from "@/lib/api/http/operation";
import { examplePage, listOf, listQuery, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { deleteSecret } from "@/lib/domain/secrets/delete-secret";
import { listSecrets } from "@/lib/domain/secrets/list-secrets";
import { getSecret, type SecretView } from "@/lib/domain/secrets/secret-view";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
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
    "must start with a capital letter and hold capital letters, digits and _ only, 64 characters at most",
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
  'must name the hosts that the value may be sent to, such as ["api.example.com"], or ["api.example.com:8443"] for another port than the usual one';

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
      "The hosts (`host`, or `host:port` where the port is not the usual one) that the value may be sent to, over https. A secret of before hosts were asked for has none, and goes only to the host of the connector that names it.",
    example: ["api.example.com"],
  });

const secretSchema = z
  .object({
    name: secretNameField,
    description: z.string().nullable(),
    allowed_hosts: z.array(z.string()),
    created_at: timeField,
    updated_at: timeField,
    last_used_at: nullableTime.meta({ description: "When a run last sent it." }),
  })
  .meta({ id: "Secret", description: "An account secret. Its value is write-only." });

function toSecret(secret: SecretView) {
  return {
    name: secret.name,
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

const createSecretOperation = operation({
  method: "POST",
  path: "/v1/secrets",
  operationId: "createSecret",
  tag: "Secrets",
  summary: "Add a secret",
  description:
    "Stores a value that connectors send for a run, to the hosts that it names and over https alone, and that nothing ever shows again. A name that is taken answers 409. An account has at most 1,000 secrets and 384 KiB of values together.",
  hourlyWrite: true,
  body: z
    .strictObject({
      name: secretNameField,
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
  },
  creates: ["secrets"],
  responses: [
    {
      status: 201,
      description: "The secret, without its value.",
      schema: secretSchema,
      headers: ["Location"],
      examples: { secret: EXAMPLE_SECRET },
    },
  ],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }) {
    const { name, value, description, allowed_hosts } = body;
    const secret = {
      name,
      value,
      description: description ?? null,
      allowedHosts: toAllowedHosts(allowed_hosts),
    };
    return {
      status: 201,
      body: toSecret(await createSecret(principal, secret)),
      headers: { Location: `/v1/secrets/${name}` },
    };
  },
});

const listSecretsOperation = operation({
  method: "GET",
  path: "/v1/secrets",
  operationId: "listSecrets",
  tag: "Secrets",
  summary: "List secrets",
  description: "The account's secrets, newest first, without their values.",
  query: z.object(listQuery),
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
    return { status: 200, body: toList(await listSecrets(principal, query), toSecret) };
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
  responses: [
    {
      status: 200,
      description: "The secret, without its value.",
      schema: secretSchema,
      examples: { secret: EXAMPLE_SECRET },
    },
  ],
  errors: ["INVALID_INPUT", "SECRET_NOT_FOUND"],
  async handle({ principal, params }) {
    return { status: 200, body: toSecret(await getSecret(principal, params.name)) };
  },
});

const updateSecretOperation = operation({
  method: "PUT",
  path: PATH,
  operationId: "updateSecret",
  tag: "Secrets",
  summary: "Change a secret",
  description:
    "Replaces the value of a secret that exists. `description` and `allowed_hosts` stay as they are when they are left out; a description of null clears it.",
  hourlyWrite: true,
  params,
  body: z
    .strictObject({
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
  async handle({ principal, params, body }) {
    const allowedHosts =
      body.allowed_hosts === undefined ? undefined : toAllowedHosts(body.allowed_hosts);
    return {
      status: 200,
      body: toSecret(
        await updateSecret(principal, params.name, {
          value: body.value,
          description: body.description,
          allowedHosts,
        }),
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
  description: "Removes the secret. Connectors that name it fail from then on.",
  hourlyWrite: true,
  params,
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "SECRET_NOT_FOUND"],
  async handle({ principal, params }) {
    await deleteSecret(principal, params.name);
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
