"use client";
import { Command } from "cmdk";
import { GraduationCap, KeyRound, LockKeyhole, type LucideIcon, Monitor, Moon, Plus, Settings, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { Dialog } from "radix-ui";
import { useEffect } from "react";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { consolePaths } from "@/lib/console/console-paths";
import type { Agent } from "@/lib/console/shapes/agent";
import type { Page } from "@/lib/console/shapes/page";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { navGroups } from "./nav-items";
import { paletteScore } from "./palette-score";
import type { ShellUser } from "./shell-user";

interface CommandPaletteProps {
  user: ShellUser;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Goes anywhere by name. Ctrl or ⌘ with K opens and closes it. */
export function CommandPalette({ user, open, onOpenChange }: CommandPaletteProps) {
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
  const { data: agents } = useConsoleQuery<Page<Agent>>(consolePaths.agents({ limit: 50 }));
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
        <Command.Empty className="py-10 text-center text-muted text-sm">Nothing goes by that name.</Command.Empty>
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

const ROW = "flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm data-[selected=true]:bg-hover";

function Row({ icon: Icon, label, onSelect }: { icon: LucideIcon; label: string; onSelect: () => void }) {
  return (
    <Command.Item onSelect={onSelect} className={ROW}>
      <Icon aria-hidden="true" className="size-4 text-faint" />
      {label}
    </Command.Item>
  );
}
