import { Activity, Bot, ChartNoAxesColumn, Cpu, FolderClosed, House, KeyRound, type LucideIcon, MessagesSquare } from "lucide-react";

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
}

export const NAV_GROUPS: { label: string | null; items: NavItem[] }[] = [
  {
    label: null,
    items: [
      { href: "/", label: "Overview", icon: House },
      { href: "/agents", label: "Agents", icon: Bot },
      { href: "/runs", label: "Runs", icon: Activity },
      { href: "/conversations", label: "Conversations", icon: MessagesSquare },
      { href: "/workspaces", label: "Workspaces", icon: FolderClosed },
    ],
  },
  {
    label: "Account",
    items: [
      { href: "/keys", label: "API keys", icon: KeyRound },
      { href: "/models", label: "Models", icon: Cpu },
      { href: "/usage", label: "Usage", icon: ChartNoAxesColumn },
    ],
  },
];
