import "server-only";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import type { RunEventBody } from "@/lib/model/run/run-event";
import type { Artifact } from "@/lib/model/run/run-result";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import type { MediaRequest } from "@/lib/runtime/models/media";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";

export interface NewArtifact {
  title: string;
  /** A file name without folders. */
  name: string;
  /** Its media type. */
  type: string;
  content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/**
 * Where a run's artifacts are kept. Called again for the same tool call, `create` must answer the
 * same artifact.
 */
export interface ArtifactPort {
  create(artifact: NewArtifact): Promise<Artifact>;
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
   * The value of a secret that the run may use, for one request to `url` of the connector written
   * as `connectorUrl`. Throws `ToolFailure` when there is no such secret or it may not travel
   * there.
   */
  openSecret(name: string, url: URL, connectorUrl: string): Promise<string>;
  /**
   * The token of the sign-in at an MCP server that the run goes by; `refused` is the one that the
   * server has just answered 401 to. Throws `ToolFailure` where there is none.
   */
  accessToken(serverUrl: string, refused: string | null): Promise<string>;
  revisions: RevisionPort;
}

/** How an MCP server was last spoken to. */
export interface McpRevision {
  /** `2026-07-28`, or an older one. */
  version: string;
  /** Requests stand alone: the revision has no handshake, or the server keeps no sessions. */
  isBare: boolean;
}

/** Which revision each MCP server spoke last, for as long as that is believed. */
export interface RevisionPort {
  find(server: McpServer): Promise<McpRevision | null>;
  keep(server: McpServer, revision: McpRevision): Promise<void>;
}

/** The skills that a run may read: the account's enabled ones and the built-in ones. */
export interface SkillPort {
  /**
   * The whole SKILL.md and the paths of the files beside it; null when the run has no skill of this
   * name.
   */
  find(name: string): Promise<{ content: string; files: string[] } | null>;
  /**
   * A file beside SKILL.md; null when there is none at this path, or the run has no skill of this
   * name. Of one with more bytes than `maxBytes` none are read.
   */
  readFile(
    name: string,
    path: string,
    maxBytes?: number,
  ): Promise<{ sizeBytes: number; bytes: Uint8Array | null } | null>;
}

export interface FileEntry {
  path: string;
  size_bytes: number;
  content_type: string;
}

export interface FilePage {
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

/** A file, ready to be streamed. */
export interface OpenFile extends FileEntry {
  /** Without folders. */
  name: string;
  sha256: string;
  open(): Promise<ReadableStream<Uint8Array>>;
}

export type SavedFile = Pick<FileEntry, "path" | "size_bytes">;

/**
 * The files that a run may use: those of the workspace that it is bound to, and its own, whose
 * paths begin with `run:`. Of the latter it also reads those of earlier runs of its conversation,
 * and their artifacts, by path or id. A path without `run:` means the workspace; what is not there,
 * or where there is none, a file of the run. What cannot be done throws `ToolFailure`. Offsets are
 * in bytes.
 */
export interface FilesPort {
  list(prefix?: string): Promise<FileEntry[]>;
  read(path: string, page: { offset: number; maxBytes: number }): Promise<FilePage>;
  head(path: string, maxBytes: number): Promise<FileHead>;
  /** The whole file; one larger than `maxBytes` throws `ToolFailure`. */
  readBytes(path: string, maxBytes: number): Promise<Uint8Array>;
  open(path: string): Promise<OpenFile>;
  /** Null where there is none. */
  find(path: string): Promise<FileEntry | null>;
  /**
   * The best hits of a full-text search of the workspace, best first, and the paths of the files
   * whose text it has searched.
   */
  search(
    query: string,
    prefix: string,
    signal: AbortSignal,
  ): Promise<{ hits: SearchHit[]; searched: ReadonlySet<string> }>;
  write(
    path: string,
    content: string | Uint8Array | ReadableStream<Uint8Array>,
    type?: string | null,
  ): Promise<SavedFile>;
  /** The two below change a file once for one tool call, however often it is made. */
  append(path: string, text: string): Promise<SavedFile>;
  edit(path: string, change: (text: string) => string): Promise<SavedFile>;
  copy(from: string, to: string): Promise<SavedFile>;
  /** Whether there was one. */
  remove(path: string): Promise<boolean>;
  /**
   * What somebody outside has sent, without the account's secrets: a text of this charset (stored
   * as UTF-8), or bytes (null).
   */
  receive(
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    options: { type: string; charset: string | null },
  ): Promise<SavedFile>;
  /** Files of the run, all of them or none. */
  saveAll(
    files: readonly { path: string; bytes: Uint8Array; mime?: string }[],
  ): Promise<SavedFile[]>;
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
