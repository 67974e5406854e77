"use client";

import { ChevronsUpDown, Coins, LogOut, Monitor, Moon, Search, Settings, Sun } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { signOut } from "next-auth/react";
import { useTheme } from "next-themes";
import type { ReactNode } from "react";
import { Logo } from "@/components/brand/logo";
import { formatCredits } from "@/components/format/format";
import { mergeClasses } from "@/components/merge-classes";
import { Link } from "@/components/ui/link";
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from "@/components/ui/menu";
import { Shortcut } from "@/components/ui/shortcut";
import { Skeleton } from "@/components/ui/skeleton";
import type { Attention } from "@/lib/console/console-schemas";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { ATTENTION_MAX } from "@/lib/model/limits";
import { type NavItem, navGroups, type ShellUser } from "./nav-items";

interface SidebarProps {
  user: ShellUser;
  onSearch: () => void;
  /** The notifications' bell, where it has no other place. */
  bell?: ReactNode;
}

export function Sidebar({ user, onSearch, bell }: SidebarProps) {
  const attention = useAttention();
  return (
    <>
      <div className="px-4 pt-4 pb-3">
        <div className="flex items-center justify-between">
          <Link href="/" aria-label="Lathe, overview" className="inline-flex rounded-md">
            <Logo />
          </Link>
          {bell}
        </div>
        <button
          type="button"
          onClick={onSearch}
          className="mt-4 flex h-8 w-full items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-faint text-sm shadow-low transition-colors hover:border-line-strong"
        >
          <Search aria-hidden="true" className="size-3.5" />
          Search
          <span className="ml-auto">
            <Shortcut letter="K" />
          </span>
        </button>
      </div>
      <nav aria-label="Main" className="flex-1 overflow-y-auto px-2.5 pb-4">
        {navGroups(user).map((group) => (
          <div key={group.label ?? "main"} className="mt-1">
            {group.label && <p className="px-2 pt-4 pb-1 text-faint text-xs">{group.label}</p>}
            <ul className="grid gap-px">
              {group.items.map((item) => (
                <NavLink
                  key={item.href}
                  {...item}
                  count={item.waiting ? attention[item.waiting.count] : 0}
                />
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="border-line border-t px-2.5 py-2.5">
        <CreditsLine />
        <AccountMenu user={user} />
      </div>
    </>
  );
}

function NavLink({ href, label, icon: Icon, waiting, exact, count }: NavItem & { count: number }) {
  const pathname = usePathname();
  const active = pathname === href || (!exact && href !== "/" && pathname.startsWith(`${href}/`));
  return (
    <li>
      <Link
        href={href}
        aria-current={active ? "page" : undefined}
        className={mergeClasses(
          "flex h-8 items-center gap-2.5 rounded-md px-2 text-sm transition-colors max-lg:h-10",
          active
            ? "bg-hover font-medium text-foreground"
            : "text-muted hover:bg-hover/60 hover:text-foreground",
        )}
      >
        <Icon
          aria-hidden="true"
          className={mergeClasses("size-4", active ? "text-accent" : "text-faint")}
        />
        {label}
        {waiting && <CountBadge count={count} what={waiting.what} className="ml-auto" />}
      </Link>
    </li>
  );
}

/** The wallet's balance, which leads to where it went. */
function CreditsLine() {
  const { data } = useConsoleQuery(reads.usage);
  return (
    <Link
      href="/usage"
      className="flex h-9 items-center gap-2.5 rounded-md px-2 text-muted text-sm hover:bg-hover"
    >
      <Coins aria-hidden="true" className="size-4 text-faint" />
      Credits
      <span className="ml-auto font-medium text-foreground tabular">
        {data ? formatCredits(data.credits.available) : <Skeleton className="h-3.5 w-12" />}
      </span>
    </Link>
  );
}

const THEMES = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
];

function AccountMenu({ user }: { user: ShellUser }) {
  const { theme = "system", setTheme } = useTheme();
  const router = useRouter();
  const shown = user.name || user.email;
  return (
    <Menu>
      <MenuTrigger
        aria-label="Account menu"
        className="flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover"
      >
        <span
          aria-hidden="true"
          className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft font-medium text-2xs text-accent uppercase"
        >
          {shown.slice(0, 1)}
        </span>
        <span className="min-w-0 flex-1 truncate text-sm">{shown}</span>
        <ChevronsUpDown aria-hidden="true" className="size-3.5 text-faint" />
      </MenuTrigger>
      <MenuContent align="start" className="w-56">
        <MenuLabel className="truncate">{user.email}</MenuLabel>
        <MenuItem onSelect={() => router.push("/settings")}>
          <Settings aria-hidden="true" />
          Settings
        </MenuItem>
        <MenuSeparator />
        <MenuLabel>Theme</MenuLabel>
        <MenuRadioGroup value={theme} onValueChange={setTheme}>
          {THEMES.map(({ value, label, icon: Icon }) => (
            <MenuRadioItem key={value} value={value}>
              <Icon aria-hidden="true" />
              {label}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuItem onSelect={() => void signOut({ callbackUrl: "/sign-in" })}>
          <LogOut aria-hidden="true" />
          Sign out
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

const REFRESH_MILLISECONDS = 10_000;

/** What waits for the reader, looked at again every ten seconds while the page is in view. */
export function useAttention(): Attention {
  const { data } = useConsoleQuery(reads.attention, { refreshEvery: () => REFRESH_MILLISECONDS });
  return data ?? { pending_approvals: 0, unread_notifications: 0 };
}

/** How many things wait. `what` follows the number for screen readers. Nothing for 0. */
export function CountBadge({
  count,
  what,
  className,
}: {
  count: number;
  what: string;
  className?: string;
}) {
  if (count === 0) return null;
  return (
    <span
      className={mergeClasses(
        "grid h-4.5 min-w-4.5 place-items-center rounded-full bg-primary px-1 font-medium " +
          "text-2xs text-primary-foreground tabular",
        className,
      )}
    >
      <span>{count < ATTENTION_MAX ? count : `${ATTENTION_MAX - 1}+`}</span>
      <span className="sr-only"> {what}</span>
    </span>
  );
}
