import Link from "next/link";
import { mergeClasses } from "@/components/merge-classes";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ConsoleNotification } from "@/lib/console/shapes/notification";

/** One notification; it leads to its run. */
export function NotificationRow({ notification, onOpen }: { notification: ConsoleNotification; onOpen: () => void }) {
  const unread = notification.read_at === null;
  return (
    <li>
      <Link
        href={notification.run_kind === "super_agent" ? "/super-agent" : `/runs/${notification.run_id}`}
        onClick={onOpen}
        className="grid grid-cols-[0.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2.5 px-4 py-3 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
      >
        <span aria-hidden="true" className={mergeClasses("size-1.5 self-center rounded-full", unread && "bg-accent")} />
        <span className={mergeClasses("truncate", unread ? "font-medium" : "text-muted")}>
          {unread && <span className="sr-only">Unread: </span>}
          {notification.title}
          {notification.agent_name && ` · ${notification.agent_name}`}
        </span>
        <span className="text-faint text-xs">
          <RelativeTime time={notification.created_at} />
        </span>
        <span className="col-start-2 col-end-4 mt-0.5 line-clamp-2 text-muted [overflow-wrap:anywhere]">{notification.body}</span>
      </Link>
    </li>
  );
}
