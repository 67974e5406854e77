import "server-only";
import { takeSpace } from "@/lib/domain/files/save-file";
import type { Transaction } from "@/lib/storage/transaction";

/** Gives the bytes of files that are gone back to their accounts. Last in a transaction, as always with the account's row; of several, in one order. */
export async function giveBackSpace(tx: Transaction, gone: readonly { account_id: string; size_bytes: string }[]): Promise<void> {
  const bytes = new Map<string, bigint>();
  for (const { account_id, size_bytes } of gone) bytes.set(account_id, (bytes.get(account_id) ?? 0n) + BigInt(size_bytes));
  for (const accountId of [...bytes.keys()].sort()) await takeSpace(tx, accountId, -(bytes.get(accountId) ?? 0n));
}
