import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

/** Unpacks one Brotli file to `target`. */
export async function unpackBrotli(source, target) {
  await pipeline(createReadStream(source), createBrotliDecompress(), createWriteStream(target));
}
