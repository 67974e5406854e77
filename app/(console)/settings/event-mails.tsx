"use client";

import { useId, useState } from "react";
import { Switch } from "@/components/ui/switch";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

/** Switches the mails of what happens in the account; the bell shows it either way. */
export function EventMails({ wanted }: { wanted: boolean }) {
  const [on, setOn] = useState(wanted);
  const id = useId();
  const keep = useConsoleMutation(
    (event_mails: boolean) => consoleApi.patch("/notifications/mails", { body: { event_mails } }),
    { done: "Saved.", onError: () => setOn(!on) },
  );
  return (
    <div className="flex items-center justify-between gap-4 border-line border-t px-4 py-3 text-sm">
      <label htmlFor={id}>
        Mail me what happens in the account
        <span className="block text-faint text-xs">
          Runs that wait for an approval, an answer or credits; credits that run low; sign-ins that
          have ended; schedules that fail, and endpoints that were switched off. The bell shows them
          either way.
        </span>
      </label>
      <Switch
        id={id}
        checked={on}
        disabled={keep.isPending}
        onCheckedChange={(checked) => {
          setOn(checked);
          keep.mutate(checked);
        }}
      />
    </div>
  );
}
