import { config } from "zod/v4/core";

// Runs in the browser before anything else. zod would try to compile its checks with `new
// Function`, which the page's policy refuses and reports.
config({ jitless: true });
