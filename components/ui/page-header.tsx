import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** The list that this page belongs to. */
  back?: { href: string; label: string };
  children?: ReactNode;
}

export function PageHeader({ title, description, back, children }: PageHeaderProps) {
  return (
    <header className="mb-6">
      {back && (
        <nav aria-label="Breadcrumb" className="mb-2">
          <Link
            href={back.href}
            className="inline-flex min-h-6 items-center gap-1 rounded-sm text-muted text-sm hover:text-foreground"
          >
            <ChevronLeft aria-hidden="true" className="-ml-1 size-4" />
            {back.label}
          </Link>
        </nav>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-60">
          <h1 className="font-semibold text-2xl [overflow-wrap:anywhere]">{title}</h1>
          {description && (
            <p className="mt-1 max-w-2xl text-muted text-base [overflow-wrap:anywhere]">
              {description}
            </p>
          )}
        </div>
        {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
      </div>
    </header>
  );
}
