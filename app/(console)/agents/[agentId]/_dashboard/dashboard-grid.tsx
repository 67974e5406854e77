"use client";
import { Component, type CSSProperties, type ReactNode } from "react";
import type { Agent } from "@/lib/client/schemas";
import { type DashboardData, type Place, readingOrder } from "@/lib/console/dashboard/widget-data";
import type {
  DashboardTemplate,
  DashboardWidget,
} from "@/lib/model/dashboard/dashboard-template-schema";
import { toSeriesName, WidgetProblem } from "./widget-content";
import { WidgetView } from "./widget-view";

interface DashboardGridProps {
  template: DashboardTemplate;
  data: DashboardData;
  agent: Agent;
}

/** The widgets on twelve columns; on a phone in one, in reading order. */
export function DashboardGrid({ template, data, agent }: DashboardGridProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:auto-rows-[minmax(3.5rem,auto)] md:grid-cols-12">
      {readingOrder(template.layout).map((place) => {
        const widget = template.widgets[place.i];
        if (!widget) return null;
        const title = widget.title ?? toSeriesName(place.i);
        return (
          <section
            key={place.i}
            aria-label={title}
            style={cellOf(place)}
            className="flex min-h-24 min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface md:min-h-0 md:[grid-column:var(--across)] md:[grid-row:var(--down)]"
          >
            <WidgetHead widget={widget} />
            <div className="relative min-h-0 flex-1">
              <WidgetBoundary of={data}>
                <WidgetView widget={widget} data={data} agent={agent} title={title} />
              </WidgetBoundary>
            </div>
          </section>
        );
      })}
    </div>
  );
}

function cellOf({ x, y, w, h }: Place): CSSProperties {
  // Custom properties are no part of React's type.
  return { "--across": `${x + 1} / span ${w}`, "--down": `${y + 1} / span ${h}` } as CSSProperties;
}

function WidgetHead({ widget }: { widget: DashboardWidget }) {
  if (!widget.title && !widget.description) return null;
  return (
    <div className="px-4 pt-3 pb-1">
      {widget.title && <h3 className="truncate font-medium text-muted text-sm">{widget.title}</h3>}
      {widget.description && (
        <p className="mt-0.5 line-clamp-2 text-faint text-xs">{widget.description}</p>
      )}
    </div>
  );
}

/**
 * Keeps a widget that broke while it was drawn from taking the page with it. Another `of` tries
 * again.
 */
class WidgetBoundary extends Component<{ of: unknown; children: ReactNode }, { brokeOn: unknown }> {
  override state = { brokeOn: NOTHING };

  static getDerivedStateFromError(): { brokeOn: unknown } {
    return { brokeOn: UNKNOWN };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ brokeOn: this.props.of });
  }

  override componentDidUpdate(): void {
    const { brokeOn } = this.state;
    if (brokeOn !== NOTHING && brokeOn !== UNKNOWN && brokeOn !== this.props.of)
      this.setState({ brokeOn: NOTHING });
  }

  override render(): ReactNode {
    if (this.state.brokeOn === NOTHING) return this.props.children;
    return (
      <WidgetProblem title="This widget could not be drawn">
        Its data is not what it expects. The others are not affected.
      </WidgetProblem>
    );
  }
}

const NOTHING: unknown = Symbol("nothing");
const UNKNOWN: unknown = Symbol("unknown");
