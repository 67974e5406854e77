import type { ReactNode } from "react";
import { requireSession } from "@/lib/api/console/session";
import { reads } from "@/lib/console/reads";
import { baseUrls } from "./_shared/base-url";
import { Hydrate } from "./_shared/first-paint";
import { ConsoleProviders } from "./_shell/console-providers";
import { Shell } from "./_shell/shell";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { user, principal } = await requireSession();
  const shellUser = {
    email: user.email,
    name: user.name,
    isAdmin: principal.isAdmin && !principal.blocked,
    mayUseSuperAgent: principal.superAgentAccess,
  };
  return (
    <ConsoleProviders baseUrls={await baseUrls()}>
      <Hydrate reads={[reads.usage, reads.attention]}>
        <Shell user={shellUser}>{children}</Shell>
      </Hydrate>
    </ConsoleProviders>
  );
}
