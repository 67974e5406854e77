import type { Metadata } from "next";
import { shortenId } from "@/components/format/format";
import { PageHeader } from "@/components/ui/page-header";
import { type Read, type ReadAnswer, type ReadPath, reads } from "@/lib/console/reads";
import { ServiceError } from "@/lib/model/errors";
import { runTitle } from "../../_run/run-title";
import { Hydrate, readConsole, readOrNotFound } from "../../_shared/first-paint";
import { type RunAbove, RunSubtitle } from "./run-facts";
import { RunActions, RunView } from "./run-view";

interface RunPageProps {
  params: Promise<{ runId: string }>;
}

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  return { title: `Run ${shortenId((await params).runId)}` };
}

export default async function RunPage({ params }: RunPageProps) {
  const { runId } = await params;
  const path = reads.run(runId);
  const run = await readOrNotFound(path);
  const [agentName, above] = await Promise.all([
    run.agent_id ? findAgentName(run.agent_id) : null,
    run.parent_run_id ? findAbove(run.parent_run_id) : null,
  ]);
  const names = new Map(run.agent_id && agentName ? [[run.agent_id, agentName]] : []);
  return (
    <Hydrate reads={[path]}>
      <PageHeader
        back={{ href: "/runs", label: "Runs" }}
        title={runTitle(run, names)}
        description={<RunSubtitle runId={run.run_id} />}
      >
        <RunActions runId={run.run_id} />
      </PageHeader>
      <RunView runId={run.run_id} agentName={agentName} above={above} />
    </Hydrate>
  );
}

/** The agent's name, or null when it cannot be read: a run is worth showing without it. */
async function findAgentName(agentId: string): Promise<string | null> {
  return (await readIfThere(reads.agent(agentId)))?.name ?? null;
}

/** Where the run above is shown: an agent's has a page, the super-agent's its conversation. */
async function findAbove(runId: string): Promise<RunAbove | null> {
  const run = await readIfThere(reads.run(runId));
  if (run) {
    const name = run.agent_id ? await findAgentName(run.agent_id) : null;
    return { href: `/runs/${runId}`, title: name ?? "Run" };
  }
  const led = await readIfThere(reads.superAgentRun(runId));
  return led && { href: `/super-agent?conversation=${led.conversation_id}`, title: "Super-agent" };
}

async function readIfThere<P extends ReadPath>(read: Read<P>): Promise<ReadAnswer<P> | null> {
  try {
    return await readConsole(read);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
