import "server-only";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { isUuid } from "@/lib/model/uuid";
import { readSignedUrl } from "@/lib/platform/crypto/sign-url";
import { prisma } from "@/lib/storage/prisma";

/**
 * An artifact by its signed url, ready to be streamed. A forged, altered or expired url finds
 * nothing, and neither does one that was signed for another account than the artifact's owner.
 * @throws ServiceError NOT_FOUND
 */
export async function openArtifact(url: URL, artifactId: string) {
  const signed = isUuid(artifactId) ? readSignedUrl(url, { secret: env().SIGNING_SECRET }) : null;
  const row = signed
    ? await prisma().artifact.findFirst({ where: { id: artifactId, accountId: signed.scope } })
    : null;
  if (!row)
    throw new ServiceError(
      "NOT_FOUND",
      "This link does not work any more. Fetch the run again for a new one.",
    );
  return {
    name: row.name,
    contentType: row.contentType,
    sizeBytes: Number(row.sizeBytes),
    sha256: row.sha256,
    open: (range?: { start: number; end: number }) => fileStore().read(row.storageKey, range),
  };
}
