import {
  Activity,
  BookOpen,
  Bot,
  ChartNoAxesColumn,
  Cpu,
  FolderClosed,
  GraduationCap,
  House,
  KeyRound,
  LockKeyhole,
  type LucideIcon,
  MessagesSquare,
  ShieldQuestion,
  Webhook,
} from "lucide-react";
import type { Attention } from "@/lib/console/shapes/attention";

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
  /** What of it waits for a person: the number stands beside the label, `what` after it for screen readers. */
  waiting?: { count: keyof Attention; what: string };
}

export const NAV_GROUPS: { label: string | null; items: NavItem[] }[] = [
  {
    label: null,
    items: [{ href: "/", label: "Overview", icon: House }],
  },
  {
    label: "Build",
    items: [
      { href: "/agents", label: "Agents", icon: Bot },
      { href: "/skills", label: "Skills", icon: GraduationCap },
      { href: "/secrets", label: "Secrets", icon: LockKeyhole },
      { href: "/workspaces", label: "Workspaces", icon: FolderClosed },
    ],
  },
  {
    label: "Operate",
    items: [
      { href: "/runs", label: "Runs", icon: Activity },
      { href: "/conversations", label: "Conversations", icon: MessagesSquare },
      { href: "/approvals", label: "Approvals", icon: ShieldQuestion, waiting: { count: "pending_approvals", what: "waiting" } },
      { href: "/webhooks", label: "Webhooks", icon: Webhook },
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
  {
    label: "Develop",
    items: [{ href: "/reference", label: "API reference", icon: BookOpen }],
  },
];
