import type { Metadata } from "next";
import { FullPageMessage } from "@/components/full-page-message";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main>
      <FullPageMessage
        caption="404 · not found"
        title="There is nothing here"
        action={
          <Button asChild variant="primary">
            <Link href="/">Go to the overview</Link>
          </Button>
        }
      >
        The address may be mistyped, or what it named was deleted or belongs to another account.
      </FullPageMessage>
    </main>
  );
}
