/**
 * Templates that are being written, by agent, in this page's memory: a change of tab or page does not lose them, a reload does. Only the browser's code
 * may fill it.
 */
export const TEMPLATE_DRAFTS = new Map<string, string>();
