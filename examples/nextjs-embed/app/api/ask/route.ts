import { LatheApiError } from "@lathe/client";
import { AGENT_ID, lathe } from "../../lathe";
import { cookieFor } from "../../visitor";

/**
 * Starts a run for a visitor's question. `id` is made by the page, so that a request that is sent
 * twice starts one run.
 */
export async function POST(request: Request): Promise<Response> {
  const { question, id } = (await request.json()) as { question?: unknown; id?: unknown };
  if (typeof question !== "string" || question.length > 2000 || typeof id !== "string") {
    return Response.json({ error: "Ask a question of up to 2,000 characters." }, { status: 400 });
  }
  try {
    // Of a product of your own: who is signed in goes into metadata, and limits what one of them
    // may spend.
    const headers = { "Idempotency-Key": id };
    const run = await lathe().apps.createRun(
      AGENT_ID,
      { inputs: { request: question }, metadata: { source: "website" } },
      { headers },
    );
    return Response.json(
      { runId: run.runId },
      { status: 202, headers: { "Set-Cookie": cookieFor(run.runId) } },
    );
  } catch (error) {
    if (!(error instanceof LatheApiError)) throw error;
    console.error(error.message, error.requestId);
    return Response.json(
      { error: "The assistant is busy. Try again in a minute." },
      { status: 503 },
    );
  }
}
