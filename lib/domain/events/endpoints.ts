import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import { type Principal, requireProven } from "@/lib/domain/principal";
import { requireWebhookUrl } from "@/lib/domain/runs/request-run";
import { sealingRing, WEBHOOK_SECRET_SCOPE } from "@/lib/domain/secrets/key-ring";
import { type DeliveryView, requireDelivery } from "@/lib/domain/webhooks/deliveries";
import { insertEventDelivery } from "@/lib/domain/webhooks/insert-event-delivery";
import { SIGNING_SECRETS_MAX } from "@/lib/domain/webhooks/signing-secret";
import { isEngineReachable } from "@/lib/engine/client";
import { ServiceError } from "@/lib/model/errors";
import {
  ENDPOINT_DRAFT_KEYS,
  ENDPOINT_FIELDS,
  type EndpointDraft,
  UNSAID_ENDPOINT,
} from "@/lib/model/events/endpoint-fields";
import { ENDPOINTS_MAX, TEST_EVENT } from "@/lib/model/events/event-types";
import { type GivenOf, type RowOf, storeList } from "@/lib/model/fields/field-table";
import { seal } from "@/lib/platform/crypto/seal";
import { createWebhookSecret } from "@/lib/platform/crypto/webhook-signature";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, type Transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/** An endpoint as verbs hand it out. */
export type EndpointView = RowOf<typeof ENDPOINT_FIELDS>;

/** What an owner says of an endpoint, as it is stored: from the third place on. */
const STORED = storeList(ENDPOINT_FIELDS, ENDPOINT_DRAFT_KEYS, 3);
const INSERT = `
INSERT INTO webhook_endpoints (id, account_id, ${STORED.columns}, updated_at)
VALUES ($1, $2, ${STORED.places}, now())`;
const { url: URL_PLACE, enabled: ENABLED } = STORED.at;
const UPDATE = `
UPDATE webhook_endpoints SET ${STORED.changes}, updated_at = now(),
  failing_since = CASE WHEN ${ENABLED} AND NOT enabled OR url <> ${URL_PLACE} THEN NULL
  ELSE failing_since END,
  disabled_at = CASE WHEN ${ENABLED} THEN NULL ELSE disabled_at END
WHERE id = $1 AND account_id = $2`;

/** The account's endpoint. @throws ServiceError ENDPOINT_NOT_FOUND */
export async function requireEndpoint(
  { accountId }: Principal,
  endpointId: string,
): Promise<EndpointView> {
  const row = await prisma().webhookEndpoint.findFirst({ where: { id: endpointId, accountId } });
  if (!row) throw endpointMissing();
  return row;
}

function endpointMissing(): ServiceError {
  return new ServiceError("ENDPOINT_NOT_FOUND", "There is no such webhook endpoint.");
}

/** Newest first. */
export async function listEndpoints(
  { accountId }: Principal,
  page: PageRequest,
): Promise<Page<EndpointView>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().webhookEndpoint.findMany({
    where: { accountId, ...(before && { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows, page.limit, ({ id }) => id);
}

/**
 * Has the account's events of these types sent to `url` from now on.
 * @returns the endpoint with its secret (`whsec_…`), which is shown this once
 * @throws ServiceError INVALID_INPUT, CONFLICT (too many), RATE_LIMITED, FORBIDDEN; nothing is
 * stored then
 */
export async function createEndpoint(
  principal: Principal,
  said: EndpointDraft,
): Promise<{ endpoint: EndpointView; secret: string }> {
  requireProven(principal);
  const draft = { ...UNSAID_ENDPOINT, ...said };
  await requireWebhookUrl(principal, draft.url, "url");
  const { accountId } = principal;
  const id = newId();
  const secret = createWebhookSecret();
  await accountTransaction(accountId, async (tx) => {
    // First, as in every write: in another order two writes of an account wait for each other.
    await consumeWriteQuota(tx, principal);
    const ring = await sealingRing(tx);
    await lockAccount(tx, accountId);
    const { rows } = await tx.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM webhook_endpoints WHERE account_id = $1",
      [accountId],
    );
    if ((rows[0]?.count ?? 0) >= ENDPOINTS_MAX)
      throw new ServiceError(
        "CONFLICT",
        `An account may have at most ${ENDPOINTS_MAX} webhook endpoints. Nothing was stored. ` +
          "Delete one that is not needed any more.",
      );
    await tx.query(INSERT, [id, accountId, ...STORED.values(draft)]);
    await insertSecret(tx, accountId, id, seal(ring, secret, scopeOf(accountId)));
    await recordAudit(tx, principal, {
      action: "webhook_endpoint.created",
      object: { kind: "webhook_endpoint", id, label: hostOf(draft.url) },
      changes: { events: draft.events, enabled: draft.enabled },
    });
  });
  return { endpoint: await requireEndpoint(principal, id), secret };
}

/**
 * Changes what is given. What waits to be sent goes to the new address. Switching one on that was
 * switched off for its failures gives it its days again.
 * @throws ServiceError ENDPOINT_NOT_FOUND, INVALID_INPUT, RATE_LIMITED
 */
export async function updateEndpoint(
  principal: Principal,
  endpointId: string,
  change: Partial<GivenOf<typeof ENDPOINT_FIELDS>>,
): Promise<EndpointView> {
  const before = await requireEndpoint(principal, endpointId);
  if (change.url !== undefined) await requireWebhookUrl(principal, change.url, "url");
  const { accountId } = principal;
  await accountTransaction(accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const after = { ...before, ...change };
    const { rowCount } = await tx.query(UPDATE, [endpointId, accountId, ...STORED.values(after)]);
    if (rowCount === 0) throw endpointMissing();
    if (after.url !== before.url)
      await tx.query(
        `UPDATE webhook_deliveries SET url = $3 WHERE endpoint_id = $1 AND account_id = $2
           AND status = 'pending'`,
        [endpointId, accountId, after.url],
      );
    await recordAudit(tx, principal, {
      action: "webhook_endpoint.updated",
      object: { kind: "webhook_endpoint", id: endpointId, label: hostOf(after.url) },
      changes: { events: after.events, enabled: { from: before.enabled, to: after.enabled } },
    });
  });
  return requireEndpoint(principal, endpointId);
}

/**
 * Ends it with its secrets: what waits to be sent to it is not sent, and stays in the list of
 * deliveries as failed.
 * @throws ServiceError ENDPOINT_NOT_FOUND, RATE_LIMITED
 */
export async function deleteEndpoint(principal: Principal, endpointId: string): Promise<void> {
  const { url } = await requireEndpoint(principal, endpointId);
  const { accountId } = principal;
  await accountTransaction(accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const { rowCount } = await tx.query(
      "DELETE FROM webhook_endpoints WHERE id = $1 AND account_id = $2",
      [endpointId, accountId],
    );
    if (rowCount === 0) throw endpointMissing();
    await tx.query(
      `UPDATE webhook_deliveries SET status = 'failed' WHERE endpoint_id = $1 AND account_id = $2
         AND status = 'pending'`,
      [endpointId, accountId],
    );
    await recordAudit(tx, principal, {
      action: "webhook_endpoint.deleted",
      object: { kind: "webhook_endpoint", id: endpointId, label: hostOf(url) },
    });
  });
}

/**
 * Gives an endpoint a fresh secret; the one before signs along for `overlapMinutes` more, 0 ends it
 * at once.
 * @returns the fresh one, which is shown this once
 * @throws ServiceError ENDPOINT_NOT_FOUND, RATE_LIMITED; CONFLICT while too many overlap
 */
export async function rotateEndpointSecret(
  principal: Principal,
  endpointId: string,
  overlapMinutes: number,
): Promise<{ endpoint: EndpointView; secret: string }> {
  const endpoint = await requireEndpoint(principal, endpointId);
  const { accountId } = principal;
  const secret = createWebhookSecret();
  await accountTransaction(accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const ring = await sealingRing(tx);
    // Two at once rotate one after the other.
    const { rowCount } = await tx.query(
      "SELECT 1 FROM webhook_endpoints WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
      [endpointId, accountId],
    );
    if (rowCount === 0) throw endpointMissing();
    await tx.query(
      `UPDATE webhook_secrets SET expires_at = now() + make_interval(mins => $3)
       WHERE endpoint_id = $1 AND account_id = $2 AND expires_at IS NULL`,
      [endpointId, accountId, overlapMinutes],
    );
    const { rowCount: overlapping } = await tx.query(
      `SELECT 1 FROM webhook_secrets WHERE endpoint_id = $1 AND account_id = $2
         AND expires_at > now()`,
      [endpointId, accountId],
    );
    if ((overlapping ?? 0) >= SIGNING_SECRETS_MAX)
      throw new ServiceError(
        "CONFLICT",
        `At most ${SIGNING_SECRETS_MAX} secrets may overlap. Wait until an older one has ` +
          "expired, or rotate without an overlap.",
      );
    await insertSecret(tx, accountId, endpointId, seal(ring, secret, scopeOf(accountId)));
    await recordAudit(tx, principal, {
      action: "webhook_endpoint.secret_rotated",
      object: { kind: "webhook_endpoint", id: endpointId, label: hostOf(endpoint.url) },
      changes: { overlap_minutes: overlapMinutes },
    });
  });
  return { endpoint, secret };
}

/**
 * Sends a test event to this endpoint alone, also to one that is switched off: its delivery says
 * what became of it.
 * @throws ServiceError ENDPOINT_NOT_FOUND, RATE_LIMITED, SERVICE_UNAVAILABLE
 */
export async function testEndpoint(
  principal: Principal,
  endpointId: string,
): Promise<DeliveryView> {
  const { url } = await requireEndpoint(principal, endpointId);
  const { accountId } = principal;
  if (!(await isEngineReachable()))
    throw new ServiceError(
      "SERVICE_UNAVAILABLE",
      "The execution service cannot be reached. Nothing was sent; try again shortly.",
    );
  const deliveryId = await accountTransaction(accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    const data = { endpoint_id: endpointId, message: "This is a test of this endpoint." };
    const event = { accountId, type: TEST_EVENT, data };
    const sent = await insertEventDelivery(tx, event, { id: endpointId, url });
    return sent;
  });
  return requireDelivery(principal, deliveryId);
}

function scopeOf(accountId: string) {
  return { accountId, name: WEBHOOK_SECRET_SCOPE };
}

async function insertSecret(
  tx: Transaction,
  accountId: string,
  endpointId: string,
  sealed: string,
): Promise<void> {
  await tx.query(
    "INSERT INTO webhook_secrets (id, account_id, endpoint_id, sealed) VALUES ($1, $2, $3, $4)",
    [newId(), accountId, endpointId, sealed],
  );
}

async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
}

/** For the audit log: an address may hold a secret in its path or query. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
