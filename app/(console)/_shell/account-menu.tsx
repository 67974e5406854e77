"use client";
import { ChevronsUpDown, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { signOut } from "next-auth/react";
import { useTheme } from "next-themes";
import { Menu, MenuContent, MenuItem, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuSeparator, MenuTrigger } from "@/components/ui/menu";
import type { ShellUser } from "./shell-user";

const THEMES = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
];

export function AccountMenu({ user }: { user: ShellUser }) {
  const { theme = "system", setTheme } = useTheme();
  const router = useRouter();
  const shown = user.name || user.email;
  return (
    <Menu>
      <MenuTrigger aria-label="Account menu" className="flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover">
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
