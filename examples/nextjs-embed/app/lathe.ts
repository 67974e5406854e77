import { createClient } from "@lathe/client";

/**
 * The agent that this product embeds, and a key that opens this agent alone: of the console, under
 * the agent's app keys.
 */
export const AGENT_ID = process.env.LATHE_AGENT_ID ?? "";

/**
 * Made anew for each use, so that a build needs no key. Only route handlers import this file: the
 * key never reaches a browser.
 */
export const lathe = () => createClient({ apiKey: process.env.LATHE_APP_KEY });
