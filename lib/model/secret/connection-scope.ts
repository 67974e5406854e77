/**
 * Before the address of an MCP server: what is kept of a sign-in to it goes by this name among the
 * account's secrets.
 */
export const CONNECTION_SCOPE = "mcp-connection:";
