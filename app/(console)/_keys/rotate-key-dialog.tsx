"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { ApiKey, CreatedApiKey } from "@/lib/console/shapes/api-key";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { useFreshKey } from "../_shared/fresh-key";
import { KeyOnce } from "../_shared/key-once";

/** Makes a successor; the old key lives on for as long as the owner picks, so that nothing breaks in between. */
export function RotateKeyDialog({ apiKey, open, onClose }: { apiKey: ApiKey; open: boolean; onClose: () => void }) {
  const [overlap, setOverlap] = useState("1440");
  const { remember } = useFreshKey();
  const rotate = useConsoleMutation(
    () =>
      requestConsoleJson<CreatedApiKey>(`keys/${encodeURIComponent(apiKey.key_id)}/rotate`, {
        method: "POST",
        body: { overlap_minutes: Number(overlap) },
      }),
    { stale: [consolePaths.keys], onSuccess: (key) => key.kind === "account" && remember(key.api_key) },
  );
  const close = () => {
    onClose();
    setTimeout(rotate.reset, 200);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      holds={rotate.isSuccess}
      title={rotate.data ? "The new key" : `Rotate “${apiKey.name}”`}
      description={
        rotate.data
          ? undefined
          : "Makes a new key with the same name and scope. The old one goes on for a while, so that you can swap them in peace."
      }
    >
      {rotate.data ? (
        <KeyOnce apiKey={rotate.data.api_key} />
      ) : (
        <Field label="The old key works for">
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
      )}
      <DialogActions>
        {rotate.data ? (
          <Button look="primary" onClick={close}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
              Rotate key
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
