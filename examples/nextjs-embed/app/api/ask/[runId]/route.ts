import { AGENT_ID, lathe } from "../../../lathe";

/** How the run goes; the page asks until it has ended. */
export async function GET(_: Request, { params }: { params: Promise<{ runId: string }> }): Promise<Response> {
  const { status, result, error } = await lathe().apps.getRun(AGENT_ID, (await params).runId);
  return Response.json({ status, answer: result?.text ?? null, error: error?.message ?? null });
}
