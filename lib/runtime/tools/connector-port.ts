import "server-only";
import type { EgressReach } from "@/lib/platform/egress/open-egress";

/** How connectors reach the world, and the only way by which a secret's value gets to them. */
export interface ConnectorPort {
  reach: EgressReach;
  /**
   * The value of an account secret, for one request to `url` of the connector written as `connectorUrl`. Throws `ToolFailure` when there is
   * no such secret or it may not travel there.
   */
  openSecret(name: string, url: URL, connectorUrl: string): Promise<string>;
}
