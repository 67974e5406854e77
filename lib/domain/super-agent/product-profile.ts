import "server-only";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { accountTransaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/**
 * An account's product profile in the words of `/v1`, checked by the surface; null before the first
 * one.
 */
export async function findProductProfile(accountId: string): Promise<JsonObject | null> {
  const row = await prisma().productProfile.findUnique({
    where: { accountId },
    select: { profile: true },
  });
  return (row?.profile as JsonObject | undefined) ?? null; // stored as a JSON object
}

/**
 * Replaces the whole profile. @throws ServiceError RATE_LIMITED (hourly cap): nothing is changed
 */
export async function replaceProductProfile(
  principal: Principal,
  profile: JsonObject,
): Promise<void> {
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    await tx.query(
      `INSERT INTO product_profiles (account_id, profile, updated_at) VALUES ($1, $2, now())
       ON CONFLICT (account_id) DO UPDATE SET profile = $2, updated_at = now()`,
      [principal.accountId, JSON.stringify(profile)],
    );
  });
}
