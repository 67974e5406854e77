import { downloadArtifact } from "@/lib/api/artifacts/download-artifact";

/** An artifact's bytes, by a signed url that works for 15 minutes. */
export async function GET(
  request: Request,
  context: { params: Promise<{ artifact_id: string }> },
): Promise<Response> {
  return downloadArtifact(request, (await context.params).artifact_id);
}
