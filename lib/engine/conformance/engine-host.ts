import "server-only";
import type { Inngest, InngestFunction } from "inngest";

/** An engine under test, with a client of its own for the functions and the events. */
export interface EngineHost {
  client: Inngest.Any;
  start(functions: InngestFunction.Any[]): Promise<void>;
  send(name: string, data: Record<string, unknown>, id?: string): Promise<void>;
  stop(): Promise<void>;
}
