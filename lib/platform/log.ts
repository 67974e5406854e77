import "server-only";
import pino from "pino";
import { env } from "@/lib/env";

/**
 * The service's log: JSON lines on standard error. Secrets, keys and bodies are never passed to it.
 */
export const log = pino(
  { level: env().LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
  pino.destination(2),
);
