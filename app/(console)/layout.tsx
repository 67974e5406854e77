import type { ReactNode } from "react";
import { requireSession } from "@/lib/api/console/session";
import { consolePaths } from "@/lib/console/console-paths";
import { baseUrls } from "./_shared/base-url";
import { Hydrate } from "./_shared/hydrate";
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
      <Hydrate paths={[consolePaths.usage, consolePaths.attention]}>
        <Shell user={shellUser}>{children}</Shell>
      </Hydrate>
    </ConsoleProviders>
  );
}
