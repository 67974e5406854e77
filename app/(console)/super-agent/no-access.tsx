import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";

/** For an account that is not on the allowlist: what this is, and who can open it. */
export function NoAccess({ email }: { email: string }) {
  // Somebody with more rights pastes this into a shell: an address with other characters is not put
  // there.
  const shown = /^[\w.+@-]+$/.test(email) ? email : "EMAIL";
  return (
    <Card aria-label="No access yet">
      <EmptyState title="Your account is not on the super-agent's allowlist" seed="super-agent">
        An admin of this service switches it on under Accounts, or its operator does with the
        command below. Nothing has to be installed; reload this page afterwards.
      </EmptyState>
      <div className="border-line border-t p-4">
        <CodeBlock
          code={`npm run -s admin -- account update --email ${shown} --super-agent true`}
          label="Operator's command"
        />
      </div>
    </Card>
  );
}
