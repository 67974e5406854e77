import { FullPageMessage } from "@/components/full-page-message";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

export default function ConsoleNotFound() {
  return (
    <FullPageMessage
      caption="404 · not found"
      title="There is nothing here"
      action={
        <Button asChild variant="primary">
          <Link href="/">Go to the overview</Link>
        </Button>
      }
    >
      It may have been deleted, or it belongs to another account.
    </FullPageMessage>
  );
}
