import "server-only";

import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { S3Settings } from "@/lib/storage/files/s3-file-store";

export type S3TestServer = {
  settings: S3Settings;
  /** Objects in the bucket. */
  countFiles: () => Promise<number>;
  /** Multipart uploads that were begun and neither completed nor aborted. */
  countLeftovers: () => Promise<number>;
  /** Called with method and path of each request; an answer `false` cuts the connection instead. */
  onRequest: (see: (line: string) => boolean) => void;
  close: () => Promise<void>;
};

const BUCKET = "files";

/**
 * A real S3 server on the loopback address, keeping its objects in a temporary folder. `s3rver`
 * lacks two operations, which are answered in front of it from that same folder: to list and to
 * abort multipart uploads.
 */
export async function startS3TestServer(): Promise<S3TestServer> {
  const root = await mkdtemp(join(tmpdir(), "s3-"));
  const uploads = join(root, BUCKET, "._S3rver_uploads");
  const inner = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: root,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await inner.run();
  let see = (_line: string) => true;
  const outer = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "", "http://s3");
    if (!see(`${incoming.method} ${url.pathname}${url.search}`))
      return void incoming.socket.destroy();
    const uploadId = url.searchParams.get("uploadId");
    if (incoming.method === "DELETE" && uploadId !== null)
      return void abort(join(uploads, uploadId), outgoing);
    if (incoming.method === "GET" && url.searchParams.has("uploads"))
      return void list(uploads, outgoing);
    return pass(port, incoming, outgoing);
  });
  await new Promise<void>((resolve) => outer.listen(0, "127.0.0.1", resolve));
  // It listens on TCP, so this is no pipe's name.
  const { port: outerPort } = outer.address() as AddressInfo;
  return {
    settings: {
      bucket: BUCKET,
      endpoint: `http://127.0.0.1:${outerPort}`,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
      forcePathStyle: true,
    },
    countFiles: async () =>
      (await readdir(root, { recursive: true })).filter((name) => name.endsWith("_object")).length,
    countLeftovers: async () => (await readdir(uploads).catch(() => [])).length,
    onRequest: (next) => {
      see = next;
    },
    close: async () => {
      outer.closeAllConnections();
      await new Promise((resolve) => outer.close(resolve));
      await inner.close();
      await rm(root, { recursive: true });
    },
  };
}

function pass(port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const onward = request(
    {
      host: "127.0.0.1",
      port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    },
  );
  onward.on("error", () => incoming.socket.destroy());
  incoming.pipe(onward);
}

async function abort(folder: string, outgoing: ServerResponse): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  outgoing.writeHead(204).end();
}

async function list(folder: string, outgoing: ServerResponse): Promise<void> {
  const rows: string[] = [];
  for (const id of await readdir(folder).catch(() => [])) {
    const [key, { mtime }] = await Promise.all([
      readFile(join(folder, id, "key"), "utf8"),
      stat(join(folder, id)),
    ]);
    rows.push(
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`,
    );
  }
  const xml = `<?xml version="1.0"?><ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${rows.join("")}</ListMultipartUploadsResult>`;
  outgoing
    .writeHead(200, { "content-type": "application/xml", "x-amz-request-id": randomUUID() })
    .end(xml);
}
