import "server-only";
import { serve } from "inngest/next";
import { engineMode, engineState, isDevEngine } from "@/lib/engine/engine-state";
import { inngest } from "@/lib/engine/server/inngest-client";
import { toInngestFunctions } from "@/lib/engine/server/inngest-functions";
import { isWorker } from "@/lib/env";
import { functions } from "@/lib/jobs/functions";
import { publicBaseUrl } from "@/lib/platform/public-base-url";
import { definePart } from "@/lib/service";

export interface EngineEndpoint {
  handle: (request: Request) => Promise<Response>;
  isSigned: boolean;
  /**
   * Resolves when no call is at work; from `engineState().isStopping` on, each ends with the step
   * that it is in.
   */
  idle: () => Promise<void>;
}

/**
 * Where an Inngest server drives the functions; null in embedded mode, where nothing outside this
 * process may, and in a process that works on no runs.
 */
export function engineEndpoint(): EngineEndpoint | null {
  if (engineMode() === "embedded" || !isWorker()) return null;
  return endpoint();
}

const endpoint = definePart("engine.endpoint", (): EngineEndpoint => {
  const handle = serve({
    client: inngest(),
    functions: toInngestFunctions(inngest(), functions),
    // Else the server would be told to find the functions wherever a caller's Host header says.
    serveOrigin: publicBaseUrl(),
    enableUnauthedSync: false,
  });
  const methods = new Map([
    ["GET", handle.GET],
    ["POST", handle.POST],
    ["PUT", handle.PUT],
  ]);
  const atWork = new Set<Promise<Response>>();
  return {
    handle: (request) => {
      // On a connection that is still open. Another process takes it, or this one after its
      // start.
      if (request.method === "POST" && engineState().isStopping)
        return Promise.resolve(new Response(null, { status: 503 }));
      // The SDK's types are those of every version of Next at once.
      const answer = (methods.get(request.method) ?? handle.GET)(
        request as never,
        undefined as never,
      ) as Promise<Response>;
      atWork.add(answer);
      const leave = () => void atWork.delete(answer);
      answer.then(leave, leave);
      return answer;
    },
    isSigned: !isDevEngine(),
    idle: async () => {
      await Promise.allSettled(atWork);
    },
  };
});
