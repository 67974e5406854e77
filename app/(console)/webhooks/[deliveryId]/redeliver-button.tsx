"use client";
import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

/** Sends it again at once, with attempts of its own. */
export function RedeliverButton({ deliveryId }: { deliveryId: string }) {
  const redeliver = useConsoleMutation(
    () => consoleApi.post("/v1/webhook-deliveries/{delivery_id}/redeliver", { params: { path: { delivery_id: deliveryId } } }),
    { stale: ["/v1/webhook-deliveries", "/v1/runs"], done: "It is being sent again." },
  );
  return (
    <Button busy={redeliver.isPending} onClick={() => redeliver.mutate()}>
      <RotateCw aria-hidden="true" />
      Send again
    </Button>
  );
}
