import "server-only";
import { withinAccount } from "@/lib/domain/credits/account-statements";
import { removeBytes, storeBytes, takeSpace } from "@/lib/domain/files/save-file";
import { ServiceError } from "@/lib/model/errors";
import type { Artifact } from "@/lib/model/run/artifact";
import { newId } from "@/lib/platform/ids";
import type { ArtifactPort, NewArtifact } from "@/lib/runtime/tools/artifact-port";
import { ToolFailure } from "@/lib/runtime/tools/tool-failure";
import type { Artifact as ArtifactRow } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";
import { type Transaction, transaction } from "@/lib/storage/transaction";

/** Keeps what one tool call makes; called again after a crash it answers the artifact that is there. Its bytes count against the account's quota. */
export function artifactPort(run: { id: string; accountId: string }, toolCallId: string): ArtifactPort {
  return {
    async create(made) {
      const existing = await prisma().artifact.findUnique({ where: { runId_stepKey: { runId: run.id, stepKey: toolCallId } } });
      return toArtifact(existing ?? (await insert(run, toolCallId, made)));
    },
  };
}

async function insert(run: { id: string; accountId: string }, stepKey: string, made: NewArtifact): Promise<ArtifactRow> {
  const stored = await storeBytes(run.accountId, new Blob([made.content]).stream());
  const id = newId();
  try {
    const keep = async (tx: Transaction) => {
      await takeSpace(tx, run.accountId, BigInt(stored.sizeBytes));
      await tx.query(
        `INSERT INTO artifacts (id, run_id, account_id, step_key, title, name, content_type, size_bytes, sha256, storage_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [id, run.id, run.accountId, stepKey, made.title, made.name, made.type, stored.sizeBytes, stored.sha256, stored.storageKey],
      );
    };
    await withinAccount(run.accountId, () => transaction(keep));
  } catch (error) {
    await removeBytes(stored.storageKey);
    if (error instanceof ServiceError) throw new ToolFailure(error.message);
    throw error;
  }
  return prisma().artifact.findUniqueOrThrow({ where: { id } });
}

/** As the log keeps it: the url names the artifact and is signed when it is shown. */
function toArtifact(row: ArtifactRow): Artifact {
  return {
    id: row.id,
    title: row.title,
    type: row.contentType,
    url: `artifact:${row.id}`,
    name: row.name,
    size_bytes: Number(row.sizeBytes),
  };
}
