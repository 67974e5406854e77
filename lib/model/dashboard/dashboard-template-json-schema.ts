import { z } from "zod";
import { dashboardTemplateSchema } from "./dashboard-template-schema";

/** The JSON Schema (2020-12) of the dashboard template, as `/v1/schemas/dashboard-template.json` serves it. */
export const DASHBOARD_TEMPLATE_JSON_SCHEMA = {
  ...z.toJSONSchema(dashboardTemplateSchema, { target: "draft-2020-12", unrepresentable: "any" }),
  title: "Dashboard template",
  description:
    "Widgets on a grid of 12 columns. Every widget has one place in the layout. Unknown keys are refused; there is no code and no query.",
};
