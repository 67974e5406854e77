"use client";
import { Tabs as Radix } from "radix-ui";
import { type ComponentProps, useEffect, useRef } from "react";
import { mergeClasses } from "@/components/merge-classes";

export const Tabs = Radix.Root;

/**
 * On a screen that is too narrow for all tabs, the open one is in sight, and the edge fades where
 * more of them follow.
 */
export function TabList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  const list = useTabsInSight();
  return (
    <Radix.List
      className={mergeClasses(
        "-mx-4 flex gap-5 overflow-x-auto border-line border-b px-4 [scrollbar-width:none] " +
          "sm:mx-0 sm:px-0",
        "data-more:[mask-image:linear-gradient(to_right,#000_calc(100%-3.5rem),transparent)]",
        className,
      )}
      {...rest}
      ref={list}
    />
  );
}

function useTabsInSight() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = ref.current;
    if (!list) return;
    const showMore = () =>
      list.toggleAttribute("data-more", list.scrollLeft + list.clientWidth < list.scrollWidth - 1);
    const showActive = () => {
      const tab = list.querySelector<HTMLElement>("[data-state=active]");
      // Not scrollIntoView: that may move the page too.
      if (tab)
        list.scrollLeft =
          tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
      showMore();
    };
    const resized = new ResizeObserver(showActive);
    resized.observe(list);
    const changed = new MutationObserver(showActive);
    changed.observe(list, { subtree: true, attributeFilter: ["data-state"] });
    list.addEventListener("scroll", showMore, { passive: true });
    return () => {
      resized.disconnect();
      changed.disconnect();
      list.removeEventListener("scroll", showMore);
    };
  }, []);
  return ref;
}

export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={mergeClasses(
        "-mb-px h-9 min-w-6 shrink-0 border-transparent border-b-2 text-muted text-sm " +
          "transition-colors hover:text-foreground focus-visible:-outline-offset-2 " +
          "data-[state=active]:border-accent data-[state=active]:font-medium " +
          "data-[state=active]:text-foreground",
        className,
      )}
      {...rest}
    />
  );
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={mergeClasses("mt-6", className)} {...rest} />;
}
