"use client";
import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { WebhookDelivery } from "@/lib/console/shapes/webhook-delivery";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

/** Sends it again at once, with attempts of its own. */
export function RedeliverButton({ deliveryId }: { deliveryId: string }) {
  const redeliver = useConsoleMutation(
    () => requestConsoleJson<WebhookDelivery>(`${consolePaths.delivery(deliveryId)}/redeliver`, { method: "POST" }),
    { stale: ["v1/webhook-deliveries", "v1/runs"], done: "It is being sent again." },
  );
  return (
    <Button busy={redeliver.isPending} onClick={() => redeliver.mutate()}>
      <RotateCw aria-hidden="true" />
      Send again
    </Button>
  );
}
