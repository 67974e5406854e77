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
  Plug,
  ScrollText,
  ShieldQuestion,
  Sparkles,
  UserRound,
  Users,
  Webhook,
} from "lucide-react";
import type { Attention } from "@/lib/console/console-schemas";

/** Who is signed in, as the frame of the pages shows it. */
export interface ShellUser {
  email: string;
  name: string;
  /** May change other accounts. */
  isAdmin: boolean;
  /** Stands on the super-agent's allowlist. */
  mayUseSuperAgent: boolean;
}

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
  /**
   * What of it waits for a person: the number stands beside the label, `what` after it for screen
   * readers.
   */
  waiting?: { count: keyof Attention; what: string };
  /** The pages below it have entries of their own. */
  exact?: boolean;
  /**
   * Shown to those only of whom this is true; the pages and their operations ask for themselves.
   */
  only?: "isAdmin" | "mayUseSuperAgent";
}

interface NavGroup {
  label: string | null;
  items: NavItem[];
}

/** The groups with what this person may open; groups without anything are left out. */
export function navGroups(user: ShellUser): NavGroup[] {
  const groups = GROUPS.map((group) => ({
    ...group,
    items: group.items.filter(({ only }) => only === undefined || user[only]),
  }));
  return groups.filter((group) => group.items.length > 0);
}

const GROUPS: NavGroup[] = [
  {
    label: null,
    items: [
      { href: "/", label: "Overview", icon: House },
      { href: "/super-agent", label: "Super-agent", icon: Sparkles, only: "mayUseSuperAgent" },
    ],
  },
  {
    label: "Build",
    items: [
      { href: "/agents", label: "Agents", icon: Bot },
      { href: "/skills", label: "Skills", icon: GraduationCap },
      { href: "/secrets", label: "Secrets", icon: LockKeyhole },
      { href: "/connections", label: "Connections", icon: Plug },
      { href: "/workspaces", label: "Workspaces", icon: FolderClosed },
    ],
  },
  {
    label: "Operate",
    items: [
      { href: "/runs", label: "Runs", icon: Activity },
      { href: "/conversations", label: "Conversations", icon: MessagesSquare },
      {
        href: "/approvals",
        label: "Approvals",
        icon: ShieldQuestion,
        waiting: { count: "pending_approvals", what: "waiting" },
      },
      { href: "/end-users", label: "End users", icon: UserRound },
      { href: "/webhooks", label: "Webhooks", icon: Webhook },
    ],
  },
  {
    label: "Account",
    items: [
      { href: "/keys", label: "API keys", icon: KeyRound },
      { href: "/models", label: "Models", icon: Cpu },
      { href: "/usage", label: "Usage", icon: ChartNoAxesColumn },
      { href: "/settings/activity", label: "Activity", icon: ScrollText },
    ],
  },
  {
    label: "Develop",
    items: [{ href: "/reference", label: "API reference", icon: BookOpen }],
  },
  {
    label: "Service",
    items: [
      { href: "/admin", label: "Accounts", icon: Users, only: "isAdmin", exact: true },
      { href: "/admin/audit", label: "Audit log", icon: ScrollText, only: "isAdmin" },
    ],
  },
];
