import "server-only";
import { env } from "@/lib/env";
import { ARTIFACT_URL_SECONDS } from "@/lib/model/limits";
import type { RunEvent } from "@/lib/model/run/run-event";
import { signUrl } from "@/lib/platform/crypto/sign-url";

/** Whose artifacts are signed, and the base address by which the reader knows this service. */
export interface ArtifactLinks {
  accountId: string;
  baseUrl: string;
}

/**
 * A url of an artifact's bytes that needs no key, works for 15 minutes, and opens nothing that
 * belongs to another account.
 */
export function artifactUrl(artifactId: string, { accountId, baseUrl }: ArtifactLinks): string {
  const options = {
    secret: env().SIGNING_SECRET,
    scope: accountId,
    expiresInSeconds: ARTIFACT_URL_SECONDS,
  };
  return baseUrl + signUrl(`/api/artifacts/${artifactId}`, options);
}

/**
 * A run's result, or a webhook's, with the url of each entry of `artifacts` signed anew. Nothing
 * else in it is looked at: what the model wrote (`text`, `data`) leaves as it came, whatever it
 * looks like.
 */
export function signArtifacts<T extends { artifacts: readonly { id: string; url: string }[] }>(
  result: T,
  links: ArtifactLinks,
): T {
  return {
    ...result,
    artifacts: result.artifacts.map((artifact) => ({
      ...artifact,
      url: artifactUrl(artifact.id, links),
    })),
  };
}

/** The two kinds of line that carry artifacts; `type` stands first in every stored line. */
const WITH_ARTIFACTS = ['{"type":"artifact.created"', '{"type":"run.completed"'];

/**
 * A stored line of a run's log as it is shown: the artifacts that it carries are signed, by their
 * place in the event.
 */
export function signEventLine(line: string, links: ArtifactLinks): string {
  if (!WITH_ARTIFACTS.some((start) => line.startsWith(start))) return line;
  const event = JSON.parse(line) as RunEvent; // our own stored line
  if (event.type === "artifact.created")
    return JSON.stringify({
      ...event,
      artifact: { ...event.artifact, url: artifactUrl(event.artifact.id, links) },
    });
  if (event.type === "run.completed" && event.result.artifacts.length > 0)
    return JSON.stringify({ ...event, result: signArtifacts(event.result, links) });
  return line;
}
