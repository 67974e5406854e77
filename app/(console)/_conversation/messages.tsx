"use client";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import type { Run } from "@/lib/console/shapes/run";
import type { ConversationFamily } from "@/lib/model/run/run-status";
import { QueryProblem } from "../_shared/query-problem";
import { MessageView } from "./message-view";
import type { ConversationReading } from "./use-conversation";

interface MessagesProps {
  conversation: ConversationReading;
  family: ConversationFamily;
  runs: ReadonlyMap<string, Run>;
}

/** What was said in a conversation, oldest first, as far back as was read. */
export function Messages({ conversation: { messages, error, refetch, ...earlier }, family, runs }: MessagesProps) {
  return (
    <Card aria-label="Messages" aria-busy={!messages}>
      {earlier.hasEarlier && (
        <div className="flex justify-center border-line border-b p-2.5">
          <Button look="ghost" size="small" busy={earlier.isReadingEarlier} onClick={earlier.readEarlier}>
            Earlier messages
          </Button>
        </div>
      )}
      {error && !messages && <QueryProblem error={error} retry={refetch} />}
      {!error && !messages && <Skeleton className="h-64 rounded-none" />}
      {messages?.length === 0 && <p className="px-5 py-6 text-faint text-sm">Nothing has been said yet.</p>}
      {messages && messages.length > 0 && (
        <ol className="divide-y divide-line">
          {messages.map((message) => (
            <MessageView key={message.message_id} message={message} family={family} run={runs.get(message.run_id)} />
          ))}
        </ol>
      )}
    </Card>
  );
}
