import type { DashboardWidget } from "@/lib/model/dashboard/dashboard-template-schema";

export type WidgetOf<Type extends DashboardWidget["type"]> = Extract<DashboardWidget, { type: Type }>;
