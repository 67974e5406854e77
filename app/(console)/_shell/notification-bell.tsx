"use client";
import { Bell } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { CountBadge } from "./count-badge";
import { NotificationList } from "./notification-list";
import { useAttention } from "./use-attention";

/** What runs have reported, behind a bell that counts what is unread. */
export function NotificationBell() {
  const [open, setOpen] = useState(false);
  const { unread_notifications: unread } = useAttention();
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button look="ghost" size="icon" className="relative">
          <Bell aria-hidden="true" />
          <span className="sr-only">Notifications</span>
          <CountBadge count={unread} what="unread" className="absolute -top-0.5 -right-1 h-4 min-w-4" />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label="Notifications" className="w-[min(24rem,calc(100vw-1rem))]">
        <NotificationList close={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  );
}
