"use client";
import { Menu as MenuIcon, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { Logo } from "@/components/brand/logo";
import { Button } from "@/components/ui/button";
import { Sheet } from "@/components/ui/sheet";
import { CommandPalette } from "./command-palette";
import { NotificationBell } from "./notification-bell";
import type { ShellUser } from "./shell-user";
import { Sidebar } from "./sidebar";

/** The frame of every page: navigation at the left, in a sheet on small screens; the page beside it. */
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
      <aside aria-label="Sidebar" className="sticky top-0 hidden h-dvh flex-col border-line border-r bg-background lg:flex">
        <Sidebar user={user} onSearch={search} bell={<NotificationBell />} />
      </aside>
      <header className="sticky top-0 z-30 flex h-13 items-center gap-1 border-line border-b bg-background/95 px-3 backdrop-blur lg:hidden">
        <Button look="ghost" size="icon" aria-label="Open navigation" onClick={() => setMenuOpen(true)}>
          <MenuIcon aria-hidden="true" />
        </Button>
        <Logo className="ml-1 flex-1" />
        <NotificationBell />
        <Button look="ghost" size="icon" aria-label="Search" onClick={search}>
          <Search aria-hidden="true" />
        </Button>
      </header>
      <Sheet open={menuOpen} onOpenChange={setMenuOpen} title="Navigation">
        <Sidebar user={user} onSearch={search} />
      </Sheet>
      <main id="content" tabIndex={-1} className="mx-auto w-full min-w-0 max-w-[74rem] px-4 py-6 outline-none sm:px-6 lg:px-10 lg:py-9">
        {children}
      </main>
      <CommandPalette user={user} open={paletteOpen} onOpenChange={setPaletteOpen} />
    </div>
  );
}
