import "server-only";
import { z } from "zod";
import { fileResponse } from "@/lib/api/http/file-response";
import { operation, toList } from "@/lib/api/http/operation";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  timeField,
} from "@/lib/api/schemas/fields";
import { deleteFile } from "@/lib/domain/files/delete-file";
import { listFiles } from "@/lib/domain/files/list-files";
import { openFile, requireFile } from "@/lib/domain/files/open-file";
import { receiveUpload } from "@/lib/domain/files/receive-upload";
import type { FileRecord as WorkspaceFile } from "@/lib/domain/workspaces/workspace-record";

const fileSchema = z
  .object({
    file_id: idField,
    path: z.string(),
    name: z.string(),
    size_bytes: z.number().int(),
    content_type: z.string(),
    sha256: z.string(),
    created_at: timeField,
    updated_at: timeField,
  })
  .meta({ id: "WorkspaceFile" });

function toFile(file: WorkspaceFile) {
  return {
    file_id: file.id,
    path: file.path,
    name: file.path.slice(file.path.lastIndexOf("/") + 1),
    size_bytes: Number(file.sizeBytes),
    content_type: file.contentType,
    sha256: file.sha256,
    created_at: file.createdAt.toISOString(),
    updated_at: file.updatedAt.toISOString(),
  };
}

const EXAMPLE_FILE_TEXT = "month,amount\n2026-01,1200\n";

const EXAMPLE_FILE: z.output<typeof fileSchema> = {
  file_id: EXAMPLE_IDS.file_id,
  path: "data/sales.csv",
  name: "sales.csv",
  size_bytes: 26,
  content_type: "text/csv",
  sha256: "4f0d1a5c0d1a1c4f6cb9f6d4b7b0d3c6f6c0a2b1e6a3f3e1d9c8b7a695847362",
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

const workspaceParams = z.object({ workspace_id: idField });
const fileParams = z.object({ workspace_id: idField, file_id: idField });
const FILES = "/v1/workspaces/{workspace_id}/files";
export const CONTENT_HEADERS = [
  "ETag",
  "Accept-Ranges",
  "Content-Disposition",
  "Cache-Control",
] as const;

const uploadForm = z.strictObject({
  file: z.string().meta({ format: "binary", description: "The file's bytes." }),
  path: z.string().optional().meta({
    description: "Where the file lies, relative, at most 1,024 bytes; without it the file's name.",
  }),
});

const uploadFileOperation = operation({
  method: "POST",
  path: FILES,
  operationId: "uploadFile",
  tag: "Files",
  summary: "Upload a file",
  description:
    "Multipart with the field `file` (one) and optionally `path`, or the raw bytes with " +
    "`?path=`. The same path again replaces the file. A broken-off upload leaves nothing.",
  hourlyWrite: true,
  params: workspaceParams,
  query: z.object({
    path: z
      .string()
      .optional()
      .meta({
        description: "For a raw body: where the file lies, relative, at most 1,024 bytes.",
        examples: ["data/sales.csv"],
      }),
  }),
  rawBody: {
    "multipart/form-data": {
      description: "The field `file`, once, and optionally `path`.",
      schema: uploadForm,
      examples: { form: { path: "data/sales.csv", file: EXAMPLE_FILE_TEXT } },
    },
    "application/octet-stream": {
      description: "The file's bytes; where it lies is in the query.",
      examples: { bytes: EXAMPLE_FILE_TEXT },
    },
  },
  creates: ["files"],
  responses: [
    {
      status: 201,
      description: "The file.",
      schema: fileSchema,
      headers: ["Location"],
      examples: { file: EXAMPLE_FILE },
    },
    {
      status: 200,
      description: "The file, which replaced one of this path.",
      schema: fileSchema,
      headers: ["Location"],
      examples: { file: EXAMPLE_FILE },
    },
  ],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND", "PAYLOAD_TOO_LARGE"],
  async handle({ principal, params, query, request }) {
    const length = request.headers.get("content-length");
    const { file, replaced } = await receiveUpload(principal, params.workspace_id, {
      body: request.body,
      contentType: request.headers.get("content-type") ?? "",
      path: query.path ?? null,
      contentLength: length === null ? null : Number(length),
      signal: request.signal,
    });
    return {
      status: replaced ? 200 : 201,
      body: toFile(file),
      headers: { Location: `/v1/workspaces/${params.workspace_id}/files/${file.id}` },
    };
  },
});

const listFilesOperation = operation({
  method: "GET",
  path: FILES,
  operationId: "listFiles",
  tag: "Files",
  summary: "List files",
  description: "The workspace's files, newest first.",
  params: workspaceParams,
  query: z.object({
    ...listQuery,
    prefix: z
      .string()
      .max(1024)
      .default("")
      .meta({
        description: "Only paths that start with it.",
        examples: ["data/"],
        override: { type: "string" },
      }),
  }),
  responses: [
    {
      status: 200,
      description: "A page of files.",
      schema: listOf(fileSchema),
      examples: examplePage(EXAMPLE_FILE),
    },
  ],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND"],
  async handle({ principal, params, query }) {
    return {
      status: 200,
      body: toList(await listFiles(principal, params.workspace_id, query), toFile),
    };
  },
});

const getFileOperation = operation({
  method: "GET",
  path: `${FILES}/{file_id}`,
  operationId: "getFile",
  tag: "Files",
  summary: "Fetch a file's record",
  description: "Path, size, type and digest.",
  params: fileParams,
  responses: [
    { status: 200, description: "The file.", schema: fileSchema, examples: { file: EXAMPLE_FILE } },
  ],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND", "FILE_NOT_FOUND"],
  async handle({ principal, params }) {
    return {
      status: 200,
      body: toFile(await requireFile(principal, params.workspace_id, params.file_id)),
    };
  },
});

const getFileContentOperation = operation({
  method: "GET",
  path: `${FILES}/{file_id}/content`,
  operationId: "getFileContent",
  tag: "Files",
  summary: "Download a file",
  description:
    "Streams the bytes, always as an attachment. One `Range` is honoured; `ETag` and " +
    "`If-None-Match` work.",
  params: fileParams,
  requestHeaders: ["Range", "If-Range", "If-None-Match"],
  responses: [
    {
      status: 200,
      description: "The bytes, by the file's own media type.",
      contentType: "*/*",
      headers: CONTENT_HEADERS,
    },
    {
      status: 206,
      description: "The range of the bytes that was asked for.",
      contentType: "*/*",
      headers: [...CONTENT_HEADERS, "Content-Range"],
    },
    { status: 304, description: "Not changed.", headers: CONTENT_HEADERS },
  ],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND", "FILE_NOT_FOUND", "RANGE_NOT_SATISFIABLE"],
  async handle({ principal, params, request }) {
    return fileResponse(request, await openFile(principal, params.workspace_id, params.file_id));
  },
});

const deleteFileOperation = operation({
  method: "DELETE",
  path: `${FILES}/{file_id}`,
  operationId: "deleteFile",
  tag: "Files",
  summary: "Delete a file",
  description: "Removes the file.",
  hourlyWrite: true,
  params: fileParams,
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "WORKSPACE_NOT_FOUND", "FILE_NOT_FOUND"],
  async handle({ principal, params }) {
    await deleteFile(principal, params.workspace_id, params.file_id);
    return { status: 204 };
  },
});

export const FILE_OPERATIONS = [
  uploadFileOperation,
  listFilesOperation,
  getFileOperation,
  getFileContentOperation,
  deleteFileOperation,
];
