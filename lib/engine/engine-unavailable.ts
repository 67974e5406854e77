import "server-only";

/** The engine could not be told of an event, now or within the SDK's own tries; whether it got it is not known. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}
