import "server-only";
import type { Artifact } from "@/lib/model/run/artifact";

export interface NewArtifact {
  title: string;
  /** A file name without folders. */
  name: string;
  /** Its media type. */
  type: string;
  content: string;
}

/** Where a run's artifacts are kept. Called again for the same tool call, `create` must answer the same artifact. */
export interface ArtifactPort {
  create(artifact: NewArtifact): Promise<Artifact>;
}
