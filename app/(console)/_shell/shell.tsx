"use client";
import { Command } from "cmdk";
import {
  Bell,
  CheckCheck,
  GraduationCap,
  KeyRound,
  LockKeyhole,
  type LucideIcon,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Plus,
  Search,
  Settings,
  Sun,
} from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { Dialog } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { Logo } from "@/components/brand/logo";
import { AgentGlyph } from "@/components/brand/turned-part";
import { withoutMarks } from "@/components/format/format";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import { Sheet } from "@/components/ui/sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { consoleApi } from "@/lib/console/api";
import type { ConsoleNotification } from "@/lib/console/console-schemas";
import { useConsoleMutation, useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isOfSuperAgent } from "@/lib/model/run/run-status";
import { QueryProblem } from "../_shared/query-problem";
import { navGroups, type ShellUser } from "./nav-items";
import { CountBadge, Sidebar, useAttention } from "./sidebar";

/**
 * The frame of every page: navigation at the left, in a sheet on small screens; the page beside it.
 */
export function Shell({ user, children }: { user: ShellUser; children: ReactNode }) {
  const [menuOpen, setMenuOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the sheet
  useEffect(() => setMenuOpen(false), [pathname]);
  const search = () => setPaletteOpen(true);
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-surface px-3 py-2 shadow-high focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <aside
        aria-label="Sidebar"
        className="sticky top-0 hidden h-dvh flex-col border-line border-r bg-background lg:flex"
      >
        <Sidebar user={user} onSearch={search} bell={<NotificationBell />} />
      </aside>
      <header className="sticky top-0 z-30 flex h-13 items-center gap-1 border-line border-b bg-background/95 px-3 backdrop-blur lg:hidden">
        <Button
          variant="ghost"
          size="icon"
          aria-label="Open navigation"
          onClick={() => setMenuOpen(true)}
        >
          <MenuIcon aria-hidden="true" />
        </Button>
        <Logo className="ml-1 flex-1" />
        <NotificationBell />
        <Button variant="ghost" size="icon" aria-label="Search" onClick={search}>
          <Search aria-hidden="true" />
        </Button>
      </header>
      <Sheet open={menuOpen} onOpenChange={setMenuOpen} title="Navigation">
        <Sidebar user={user} onSearch={search} />
      </Sheet>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full min-w-0 max-w-[74rem] px-4 py-6 outline-none sm:px-6 lg:px-10 lg:py-9"
      >
        {children}
      </main>
      <CommandPalette user={user} open={paletteOpen} onOpenChange={setPaletteOpen} />
    </div>
  );
}

/** What runs have reported, behind a bell that counts what is unread. */
function NotificationBell() {
  const [open, setOpen] = useState(false);
  const { unread_notifications: unread } = useAttention();
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="ghost" size="icon" className="relative">
          <Bell aria-hidden="true" />
          <span className="sr-only">Notifications</span>
          <CountBadge
            count={unread}
            what="unread"
            className="absolute -top-0.5 -right-1 h-4 min-w-4"
          />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label="Notifications" className="w-[min(24rem,calc(100vw-1rem))]">
        <NotificationList close={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}

const STALE = ["/notifications", reads.attention] as const;

/** The notifications, newest first. Opening one marks it as read. */
function NotificationList({ close }: { close: () => void }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.notifications,
    {
      refreshEvery: () => 10_000,
    },
  );
  const rows = data?.pages.flatMap((page) => page.data);
  const newest = rows?.[0]?.notification_id;
  const readOne = useConsoleMutation(
    (id: string) =>
      consoleApi.post("/notifications/{notification_id}/read", {
        params: { path: { notification_id: id } },
      }),
    { stale: STALE, quiet: true },
  );
  const readAll = useConsoleMutation(
    (upTo: string) => consoleApi.post("/notifications/read", { body: { up_to: upTo } }),
    {
      stale: STALE,
    },
  );
  const open = (row: ConsoleNotification) => {
    if (!row.read_at) readOne.mutate(row.notification_id);
    close();
  };
  return (
    <>
      <div className="flex min-h-11 items-center justify-between gap-3 border-line border-b py-1.5 pr-2 pl-4">
        <h2 className="font-medium text-sm">Notifications</h2>
        <Button
          variant="ghost"
          size="small"
          loading={readAll.isPending}
          disabled={!rows?.some((row) => row.read_at === null)}
          onClick={() => newest && readAll.mutate(newest)}
        >
          <CheckCheck aria-hidden="true" />
          Mark all as read
        </Button>
      </div>
      <div className="max-h-[min(28rem,65dvh)] overflow-y-auto overscroll-contain">
        {error && !rows && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !rows && <Skeleton className="h-44 rounded-none" />}
        {rows?.length === 0 && (
          <p className="px-6 py-9 text-center text-muted text-sm">
            No notifications yet. A run that is started with{" "}
            <code className="font-mono text-xs">should_notify</code> reports here when it ends.
          </p>
        )}
        <ul className="divide-y divide-line">
          {rows?.map((row) => (
            <NotificationRow
              key={row.notification_id}
              notification={row}
              onOpen={() => open(row)}
            />
          ))}
        </ul>
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </div>
    </>
  );
}

/** One notification; it leads to its run. */
function NotificationRow({
  notification,
  onOpen,
}: {
  notification: ConsoleNotification;
  onOpen: () => void;
}) {
  const unread = notification.read_at === null;
  return (
    <li>
      <Link
        href={
          notification.path ??
          (notification.run_kind && isOfSuperAgent(notification.run_kind)
            ? "/super-agent"
            : `/runs/${notification.run_id}`)
        }
        onClick={onOpen}
        className="grid grid-cols-[0.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2.5 px-4 py-3 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
      >
        <span
          aria-hidden="true"
          className={mergeClasses("size-1.5 self-center rounded-full", unread && "bg-accent")}
        />
        <span className={mergeClasses("truncate", unread ? "font-medium" : "text-muted")}>
          {unread && <span className="sr-only">Unread: </span>}
          {notification.title}
          {notification.agent_name && ` · ${notification.agent_name}`}
        </span>
        <span className="text-faint text-xs">
          <RelativeTime time={notification.created_at} />
        </span>
        <span className="col-start-2 col-end-4 mt-0.5 line-clamp-2 text-muted [overflow-wrap:anywhere]">
          {withoutMarks(notification.body)}
        </span>
      </Link>
    </li>
  );
}

interface CommandPaletteProps {
  user: ShellUser;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Goes anywhere by name. Ctrl or ⌘ with K opens and closes it. */
function CommandPalette({ user, open, onOpenChange }: CommandPaletteProps) {
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      onOpenChange(!open);
    };
    window.addEventListener("keydown", toggle);
    return () => window.removeEventListener("keydown", toggle);
  }, [open, onOpenChange]);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="data-[state=open]:fade-in-0 fixed inset-0 z-40 bg-overlay data-[state=open]:animate-in" />
        <Dialog.Content
          aria-describedby={undefined}
          className="data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95 fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl bg-surface shadow-high duration-100 data-[state=open]:animate-in"
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <PaletteList user={user} close={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteList({ user, close }: { user: ShellUser; close: () => void }) {
  const router = useRouter();
  const { setTheme } = useTheme();
  const { data: agents } = useConsoleQuery(reads.agents({ limit: 50 }));
  const go = (href: string) => () => {
    close();
    router.push(href);
  };
  const paint = (theme: string) => () => {
    close();
    setTheme(theme);
  };
  return (
    <Command
      filter={paletteScore}
      label="Search"
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
    >
      <Command.Input
        placeholder="Go to a page, an agent, an action…"
        className="h-12 w-full border-line border-b bg-transparent px-4 text-lg outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2">
        <Command.Empty className="py-10 text-center text-muted text-sm">
          Nothing goes by that name.
        </Command.Empty>
        <Command.Group heading="Actions">
          <Row icon={Plus} label="Create an agent" onSelect={go("/agents/new")} />
          <Row icon={KeyRound} label="Create an API key" onSelect={go("/keys?create=true")} />
          <Row icon={LockKeyhole} label="Add a secret" onSelect={go("/secrets?add=true")} />
          <Row icon={GraduationCap} label="Install a skill" onSelect={go("/skills/new")} />
        </Command.Group>
        <Command.Group heading="Pages">
          {navGroups(user)
            .flatMap((group) => group.items)
            .map((item) => (
              <Row key={item.href} icon={item.icon} label={item.label} onSelect={go(item.href)} />
            ))}
          <Row icon={Settings} label="Settings" onSelect={go("/settings")} />
        </Command.Group>
        {agents && agents.data.length > 0 && (
          <Command.Group heading="Agents">
            {agents.data.map((agent) => (
              <Command.Item
                key={agent.agent_id}
                value={`${agent.name} ${agent.agent_id}`}
                onSelect={go(`/agents/${agent.agent_id}`)}
                className={ROW}
              >
                <AgentGlyph agentId={agent.agent_id} className="size-5 rounded-sm" />
                <span className="truncate">{agent.name}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        <Command.Group heading="Theme">
          <Row icon={Monitor} label="Theme of the system" onSelect={paint("system")} />
          <Row icon={Sun} label="Light theme" onSelect={paint("light")} />
          <Row icon={Moon} label="Dark theme" onSelect={paint("dark")} />
        </Command.Group>
      </Command.List>
    </Command>
  );
}

const ROW =
  "flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm " +
  "data-[selected=true]:bg-hover";

function Row({
  icon: Icon,
  label,
  onSelect,
}: {
  icon: LucideIcon;
  label: string;
  onSelect: () => void;
}) {
  return (
    <Command.Item onSelect={onSelect} className={ROW}>
      <Icon aria-hidden="true" className="size-4 text-faint" />
      {label}
    </Command.Item>
  );
}

/**
 * How well an entry fits what was typed: every word has to be in it, and a beginning counts most. 0
 * leaves it out.
 */
export function paletteScore(entry: string, search: string): number {
  const text = entry.toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return 0;
  const first = words[0] ?? "";
  if (text.startsWith(first)) return 1;
  return text.includes(` ${first}`) ? 0.7 : 0.4;
}
