import "server-only";
import pino from "pino";
import { env } from "@/lib/env";
import { definePart } from "@/lib/service";

/** What writes the lines, for a library that takes a logger. */
export const logger = definePart("log", () =>
  pino(
    { level: env().LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(2),
  ),
);

/**
 * The service's log: JSON lines on standard error. Secrets, keys and bodies are never passed to it.
 */
export const log = {
  debug: at("debug"),
  info: at("info"),
  warn: at("warn"),
  error: at("error"),
  isLevelEnabled: (level: pino.Level) => logger().isLevelEnabled(level),
};

function at(level: pino.Level): pino.LogFn {
  // Pino's overloads are handed on as they are.
  return (...words: unknown[]) => (logger()[level] as (...words: unknown[]) => void)(...words);
}
