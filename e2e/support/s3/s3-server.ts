import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Bucket, compareBytes, type NamedPart } from "./bucket";
import { type Credentials, checkSignature, decodePart } from "./check-signature";
import { S3Error } from "./s3-error";

export interface S3Server {
  settings: Credentials & { bucket: string; endpoint: string; forcePathStyle: true };
  /** What a service needs in its environment to keep its files here. */
  environment: Record<string, string>;
  countObjects(): number;
  /** Multipart uploads that were begun and neither completed nor aborted. */
  countUploads(): number;
  /** Called with method and target of each request; an answer `false` cuts the connection. */
  onRequest(see: (line: string) => boolean): void;
  stop(): Promise<void>;
}

export interface S3ServerOptions {
  /** The most that a listing returns at once, whatever it is asked for; 1000 as S3 itself. */
  pageMax?: number;
}

interface Call {
  bucket: Bucket;
  bucketName: string;
  key: string;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
  pageMax: number;
  /** The whole body, which is what the signature says it is. */
  body: () => Promise<Buffer>;
}

type Operation = (call: Call) => void | Promise<void>;

const BUCKET = "lathe-files";
const CREDENTIALS: Credentials = {
  accessKeyId: "LATHETESTKEY",
  secretAccessKey: "a-secret/of+the-stand-in",
  region: "us-east-1",
};
const PAGE_MAX = 1000;
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * What is implemented: method, what the path names, and the query parameters that make the
 * operation. `takes` are those that it understands besides.
 */
const OPERATIONS: {
  method: string;
  of: "bucket" | "object";
  by: string[];
  takes?: string[];
  run: Operation;
}[] = [
  {
    method: "GET",
    of: "bucket",
    by: ["list-type"],
    takes: ["prefix", "start-after", "max-keys"],
    run: listObjects,
  },
  {
    method: "GET",
    of: "bucket",
    by: ["uploads"],
    takes: ["key-marker", "upload-id-marker", "max-uploads"],
    run: listUploads,
  },
  { method: "POST", of: "object", by: ["uploads"], run: createUpload },
  { method: "PUT", of: "object", by: ["partNumber", "uploadId"], run: uploadPart },
  { method: "POST", of: "object", by: ["uploadId"], run: completeUpload },
  { method: "DELETE", of: "object", by: ["uploadId"], run: abortUpload },
  { method: "PUT", of: "object", by: [], run: putObject },
  { method: "GET", of: "object", by: [], run: getObject },
  { method: "HEAD", of: "object", by: [], run: getObject },
  { method: "DELETE", of: "object", by: [], run: deleteObject },
];
// The SDK names the operation in `x-id`, and says what it is in `x-amz-user-agent`.
const PARAMETERS = ["x-id"];
const AMZ_HEADERS = ["x-amz-date", "x-amz-content-sha256", "x-amz-user-agent"];

/**
 * A stand-in for S3 on the loopback address with one bucket, for the calls that the service's
 * driver makes. Each request's signature and body are checked, and what S3 refuses is refused in
 * S3's words. Parameters and headers that it does not know it answers as S3 answers what it does
 * not implement: a driver that begins to use another part of S3 fails here, not silently.
 */
export async function startS3Server({
  pageMax = PAGE_MAX,
}: S3ServerOptions = {}): Promise<S3Server> {
  const bucket = new Bucket();
  let see = (_line: string) => true;
  const server = createServer((request, response) => {
    if (!see(`${request.method} ${request.url}`)) return void request.socket.destroy();
    response.setHeader("x-amz-request-id", randomUUID());
    serve(bucket, pageMax, request, response).catch((error) => refuse(request, response, error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP, so this is no pipe's name
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    settings: { ...CREDENTIALS, bucket: BUCKET, endpoint, forcePathStyle: true },
    environment: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: endpoint,
      S3_REGION: CREDENTIALS.region,
      S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      S3_FORCE_PATH_STYLE: "true",
    },
    countObjects: () => bucket.objects().length,
    countUploads: () => bucket.uploads().length,
    onRequest: (next) => {
      see = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function serve(
  bucket: Bucket,
  pageMax: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", url: target = "" } = request;
  const headers = Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(",")]),
  );
  const sha256 = checkSignature({ method, target, headers }, CREDENTIALS, new Date());
  const [path = "", search = ""] = target.split(/\?(.*)/s);
  const [, bucketName = "", ...rest] = path.split("/").map(decodePart);
  const key = rest.join("/");
  const query = new URLSearchParams(search);
  const operation = findOperation(method, key === "" ? "bucket" : "object", query, headers);
  if (bucketName !== BUCKET)
    throw new S3Error("NoSuchBucket", "The specified bucket does not exist");
  const body = () => readBody(request, sha256);
  await operation({ bucket, bucketName, key, query, request, response, pageMax, body });
}

function findOperation(
  method: string,
  of: "bucket" | "object",
  query: URLSearchParams,
  headers: Record<string, string | undefined>,
): Operation {
  const given = [...query.keys()].filter((name) => !PARAMETERS.includes(name));
  const strange = Object.keys(headers).filter(
    (name) => name.startsWith("x-amz-") && !AMZ_HEADERS.includes(name),
  );
  const found = OPERATIONS.find(
    (operation) =>
      operation.method === method &&
      operation.of === of &&
      operation.by.every((name) => given.includes(name)) &&
      given.every((name) => [...operation.by, ...(operation.takes ?? [])].includes(name)),
  );
  if (found === undefined || strange.length > 0)
    throw new S3Error(
      "NotImplemented",
      `Not implemented: ${method} of the ${of} with "${[...given, ...strange].join(", ")}"`,
    );
  return found.run;
}

async function readBody(request: IncomingMessage, sha256: string): Promise<Buffer> {
  const length = request.headers["content-length"];
  if (length === undefined)
    throw new S3Error("MissingContentLength", "You must provide the Content-Length HTTP header.");
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (createHash("sha256").update(body).digest("hex") !== sha256)
    throw new S3Error(
      "XAmzContentSHA256Mismatch",
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  return body;
}

async function putObject({ bucket, key, response, body }: Call): Promise<void> {
  const { etag } = bucket.put(key, await body());
  response.writeHead(200, { etag }).end();
}

function getObject({ bucket, key, request, response }: Call): void {
  const { bytes, etag, storedAt } = bucket.get(key);
  const range = rangeOf(request.headers.range, bytes.byteLength);
  const part = range === null ? bytes : bytes.subarray(range.start, range.end + 1);
  response.writeHead(range === null ? 200 : 206, {
    "content-type": "binary/octet-stream",
    "content-length": part.byteLength,
    "accept-ranges": "bytes",
    "last-modified": storedAt.toUTCString(),
    etag,
    ...(range !== null && {
      "content-range": `bytes ${range.start}-${range.end}/${bytes.byteLength}`,
    }),
  });
  response.end(part);
}

/**
 * Both ends included. A header that is no single range of bytes counts for nothing, as in RFC 9110.
 * @throws {S3Error} `InvalidRange` where it begins behind the end.
 */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return null;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < start) return null;
  if (start >= size) throw new S3Error("InvalidRange", "The requested range is not satisfiable");
  return { start, end };
}

function deleteObject({ bucket, key, response }: Call): void {
  bucket.delete(key);
  response.writeHead(204).end();
}

function listObjects({ bucket, bucketName, query, response, pageMax }: Call): void {
  if (query.get("list-type") !== "2")
    throw new S3Error("InvalidArgument", "Invalid List Type specified in Query");
  const prefix = query.get("prefix") ?? "";
  const after = query.get("start-after") ?? "";
  const most = pageOf(query, "max-keys", pageMax);
  const found = bucket
    .objects()
    .filter(({ key }) => key.startsWith(prefix) && compareBytes(key, after) > 0);
  const page = found.slice(0, most);
  answer(response, "ListBucketResult", [
    element("Name", bucketName),
    element("Prefix", prefix),
    element("StartAfter", after),
    element("KeyCount", page.length),
    element("MaxKeys", most),
    element("IsTruncated", found.length > page.length),
    ...page.map(({ key, bytes, etag, storedAt }) =>
      nest("Contents", [
        element("Key", key),
        element("LastModified", storedAt.toISOString()),
        element("ETag", etag),
        element("Size", bytes.byteLength),
        element("StorageClass", "STANDARD"),
      ]),
    ),
  ]);
}

function listUploads({ bucket, bucketName, query, response, pageMax }: Call): void {
  const [keyMarker, idMarker] = [
    query.get("key-marker") ?? "",
    query.get("upload-id-marker") ?? "",
  ];
  const most = pageOf(query, "max-uploads", pageMax);
  const all = bucket.uploads();
  // With an upload's id those of the key that stand behind it follow, without one none of the key.
  const marked = all.findIndex(({ uploadId }) => uploadId === idMarker);
  const found = all.filter(({ key }, at) => {
    const order = compareBytes(key, keyMarker);
    return keyMarker === "" || order > 0 || (order === 0 && marked >= 0 && at > marked);
  });
  const page = found.slice(0, most);
  const last = page.at(-1);
  const isTruncated = found.length > page.length;
  answer(response, "ListMultipartUploadsResult", [
    element("Bucket", bucketName),
    element("KeyMarker", keyMarker),
    element("UploadIdMarker", idMarker),
    ...(isTruncated && last !== undefined
      ? [element("NextKeyMarker", last.key), element("NextUploadIdMarker", last.uploadId)]
      : []),
    element("MaxUploads", most),
    element("IsTruncated", isTruncated),
    ...page.map(({ key, uploadId, startedAt }) =>
      nest("Upload", [
        element("Key", key),
        element("UploadId", uploadId),
        element("StorageClass", "STANDARD"),
        element("Initiated", startedAt.toISOString()),
      ]),
    ),
  ]);
}

async function createUpload({ bucket, bucketName, key, response, body }: Call): Promise<void> {
  await body();
  const { uploadId } = bucket.beginUpload(key);
  answer(response, "InitiateMultipartUploadResult", [
    element("Bucket", bucketName),
    element("Key", key),
    element("UploadId", uploadId),
  ]);
}

async function uploadPart({ bucket, key, query, response, body }: Call): Promise<void> {
  const bytes = await body();
  const number = Number(query.get("partNumber"));
  const etag = bucket.putPart(key, query.get("uploadId") ?? "", number, bytes);
  response.writeHead(200, { etag }).end();
}

async function completeUpload(call: Call): Promise<void> {
  const { bucket, bucketName, key, query, response, body } = call;
  const named = partsOf((await body()).toString());
  const { etag } = bucket.completeUpload(key, query.get("uploadId") ?? "", named);
  answer(response, "CompleteMultipartUploadResult", [
    element("Bucket", bucketName),
    element("Key", key),
    element("ETag", etag),
  ]);
}

function abortUpload({ bucket, key, query, response }: Call): void {
  bucket.abortUpload(key, query.get("uploadId") ?? "");
  response.writeHead(204).end();
}

/** @throws {S3Error} `MalformedXML`. */
function partsOf(xml: string): NamedPart[] {
  const parts = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
    partNumber: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
    etag: (/<ETag>([^<]+)<\/ETag>/.exec(part)?.[1] ?? "").replaceAll("&quot;", '"'),
  }));
  if (parts.length === 0 || parts.some(({ partNumber, etag }) => !(partNumber > 0) || etag === ""))
    throw new S3Error("MalformedXML", "The XML you provided was not well-formed.");
  return parts;
}

/** @throws {S3Error} `InvalidArgument` */
function pageOf(query: URLSearchParams, name: string, pageMax: number): number {
  const asked = query.get(name) ?? String(pageMax);
  if (!/^\d{1,9}$/.test(asked))
    throw new S3Error("InvalidArgument", `Provided ${name} not an integer or within integer range`);
  return Math.min(Number(asked), pageMax);
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // A client that left in the middle of its body hears nothing.
  if (request.destroyed && !request.complete) return;
  const { code, status, message } =
    error instanceof S3Error ? error : new S3Error("InternalError", String(error));
  const xml = `${XML}<Error>${element("Code", code)}${element("Message", message)}${element(
    "Resource",
    request.url ?? "",
  )}${element("RequestId", String(response.getHeader("x-amz-request-id")))}</Error>`;
  // What is left of the body would be taken for the next request.
  request.resume();
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(request.method === "HEAD" ? undefined : xml);
}

function answer(response: ServerResponse, name: string, content: string[]): void {
  const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  response.writeHead(200, { "content-type": "application/xml" });
  response.end(`${XML}<${name} ${namespace}>${content.join("")}</${name}>`);
}

function element(name: string, value: string | number | boolean): string {
  return `<${name}>${escapeXml(String(value))}</${name}>`;
}

function nest(name: string, content: string[]): string {
  return `<${name}>${content.join("")}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
