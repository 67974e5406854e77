"use client";
import { Component, type ReactNode } from "react";
import { WidgetProblem } from "./widget-problem";

/** Keeps a widget that broke while it was drawn from taking the page with it. Another `of` tries again. */
export class WidgetBoundary extends Component<{ of: unknown; children: ReactNode }, { brokeOn: unknown }> {
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
    if (brokeOn !== NOTHING && brokeOn !== UNKNOWN && brokeOn !== this.props.of) this.setState({ brokeOn: NOTHING });
  }

  override render(): ReactNode {
    if (this.state.brokeOn === NOTHING) return this.props.children;
    return (
      <WidgetProblem title="This widget could not be drawn">Its data is not what it expects. The others are not affected.</WidgetProblem>
    );
  }
}

const NOTHING: unknown = Symbol("nothing");
const UNKNOWN: unknown = Symbol("unknown");
