import "server-only";
import { errorAnswer } from "@/lib/api/http/answer";
import { fileResponse } from "@/lib/api/http/file-response";
import { requestIdOf } from "@/lib/api/http/request";
import { openArtifact } from "@/lib/domain/artifacts/open-artifact";

/** Sends an artifact's bytes for a signed url. */
export async function downloadArtifact(request: Request, artifactId: string): Promise<Response> {
  const requestId = requestIdOf(request);
  const response = await answer(request, artifactId, requestId);
  response.headers.set("x-request-id", requestId);
  return response;
}

async function answer(request: Request, artifactId: string, requestId: string): Promise<Response> {
  try {
    return await fileResponse(request, await openArtifact(new URL(request.url), artifactId));
  } catch (error) {
    return errorAnswer(error, requestId);
  }
}
