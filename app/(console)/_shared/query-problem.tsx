import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { messageOf } from "@/lib/console/api";

/** In place of data that could not be read. */
export function QueryProblem({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <Alert
      tone="danger"
      title="This could not be loaded"
      className="m-4"
      alert
      action={
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      }
    >
      {messageOf(error)}
    </Alert>
  );
}
