import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { mergeClasses } from "@/components/merge-classes";

const LOOKS = {
  info: { icon: Info, classes: "border-accent-line bg-accent-soft", ink: "text-accent" },
  warning: {
    icon: TriangleAlert,
    classes: "border-warning-line bg-warning-soft",
    ink: "text-warning",
  },
  danger: { icon: CircleAlert, classes: "border-danger-line bg-danger-soft", ink: "text-danger" },
};

interface AlertProps {
  tone: keyof typeof LOOKS;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Read out at once when it appears. */
  alert?: boolean;
  className?: string;
}

/** Something that the reader has to know here, and what to do about it. */
export function Alert({ tone, title, children, action, alert, className }: AlertProps) {
  const { icon: Icon, classes, ink } = LOOKS[tone];
  return (
    <div
      role={alert ? "alert" : undefined}
      className={mergeClasses(
        "flex gap-3 rounded-lg border px-3.5 py-3 text-sm",
        classes,
        className,
      )}
    >
      <Icon aria-hidden="true" className={mergeClasses("mt-0.5 size-4 shrink-0", ink)} />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-foreground">{title}</p>
        {children && <div className="mt-0.5 text-muted [overflow-wrap:anywhere]">{children}</div>}
        {action && <div className="mt-2.5 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  );
}
