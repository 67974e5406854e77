import "server-only";
import { z } from "zod";
import { nullableTime, timeField } from "@/lib/api/v1/schemas/fields";
import type { SecretView } from "@/lib/domain/secrets/secret-view";
import { DESCRIPTION_MAX_CHARACTERS } from "@/lib/model/limits";
import { allowedHostText, readAllowedHost } from "@/lib/model/secret/allowed-host";
import { SECRET_MAX_ALLOWED_HOSTS, SECRET_NAME, SECRET_VALUE_MAX_BYTES } from "@/lib/model/secret/secret-limits";
import { textOf } from "@/lib/model/text-of";

export const secretNameField = z
  .string()
  .regex(SECRET_NAME, "must start with a capital letter and hold capital letters, digits and _ only, 64 characters at most")
  .meta({ description: "The name by which connectors refer to the secret.", example: "CRM_KEY" });

export const secretValueField = z
  .string()
  .min(1, "must not be empty")
  .refine((text) => Buffer.byteLength(text) <= SECRET_VALUE_MAX_BYTES, `must have at most ${SECRET_VALUE_MAX_BYTES} bytes of UTF-8`)
  .meta({
    description: "1 to 65,536 bytes of UTF-8. Stored encrypted and never returned.",
    maxLength: SECRET_VALUE_MAX_BYTES,
    writeOnly: true,
    example: "sk-test-123",
  });

export const secretDescriptionField = textOf(DESCRIPTION_MAX_CHARACTERS).nullable();

const HOSTS_NEEDED =
  'must name the hosts that the value may be sent to, such as ["api.example.com"], or ["api.example.com:8443"] for another port than the usual one';

/** `host` or `host:port`, at least one: a secret that names no host would go wherever a connector that names it leads. */
export const allowedHostsField = z
  .array(
    z
      .string()
      .max(300)
      .refine((text) => readAllowedHost(text) !== null, "must be host or host:port, without a scheme, a path or a wildcard"),
    HOSTS_NEEDED,
  )
  .min(1, HOSTS_NEEDED)
  .max(SECRET_MAX_ALLOWED_HOSTS, `may have at most ${SECRET_MAX_ALLOWED_HOSTS} hosts`)
  .meta({
    description:
      "The hosts (`host`, or `host:port` where the port is not the usual one) that the value may be sent to, over https. A secret of before hosts were asked for has none, and goes only to the host of the connector that names it.",
    example: ["api.example.com"],
  });

export const secretSchema = z
  .object({
    name: secretNameField,
    description: z.string().nullable(),
    allowed_hosts: z.array(z.string()),
    created_at: timeField,
    updated_at: timeField,
    last_used_at: nullableTime.meta({ description: "When a run last sent it." }),
  })
  .meta({ id: "Secret", description: "An account secret. Its value is write-only." });

export function toSecret(secret: SecretView) {
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
export function toAllowedHosts(texts: readonly string[]): string[] {
  const hosts = texts.map(readAllowedHost).filter((host) => host !== null);
  return [...new Set(hosts.map(allowedHostText))];
}
