import { MessagesSquare } from "lucide-react";
import Link from "next/link";
import { shortenId } from "@/components/format/shorten-id";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import type { Conversation } from "@/lib/console/shapes/conversation";
import { FAMILY_NAMES } from "./conversation-families";
import { conversationTitle } from "./conversation-title";

/** One conversation, a line which leads to its page. */
export function ConversationRow({ conversation }: { conversation: Conversation }) {
  return (
    <li>
      <Link
        href={`/conversations/${conversation.conversation_id}`}
        className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,1fr)_7rem_8rem_6rem]"
      >
        <span className="flex min-w-0 items-center gap-3">
          <MessagesSquare aria-hidden="true" className="size-4 shrink-0 text-faint max-sm:hidden" />
          <span className="min-w-0">
            <span className="block truncate font-medium">{conversationTitle(conversation.title)}</span>
            <span className="block truncate font-mono text-2xs text-faint" title={conversation.conversation_id}>
              {shortenId(conversation.conversation_id)}
            </span>
          </span>
        </span>
        <span className="max-sm:hidden">{conversation.active_run_id && <RunStatusBadge status="running" />}</span>
        <span className="max-sm:hidden">
          <Badge>{FAMILY_NAMES[conversation.family]}</Badge>
        </span>
        <span className="text-right text-faint text-xs">
          <RelativeTime time={conversation.updated_at} />
        </span>
      </Link>
    </li>
  );
}
