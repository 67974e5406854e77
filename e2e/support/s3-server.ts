import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver from "s3rver";

export interface S3Server {
  /** What a service needs in its environment to keep its files here. */
  environment: Record<string, string>;
  countObjects(): Promise<number>;
  stop(): Promise<void>;
}

const BUCKET = "lathe-files";

/** A real S3 server on the loopback address, keeping its objects in a temporary folder. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(path.join(tmpdir(), "lathe-s3-"));
  const buckets = [{ name: BUCKET, configs: [] }];
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory: folder,
    configureBuckets: buckets,
  });
  const { port } = await server.run();
  return {
    environment: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
      S3_FORCE_PATH_STYLE: "true",
    },
    countObjects: async () =>
      (await readdir(folder, { recursive: true })).filter((name) => name.endsWith("_object"))
        .length,
    stop: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
