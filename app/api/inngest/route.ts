import { serve } from "inngest/next";
import { inngest } from "@/lib/engine/client";
import { functions } from "@/lib/jobs/functions";

/** Where an Inngest server drives the functions. The embedded executor calls them in process and does not use it. */
export const { GET, POST, PUT } = serve({ client: inngest, functions });
