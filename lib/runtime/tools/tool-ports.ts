import "server-only";
import type { Artifact } from "@/lib/model/run/run-result";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";

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

/** How connectors reach the world, and the only way by which a secret's value gets to them. */
export interface ConnectorPort {
  reach: EgressOptions;
  /**
   * The value of an account secret, for one request to `url` of the connector written as `connectorUrl`. Throws `ToolFailure` when there is
   * no such secret or it may not travel there.
   */
  openSecret(name: string, url: URL, connectorUrl: string): Promise<string>;
  /**
   * The token of the account's sign-in at an MCP server; `refused` is the one that the server has just answered 401 to. Throws `ToolFailure`
   * where the account is not signed in there.
   */
  accessToken(serverUrl: string, refused: string | null): Promise<string>;
}

/** The skills that a run may read: the account's enabled ones and the built-in ones. */
export interface SkillPort {
  /** The whole SKILL.md and the paths of the files beside it; null when the run has no skill of this name. */
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
  /** Whole characters only: a character that the page's end would cut belongs to the next page (see `decodePage`). */
  text: string;
  truncated: boolean;
  /** The byte at which the next page starts; null at the end of the file. */
  next_offset: number | null;
  size_bytes: number;
}

/** The files of the workspace that a run is bound to. A path that is not there throws `ToolFailure`. Offsets are in bytes. */
export interface WorkspacePort {
  list(prefix?: string): Promise<WorkspaceEntry[]>;
  read(path: string, page: { offset: number; maxBytes: number }): Promise<WorkspacePage>;
  /** The whole file; one larger than `maxBytes` throws `ToolFailure`. */
  readBytes(path: string, maxBytes: number): Promise<Uint8Array>;
  write(path: string, text: string): Promise<{ path: string; size_bytes: number }>;
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
  /** Called again for the same tool call it gives the same note. @throws ToolFailure when no more can be kept */
  save(text: string, toolCallId: string): Promise<Note>;
  /** Whether there is such a note. */
  update(id: string, text: string): Promise<boolean>;
  remove(id: string): Promise<boolean>;
}
