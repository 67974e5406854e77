"use client";
import { ArrowUp } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { ModelSelect } from "../_run/model-select";

interface ComposerProps {
  /** The run in view once it was accepted: until then the message stays, in case it is refused. */
  acceptedRunId: string | null;
  busy: boolean;
  onSend: (body: { input: { request: string }; model?: string }) => void;
}

/** The next message. Enter sends it, Shift with Enter begins a line. */
export function Composer({ acceptedRunId, busy, onSend }: ComposerProps) {
  const [text, setText] = useState("");
  const [model, setModel] = useState("");
  const sent = useRef(false);
  useEffect(() => {
    if (acceptedRunId === null || !sent.current) return;
    sent.current = false;
    setText("");
  }, [acceptedRunId]);
  const ready = text.trim() !== "" && !busy;
  const send = () => {
    if (!ready) return;
    sent.current = true;
    onSend({ input: { request: text }, ...(model ? { model } : {}) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, Enter ends the word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <Card aria-label="Next message" className="overflow-visible">
      <form onSubmit={submit} className="grid gap-4 p-4">
        <Field label="Message" hint="Enter sends, Shift with Enter begins a line.">
          {(control) => (
            <Textarea
              {...control}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onKeyDown}
              placeholder="Which of my agents ran most this week?"
            />
          )}
        </Field>
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div className="min-w-0 basis-64 max-sm:grow">
            <ModelSelect whose="service" value={model} onChange={setModel} />
          </div>
          <Button type="submit" look="primary" busy={busy} disabled={!ready} className="h-9 max-sm:h-10 max-sm:w-full">
            <ArrowUp aria-hidden="true" />
            Send
          </Button>
        </div>
      </form>
    </Card>
  );
}
