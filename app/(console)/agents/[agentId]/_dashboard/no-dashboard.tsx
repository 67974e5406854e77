import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";

interface NoDashboardProps {
  archived: boolean;
  onAsk: () => void;
  onWrite: () => void;
}

/** What a dashboard is, and the two ways to one. */
export function NoDashboard({ archived, onAsk, onWrite }: NoDashboardProps) {
  if (archived) {
    return (
      <Card aria-label="Dashboard">
        <EmptyState title="No dashboard" seed="dashboard">
          This agent was archived without one.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card aria-label="Dashboard">
      <EmptyState
        title="See this agent's results at a glance"
        seed="dashboard"
        action={
          <>
            <Button look="primary" onClick={onAsk}>
              Ask for a dashboard
            </Button>
            <Button onClick={onWrite}>Write a template</Button>
          </>
        }
      >
        A dashboard lays out figures, charts, tables and texts from the agent's last result, its runs and its usage, and a button to run it
        again. With one, this page opens on it.
      </EmptyState>
    </Card>
  );
}
