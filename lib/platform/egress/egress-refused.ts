import "server-only";

/** The one sentence for every refusal: a caller must not learn from it whether a name, a literal or an answer of DNS was at fault. */
export const EGRESS_REFUSED_MESSAGE = "The URL must lead to a public http or https address.";

/** The target of an outgoing call is not public. Nothing was sent, no connection was opened. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";

  constructor() {
    super(EGRESS_REFUSED_MESSAGE);
  }
}
