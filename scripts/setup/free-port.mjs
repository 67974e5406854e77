import { randomInt } from "node:crypto";
import { createServer } from "node:net";

// Below the range from which systems take the ports of outgoing connections: a server that restarts
// finds its own port free again.
const FIRST = 20_000;
const LAST = 31_999;
const TRIES = 50;

/**
 * A port of 127.0.0.1 that nobody listens on now; `preferred` when that is free. Throws when fifty
 * in a row are taken.
 * @param {number} [preferred]
 */
export async function freePort(preferred) {
  if (preferred && (await isFree(preferred))) return preferred;
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error("No free port was found on 127.0.0.1.");
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });
}
