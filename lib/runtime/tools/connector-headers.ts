import "server-only";
import { type CallPreview, ToolFailure } from "@/lib/runtime/tools/tool";
import type { ConnectorPort } from "@/lib/runtime/tools/tool-ports";

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** What a connector's config says about its secret. */
export interface ConnectorAuth {
  url: string;
  auth_secret?: string | undefined;
  auth_header?: string | undefined;
}

/** Which secret a connector sends, and in which header, for a person to read. */
export function secretPreview(
  auth: ConnectorAuth,
): Pick<CallPreview, "secret_name" | "secret_header"> {
  if (auth.auth_secret === undefined) return { secret_name: null, secret_header: null };
  return { secret_name: auth.auth_secret, secret_header: auth.auth_header ?? "Authorization" };
}

/**
 * The header that carries a connector's secret, put in for one request to `url`; none for a
 * connector without a secret.
 */
export async function connectorHeaders(
  auth: ConnectorAuth,
  url: URL,
  port: ConnectorPort,
): Promise<Record<string, string>> {
  if (auth.auth_secret === undefined) return {};
  const value = await port.openSecret(auth.auth_secret, url, auth.url);
  if (!HEADER_VALUE.test(value) || value.trim() !== value)
    throw new ToolFailure(
      `The secret ${auth.auth_secret} holds characters that no header can carry.`,
    );
  return auth.auth_header === undefined
    ? { authorization: `Bearer ${value}` }
    : { [auth.auth_header.toLowerCase()]: value };
}
