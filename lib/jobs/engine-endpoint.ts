import "server-only";
import { serve } from "inngest/next";
import { inngest } from "@/lib/engine/client";
import { engineMode, isDevEngine } from "@/lib/engine/engine-mode";
import { env } from "@/lib/env";
import { functions } from "@/lib/jobs/functions";
import { once } from "@/lib/platform/once";

/** Where an Inngest server drives the functions; null in embedded mode, where nothing outside this process may. */
export function engineEndpoint(): { handle: (request: Request) => Promise<Response>; isSigned: boolean } | null {
  if (engineMode() === "embedded") return null;
  return once("engine.endpoint", () => {
    const { PUBLIC_URL, NEXTAUTH_URL, PORT } = env();
    const handle = serve({
      client: inngest,
      functions,
      // Else the server would be told to find the functions wherever a caller's Host header says.
      serveOrigin: PUBLIC_URL || NEXTAUTH_URL || `http://localhost:${PORT}`,
      enableUnauthedSync: false,
    });
    const methods = new Map([
      ["GET", handle.GET],
      ["POST", handle.POST],
      ["PUT", handle.PUT],
    ]);
    return {
      // The SDK's types are those of every version of Next at once.
      handle: (request) => (methods.get(request.method) ?? handle.GET)(request as never, undefined as never) as Promise<Response>,
      isSigned: !isDevEngine(),
    };
  });
}
