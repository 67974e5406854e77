import "server-only";

/** An event on its way into the engine. Sending one id twice is harmless while the first is kept (at least a day). */
export interface EngineEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
}
