import { randomBytes } from "node:crypto";

/**
 * An address of the range for documentation that no other test speaks from: the service under test
 * trusts this machine as a proxy, and counts each address's requests by its default limit.
 */
export function freshAddress(): string {
  const groups = randomBytes(4).toString("hex").match(/.{4}/g) ?? [];
  return `2001:db8:${groups.join(":")}::1`;
}
