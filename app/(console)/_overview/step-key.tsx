"use client";
import { Button } from "@/components/ui/button";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { CreatedApiKey } from "@/lib/console/shapes/api-key";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { useFreshKey } from "../_shared/fresh-key";
import { KeyOnce } from "../_shared/key-once";
import { Snippets } from "../_shared/snippets";
import { TwoWays } from "./two-ways";

export function StepKey() {
  const { apiKey, remember } = useFreshKey();
  const create = useConsoleMutation(() => requestConsoleJson<CreatedApiKey>("keys", { method: "POST", body: { name: "Quickstart" } }), {
    stale: [consolePaths.keys],
    onSuccess: (key) => remember(key.api_key),
  });
  const here = (
    <>
      <p className="text-muted text-sm">
        A key lets your backend speak for this account. Keep it on the server: never in a browser or an app.
      </p>
      {apiKey ? (
        <KeyOnce apiKey={apiKey} />
      ) : (
        <div>
          <Button look="primary" busy={create.isPending} onClick={() => create.mutate()}>
            Create key
          </Button>
        </div>
      )}
    </>
  );
  return <TwoWays here={here} code={<Snippets what="Read the balance" call={{ method: "GET", path: "/v1/account/usage" }} />} />;
}
