"use client";
import { Search } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Logo } from "@/components/brand/logo";
import { mergeClasses } from "@/components/merge-classes";
import { Kbd } from "@/components/ui/kbd";
import { AccountMenu } from "./account-menu";
import { CountBadge } from "./count-badge";
import { CreditsLine } from "./credits-line";
import { type NavItem, navGroups } from "./nav-items";
import type { ShellUser } from "./shell-user";
import { useAttention } from "./use-attention";

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
            <Kbd>⌘K</Kbd>
          </span>
        </button>
      </div>
      <nav aria-label="Main" className="flex-1 overflow-y-auto px-2.5 pb-4">
        {navGroups(user).map((group) => (
          <div key={group.label ?? "main"} className="mt-1">
            {group.label && <p className="px-2 pt-4 pb-1 text-faint text-xs">{group.label}</p>}
            <ul className="grid gap-px">
              {group.items.map((item) => (
                <NavLink key={item.href} {...item} count={item.waiting ? attention[item.waiting.count] : 0} />
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
          active ? "bg-hover font-medium text-foreground" : "text-muted hover:bg-hover/60 hover:text-foreground",
        )}
      >
        <Icon aria-hidden="true" className={mergeClasses("size-4", active ? "text-accent" : "text-faint")} />
        {label}
        {waiting && <CountBadge count={count} what={waiting.what} className="ml-auto" />}
      </Link>
    </li>
  );
}
