import "server-only";
import type { RunEventBody } from "@/lib/model/run/run-event";
import type { Artifact } from "@/lib/model/run/run-result";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import type { MediaModel } from "@/lib/runtime/models/available-models";
import type { MediaRequest } from "@/lib/runtime/models/media";

export interface NewArtifact {
  title: string;
  /** A file name without folders. */
  name: string;
  /** Its media type. */
  type: string;
  content: string | Uint8Array<ArrayBuffer>;
}

/**
 * Where a run's artifacts are kept. Called again for the same tool call, `create` must answer the
 * same artifact.
 */
export interface ArtifactPort {
  create(artifact: NewArtifact): Promise<Artifact>;
}

/**
 * Files that code makes in a run, which its later calls may read by their paths.
 */
export interface RunFilesPort {
  /** The newest of each path. */
  list(): Promise<{ path: string; size_bytes: number; type: string }[]>;
  /** Null where the run has none of this path. @throws ToolFailure for one that is larger */
  read(path: string, maxBytes: number): Promise<Uint8Array | null>;
  /**
   * Keeps a file; called again for the same tool call and path it answers what is there.
   * @throws ToolFailure where there is no room for it
   */
  write(path: string, type: string, bytes: Uint8Array<ArrayBuffer>): Promise<Artifact>;
}

/**
 * What has models make something that costs money, and keeps it. Called again for the same tool
 * call it answers the same artifact, and costs nothing.
 */
export interface MediaPort {
  /** @throws ToolFailure when it cannot be paid, or is not made */
  make(
    model: MediaModel,
    request: MediaRequest,
    title: string,
    call: { toolCallId: string; signal: AbortSignal; emit(event: RunEventBody): void },
  ): Promise<Artifact>;
}

/** How connectors reach the world, and the only way by which a secret's value gets to them. */
export interface ConnectorPort {
  reach: EgressOptions;
  /**
   * The value of an account secret, for one request to `url` of the connector written as
   * `connectorUrl`. Throws `ToolFailure` when there is no such secret or it may not travel there.
   */
  openSecret(name: string, url: URL, connectorUrl: string): Promise<string>;
  /**
   * The token of the account's sign-in at an MCP server; `refused` is the one that the server has
   * just answered 401 to. Throws `ToolFailure` where the account is not signed in there.
   */
  accessToken(serverUrl: string, refused: string | null): Promise<string>;
}

/** The skills that a run may read: the account's enabled ones and the built-in ones. */
export interface SkillPort {
  /**
   * The whole SKILL.md and the paths of the files beside it; null when the run has no skill of this
   * name.
   */
  find(name: string): Promise<{ content: string; files: string[] } | null>;
  /** The bytes of a file beside SKILL.md; null when there is none at this path. */
  readFile(name: string, path: string): Promise<Uint8Array | null>;
}

interface WorkspaceEntry {
  path: string;
  size_bytes: number;
  content_type: string;
}

export interface WorkspacePage {
  /**
   * Whole characters only: a character that the page's end would cut belongs to the next page (see
   * `decodePage`).
   */
  text: string;
  truncated: boolean;
  /** The byte at which the next page starts; null at the end of the file. */
  next_offset: number | null;
  size_bytes: number;
}

/** The first bytes of a file, and which version of it they are of. */
export interface FileHead {
  bytes: Uint8Array;
  size_bytes: number;
  content_type: string;
  file_id: string;
  sha256: string;
}

/** A piece of a file's text that fits a query. */
export interface SearchHit {
  path: string;
  /** `page 3`, `sheet Sales!A1:F40`, `slide 2`; absent for a file of lines. */
  reference?: string;
  line?: number;
  text: string;
  rank: number;
}

/**
 * The files of the workspace that a run is bound to. A path that is not there throws `ToolFailure`.
 * Offsets are in bytes.
 */
export interface WorkspacePort {
  list(prefix?: string): Promise<WorkspaceEntry[]>;
  read(path: string, page: { offset: number; maxBytes: number }): Promise<WorkspacePage>;
  head(path: string, maxBytes: number): Promise<FileHead>;
  /** The whole file; one larger than `maxBytes` throws `ToolFailure`. */
  readBytes(path: string, maxBytes: number): Promise<Uint8Array>;
  write(path: string, text: string): Promise<{ path: string; size_bytes: number }>;
  /**
   * The best hits of a full-text search, best first, and the paths of the files whose text it has
   * searched.
   */
  search(
    query: string,
    prefix: string,
    signal: AbortSignal,
  ): Promise<{ hits: SearchHit[]; searched: ReadonlySet<string> }>;
}

/** Something that an agent has noted. */
export interface Note {
  id: string;
  text: string;
}

/** What an agent has noted across conversations, about whom this run is for. */
export interface MemoryPort {
  /** Newest first; with `search` those that hold it. */
  list(search: string | null): Promise<Note[]>;
  /**
   * Called again for the same tool call it gives the same note. @throws ToolFailure when no more
   * can be kept
   */
  save(text: string, toolCallId: string): Promise<Note>;
  /** Whether there is such a note. */
  update(id: string, text: string): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}
