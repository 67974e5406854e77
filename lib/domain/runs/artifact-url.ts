import "server-only";
import { env } from "@/lib/env";
import { ARTIFACT_URL_SECONDS } from "@/lib/model/limits";
import type { Artifact } from "@/lib/model/run/artifact";
import type { RunResult } from "@/lib/model/run/run-result";
import { signUrl } from "@/lib/platform/crypto/sign-url";

/** A url of an artifact's bytes that needs no key and works for 15 minutes. */
export function artifactUrl(artifactId: string, baseUrl: string): string {
  return baseUrl + signUrl(`/api/artifacts/${artifactId}`, { secret: env().SIGNING_SECRET, expiresInSeconds: ARTIFACT_URL_SECONDS });
}

/** The result with each artifact's url signed anew. */
export function withArtifactUrls(result: RunResult, baseUrl: string): RunResult {
  return { ...result, artifacts: result.artifacts.map((artifact: Artifact) => ({ ...artifact, url: artifactUrl(artifact.id, baseUrl) })) };
}
