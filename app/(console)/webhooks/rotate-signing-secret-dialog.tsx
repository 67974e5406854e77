"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { WebhookSecret } from "@/lib/console/shapes/webhook-secret";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

/** Makes a successor; the old secret signs along for as long as the owner picks. */
export function RotateSigningSecretDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [overlap, setOverlap] = useState("1440");
  const rotate = useConsoleMutation(
    () =>
      requestConsoleJson<WebhookSecret>(`${consolePaths.webhookSecret}/rotate`, {
        method: "POST",
        body: { overlap_minutes: Number(overlap) },
      }),
    { stale: [consolePaths.webhookSecret], quiet: true, done: "The signing secret was rotated.", onSuccess: onClose },
  );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Rotate the signing secret"
      description="Makes a new secret. During the overlap each webhook carries a signature of both, so that no receiver misses one while you swap."
    >
      {rotate.error && (
        <Notice tone="danger" title="The secret was not rotated" alert className="mb-4">
          {rotate.error.message}
        </Notice>
      )}
      <Field label="The old secret signs along for">
        {(control) => (
          <Select {...control} value={overlap} onChange={(event) => setOverlap(event.target.value)}>
            <option value="0">Not a second longer</option>
            <option value="60">1 more hour</option>
            <option value="1440">1 more day</option>
            <option value="10080">7 more days</option>
            <option value="43200">30 more days</option>
          </Select>
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate secret
        </Button>
      </DialogActions>
    </Dialog>
  );
}
