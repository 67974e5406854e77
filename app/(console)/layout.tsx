import type { ReactNode } from "react";
import { requireSession } from "@/lib/api/console/session";
import { consolePaths } from "@/lib/console/console-paths";
import { baseUrls } from "./_shared/base-url";
import { Hydrate } from "./_shared/hydrate";
import { ConsoleProviders } from "./_shell/console-providers";
import { Shell } from "./_shell/shell";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { user } = await requireSession();
  return (
    <ConsoleProviders baseUrls={await baseUrls()}>
      <Hydrate paths={[consolePaths.usage, consolePaths.attention]}>
        <Shell user={{ email: user.email, name: user.name }}>{children}</Shell>
      </Hydrate>
    </ConsoleProviders>
  );
}
