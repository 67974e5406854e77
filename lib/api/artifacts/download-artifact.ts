import "server-only";
import { errorAnswer } from "@/lib/api/http/error-answer";
import { fileResponse } from "@/lib/api/http/file-response";
import { openArtifact } from "@/lib/domain/artifacts/open-artifact";
import { newId } from "@/lib/platform/ids";

/** Sends an artifact's bytes for a signed url. */
export async function downloadArtifact(request: Request, artifactId: string): Promise<Response> {
  const requestId = newId();
  try {
    return await fileResponse(request, await openArtifact(new URL(request.url), artifactId));
  } catch (error) {
    return errorAnswer(error, requestId);
  }
}
