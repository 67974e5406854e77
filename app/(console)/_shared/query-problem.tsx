import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { messageOf } from "@/lib/console/errors";

/** In place of data that could not be read. */
export function QueryProblem({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <Notice
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
    </Notice>
  );
}
