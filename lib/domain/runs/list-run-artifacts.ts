import "server-only";
import type { Artifact } from "@/lib/model/run/artifact";
import { prisma } from "@/lib/storage/prisma";

/** What a run made, oldest first; `url` is left for the doors to sign. */
export async function listRunArtifacts(runId: string): Promise<Artifact[]> {
  const rows = await prisma().artifact.findMany({ where: { runId }, orderBy: { id: "asc" }, take: 200 });
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    type: row.contentType,
    url: `artifact:${row.id}`,
    name: row.name,
    size_bytes: Number(row.sizeBytes),
  }));
}
