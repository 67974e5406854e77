import { AGENT_ID, lathe } from "../../../lathe";
import { isFromVisitorOf } from "../../../visitor";

/**
 * How the run goes; the page asks until it has ended. Nobody but the visitor who started it is
 * told.
 */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ runId: string }> },
): Promise<Response> {
  const { runId } = await params;
  if (!isFromVisitorOf(runId, request))
    return Response.json({ error: "There is no such question." }, { status: 404 });
  const { status, result, error } = await lathe().apps.getRun(AGENT_ID, runId);
  return Response.json({ status, answer: result?.text ?? null, error: error?.message ?? null });
}
