import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { ScrollRegion } from "@/components/ui/scroll-region";

/** A table that scrolls sideways on its own when it must. `label` says what its rows are. */
export function Table({ label, className, ...rest }: ComponentProps<"table"> & { label: string }) {
  return (
    <ScrollRegion label={label} className="overflow-y-hidden">
      <table
        aria-label={label}
        className={mergeClasses("w-full border-collapse text-sm", className)}
        {...rest}
      />
    </ScrollRegion>
  );
}

export function TableHead({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={mergeClasses(
        "caption h-9 whitespace-nowrap border-line border-b px-4 text-left font-normal",
        className,
      )}
      {...rest}
    />
  );
}

export function TableRow({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      className={mergeClasses(
        "group border-line border-b transition-colors last:border-0 hover:bg-hover/50",
        className,
      )}
      {...rest}
    />
  );
}

export function TableCell({ className, ...rest }: ComponentProps<"td">) {
  return <td className={mergeClasses("h-11 px-4 py-1.5 align-middle", className)} {...rest} />;
}
