import "server-only";
import { z } from "zod";
import { fileResponse } from "@/lib/api/http/file-response";
import { operation, toList } from "@/lib/api/http/operation";
import { examplePage, idField, listOf, listQuery, timeField } from "@/lib/api/schemas/fields";
import { CONTENT_HEADERS } from "@/lib/api/v1/files/file-operations";
import type { RunFile } from "@/lib/domain/files/run-files";
import { listFilesOfRun, openFileOfRun } from "@/lib/domain/runs/run-files-view";

const runFileSchema = z
  .object({
    path: z
      .string()
      .meta({ description: "Unique in its run. Tools name it with `run:` before it." }),
    size_bytes: z.int(),
    content_type: z.string(),
    sha256: z.string(),
    created_at: timeField,
    updated_at: timeField,
  })
  .meta({ id: "RunFile" });

function toRunFile(file: RunFile): z.output<typeof runFileSchema> {
  return {
    path: file.path,
    size_bytes: file.sizeBytes,
    content_type: file.contentType,
    sha256: file.sha256,
    created_at: file.createdAt.toISOString(),
    updated_at: file.updatedAt.toISOString(),
  };
}

const EXAMPLE_RUN_FILE: z.output<typeof runFileSchema> = {
  path: "cleaned/orders.csv",
  size_bytes: 48_213,
  content_type: "text/csv",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  created_at: "2026-01-31T09:30:12.000Z",
  updated_at: "2026-01-31T09:30:12.000Z",
};

const runParams = z.object({ run_id: idField });

const listRunFilesOperation = operation({
  method: "GET",
  path: "/v1/runs/{run_id}/files",
  operationId: "listRunFiles",
  tag: "Runs",
  summary: "List a run's files",
  description:
    "The scratch space of a run, newest first: what its code saved, long results of tools, " +
    "what connectors sent. At most 200 files and 256 MiB a run, within the account's space; " +
    "deleted with the run. What the run handed over to the person is in its result's " +
    "`artifacts`.",
  params: runParams,
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of files.",
      schema: listOf(runFileSchema),
      examples: examplePage(EXAMPLE_RUN_FILE),
    },
  ],
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND"],
  async handle({ principal, params, query }) {
    return {
      status: 200,
      body: toList(await listFilesOfRun(principal, params.run_id, query), toRunFile),
    };
  },
});

const getRunFileContentOperation = operation({
  method: "GET",
  path: "/v1/runs/{run_id}/files/content",
  operationId: "getRunFileContent",
  tag: "Runs",
  summary: "Download a run's file",
  description:
    "Streams the bytes, always as an attachment. One `Range` is honoured; `ETag` and " +
    "`If-None-Match` work.",
  params: runParams,
  query: z.object({
    path: z
      .string()
      .min(1)
      .max(2_048)
      .meta({ description: "The file's path.", examples: ["cleaned/orders.csv"] }),
  }),
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
  errors: ["INVALID_INPUT", "RUN_NOT_FOUND", "FILE_NOT_FOUND", "RANGE_NOT_SATISFIABLE"],
  async handle({ principal, params, query, request }) {
    return fileResponse(request, await openFileOfRun(principal, params.run_id, query.path));
  },
});

export const RUN_FILE_OPERATIONS = [listRunFilesOperation, getRunFileContentOperation];
