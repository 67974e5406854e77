import type { Client } from "openapi-fetch";
import { LatheApiError } from "./errors";
import type { paths } from "./openapi-types";
import type { WorkspaceFile } from "./schemas";
import type { Transport } from "./transport";
import { dataOf } from "./verbs";

type Api = Client<paths>;

/** Bytes to send: at once, or as they come. A stream of Node.js (`createReadStream`) is an async iterable. */
export type Bytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

interface TransferOptions {
  signal?: AbortSignal;
  /** For the whole of an upload, or to the headers of a download; 600,000 by default. */
  timeoutMs?: number;
}

export interface FileTransfers {
  /**
   * Stores `content` at `path` of the workspace; what was there is replaced. Sent once: bytes of a stream are gone after the first try.
   * @throws LatheApiError, LatheConnectionError, the signal's reason
   */
  upload(workspaceId: string, path: string, content: Bytes, options?: TransferOptions & { contentType?: string }): Promise<WorkspaceFile>;
  /** The file's bytes as an answer of `fetch`: `blob()`, `text()` or `body`. @throws as `upload` */
  download(workspaceId: string, fileId: string, options?: TransferOptions & { range?: string }): Promise<Response>;
}

const TRANSFER_TIMEOUT_MS = 600_000;
const FILES = "/v1/workspaces/{workspace_id}/files";

export function createFileTransfers(api: Api, transport: Transport): FileTransfers {
  return {
    upload(workspaceId, path, content, { signal, timeoutMs = TRANSFER_TIMEOUT_MS, contentType } = {}) {
      const type = contentType ?? (content instanceof Blob ? content.type : "");
      const init = {
        params: { path: { workspace_id: workspaceId }, query: { path } },
        // Of raw bytes the document says only that they are a string: what is sent is the content.
        body: "",
        bodySerializer: () => toBody(content),
        headers: { "Content-Type": type || "application/octet-stream" },
        // What `fetch` asks for with a body that is a stream.
        duplex: "half",
        fetch: transport.onceWithin(timeoutMs),
        signal,
      };
      return dataOf(api.POST(FILES, init));
    },
    async download(workspaceId, fileId, { signal, timeoutMs = TRANSFER_TIMEOUT_MS, range } = {}) {
      const path = { workspace_id: workspaceId, file_id: fileId };
      const { response, error } = await api.GET(`${FILES}/{file_id}/content`, {
        params: { path, header: { Range: range } },
        parseAs: "stream",
        fetch: transport.onceWithin(timeoutMs),
        signal,
      });
      if (!response.ok) throw new LatheApiError(response, error, Date.now());
      return response;
    },
  };
}

function toBody(content: Bytes): Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> {
  return isIterable(content) ? toStream(content) : content;
}

/** Of what is sent as it is, streams may be iterable too. */
function isIterable(content: Bytes): content is AsyncIterable<Uint8Array> {
  return typeof content === "object" && !(content instanceof ReadableStream) && Symbol.asyncIterator in content;
}

/** `ReadableStream.from` is not everywhere yet. */
function toStream(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
