import { and, eq, sql, type SQL } from 'drizzle-orm';
import { equalInConstantTime } from '../../base/crypto/digest.ts';
import type { KeyRing } from '../../base/crypto/keys.ts';
import { seal, unseal } from '../../base/crypto/seal.ts';
import { conflict, ConflictError, HttpError } from '../../base/errors.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { SecretMode, webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { createSecret } from '../signature.ts';
import { rotationAt } from '../signing-keys.ts';
import { endpointAuditStatement, type Actor, type AuditedAction } from './audit-endpoint.ts';
import { isVisibleTo } from './endpoint-access.ts';

/** By `SecretMode`. */
export const rotationStates = ['single', 'overlap', 'committed'] as const;

export type RotationState = (typeof rotationStates)[number];

/** The state of a rotation; it ends at `until` (epoch milliseconds) at the latest. */
interface RotationStatus {
  id: number;
  state: RotationState;
  until: number | null;
}

/**
 * Gives an endpoint a new secret and returns it; it is never shown again. For `overlapMs`, the old
 * secret still signs the specification's header, and the new one signs a second header. With 0, the
 * old secret is deleted at once. Returns `undefined` when the caller may not see the endpoint.
 * Throws a 409 while an earlier rotation is in progress, unless this one has no overlap.
 */
export async function rotateSecret(
  db: StoreDb,
  actor: Actor,
  id: number,
  options: RotationOptions,
): Promise<(RotationStatus & { secret_key: string }) | undefined> {
  const endpoint = await findEndpoint(db, actor, id);
  try {
    return endpoint && (await rotateFrom(db, actor, endpoint, options));
  } catch (error) {
    if (!endpoint || !(error instanceof HttpError) || error.status !== 409) throw error;
    // The sweep may have sealed the same secret with another key in between. That is no rotation.
    const now = await findEndpoint(db, actor, id);
    if (!now || !(await haveSameSecret(db, endpoint, now, options))) throw error;
    return rotateFrom(db, actor, now, options);
  }
}

interface RotationOptions {
  overlapMs: number;
  sealingKeys: KeyRing;
}

/** Whether two readings of an endpoint differ only in the key that sealed their secret. */
async function haveSameSecret(
  { store }: StoreDb,
  one: Endpoint,
  other: Endpoint,
  { sealingKeys }: RotationOptions,
): Promise<boolean> {
  if (one.secret_current === other.secret_current) return false;
  const open = ({ secret_current: sealed }: Endpoint) =>
    unseal(sealingKeys, sealed, `webhook-secret:${store.id}`);
  try {
    return await equalInConstantTime(await open(one), await open(other));
  } catch {
    // No key opens one of them, so they cannot be compared.
    return false;
  }
}

async function rotateFrom(
  db: StoreDb,
  actor: Actor,
  endpoint: Endpoint,
  { overlapMs, sealingKeys }: RotationOptions,
): Promise<RotationStatus & { secret_key: string }> {
  const { id } = endpoint;
  const isImmediate = overlapMs === 0;
  if (!isImmediate && rotationAt(endpoint, db.now).secret_mode !== SecretMode.single) {
    throw conflict('rotation_under_way');
  }
  const secret_key = createSecret();
  const sealed = await seal(sealingKeys, secret_key, `webhook-secret:${db.store.id}`);
  const until = isImmediate ? null : db.now + overlapMs;
  const mode = isImmediate ? SecretMode.single : SecretMode.overlap;
  const { secret_current: current, secret_mode: modeBefore } = endpoint;
  const isUnchanged = sql`secret_current = ${current} and secret_mode = ${modeBefore}`;
  await writeSecrets(db, actor, { id, isUnchanged }, 'secret_rotated', [
    sql`secret_previous = ${isImmediate ? null : endpoint.secret_current}`,
    sql`secret_current = ${sealed}, secret_mode = ${mode}, secret_previous_until = ${until}`,
    // Without an overlap, the column keeps its last value.
    ...(isImmediate ? [] : [sql`secret_overlap_ms = ${overlapMs}`]),
  ]);
  return { id, state: isImmediate ? 'single' : 'overlap', until, secret_key };
}

/**
 * Ends an overlap early: the new secret then signs the specification's header, and the old one
 * signs a second header for one more overlap. Returns `undefined` when the caller may not see the
 * endpoint. Throws a 409 without an overlap.
 */
export async function commitRotation(
  db: StoreDb,
  actor: Actor,
  id: number,
): Promise<RotationStatus | undefined> {
  const endpoint = await findEndpoint(db, actor, id);
  if (!endpoint) return undefined;
  if (rotationAt(endpoint, db.now).secret_mode !== SecretMode.overlap) {
    throw conflict('no_rotation');
  }
  const until = db.now + endpoint.secret_overlap_ms;
  const { secret_mode: mode, secret_previous_until: endsAt } = endpoint;
  const isUnchanged = sql`secret_mode = ${mode} and secret_previous_until is ${endsAt}`;
  await writeSecrets(db, actor, { id, isUnchanged }, 'secret_committed', [
    sql`secret_mode = ${SecretMode.committed}, secret_previous_until = ${until}`,
  ]);
  return { id, state: 'committed', until };
}

/**
 * Returns the state of the rotation of an endpoint, or `undefined` when the caller may not see it.
 * One round trip.
 */
export async function findRotation(
  db: StoreDb,
  actor: Actor,
  id: number,
): Promise<RotationStatus | undefined> {
  const endpoint = await findEndpoint(db, actor, id);
  if (!endpoint) return undefined;
  const { secret_mode: mode, secret_previous_until: until } = rotationAt(endpoint, db.now);
  return { id, state: rotationStates[mode] ?? 'single', until };
}

type Endpoint = Row<typeof webhookEndpoints>;

async function findEndpoint(db: StoreDb, actor: Actor, id: number): Promise<Endpoint | undefined> {
  const where = and(eq(webhookEndpoints.id, id), isVisibleTo(actor));
  const [rows] = await db.batch([db.select(webhookEndpoints, { where })]);
  return rows[0];
}

/**
 * Writes the columns and the audit row in one transaction. Throws a 409 if the secrets changed
 * since they were read.
 */
async function writeSecrets(
  db: StoreDb,
  actor: Actor,
  { id, isUnchanged }: { id: number; isUnchanged: SQL },
  action: AuditedAction,
  columns: SQL[],
): Promise<void> {
  try {
    await db.batch([
      rawStatement(
        db,
        sql`update ${webhookEndpoints} set ${sql.join(columns, sql`, `)}
          where id = ${id} and store_id = ${db.store.id}
            and ${isUnchanged}`,
      ),
      db.assertChanged(),
      endpointAuditStatement(db, action, id, sql`true`),
    ]);
  } catch (error) {
    throw error instanceof ConflictError ? conflict('rotation_under_way') : error;
  }
}
