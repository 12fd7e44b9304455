import { and, eq, sql, type SQL } from 'drizzle-orm';
import { seal } from '../../crypto/seal.ts';
import { rawStatement } from '../../db/core/raw.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { SecretMode, webhookEndpoints } from '../../db/schema/store/webhooks.ts';
import { conflict, ConflictError } from '../../errors.ts';
import { rotationAt } from '../signing/secrets.ts';
import { createSecret } from '../signing/signature.ts';
import { isVisibleTo } from './access.ts';
import { auditStatement, type Actor, type AuditedAction } from './audit.ts';

/** The state of a rotation; it ends at `until` (epoch milliseconds) at the latest. */
interface RotationStatus {
  id: number;
  state: 'single' | 'overlap' | 'committed';
  until: number | null;
}

/**
 * Gives an endpoint a new secret and returns it; it is never shown again. For `overlapMs`, the old secret still signs
 * the specification's header, and the new one signs a second header. With 0, the old secret is deleted at once. Returns
 * `undefined` when the caller may not see the endpoint. Throws a 409 while an earlier rotation is in progress, unless
 * this one has no overlap.
 */
export async function rotateSecret(
  db: StoreDb,
  actor: Actor,
  id: number,
  { overlapMs, sealingKey }: { overlapMs: number; sealingKey: string },
): Promise<(RotationStatus & { secret_key: string }) | undefined> {
  const endpoint = await findEndpoint(db, actor, id);
  if (!endpoint) return undefined;
  const isImmediate = overlapMs === 0;
  if (!isImmediate && rotationAt(endpoint, db.now).secret_mode !== SecretMode.single) {
    throw conflict('rotation_under_way');
  }
  const secret_key = createSecret();
  const sealed = await seal(sealingKey, secret_key, `webhook-secret:${db.store.id}`);
  const until = isImmediate ? null : db.now + overlapMs;
  const mode = isImmediate ? SecretMode.single : SecretMode.overlap;
  await writeSecrets(db, actor, endpoint, 'secret_rotated', [
    sql`secret_previous = ${isImmediate ? null : endpoint.secret_current}`,
    sql`secret_current = ${sealed}, secret_mode = ${mode}, secret_previous_until = ${until}`,
    // Without an overlap, the column keeps its last value.
    ...(isImmediate ? [] : [sql`secret_overlap_ms = ${overlapMs}`]),
  ]);
  return { id, state: isImmediate ? 'single' : 'overlap', until, secret_key };
}

/**
 * Ends an overlap early: the new secret then signs the specification's header, and the old one signs a second header for
 * one more overlap. Returns `undefined` when the caller may not see the endpoint. Throws a 409 without an overlap.
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
  await writeSecrets(db, actor, endpoint, 'secret_committed', [
    sql`secret_mode = ${SecretMode.committed}, secret_previous_until = ${until}`,
  ]);
  return { id, state: 'committed', until };
}

type Endpoint = typeof webhookEndpoints.$inferSelect;

async function findEndpoint(db: StoreDb, actor: Actor, id: number): Promise<Endpoint | undefined> {
  const where = and(eq(webhookEndpoints.id, id), isVisibleTo(actor));
  const [rows] = await db.batch([db.select(webhookEndpoints, { where })]);
  return rows[0];
}

/** Writes the columns and the audit row in one transaction. Throws a 409 if the secrets changed since they were read. */
async function writeSecrets(
  db: StoreDb,
  actor: Actor,
  endpoint: Endpoint,
  action: AuditedAction,
  columns: SQL[],
): Promise<void> {
  const { id, secret_current: current, secret_mode: mode } = endpoint;
  try {
    await db.batch([
      rawStatement(
        db,
        sql`update ${webhookEndpoints} set ${sql.join(columns, sql`, `)}
          where id = ${id} and store_id = ${db.store.id}
            and secret_current = ${current} and secret_mode = ${mode}`,
      ),
      db.assertChanged(),
      auditStatement(db, actor, action, id, sql`true`),
    ]);
  } catch (error) {
    throw error instanceof ConflictError ? conflict('rotation_under_way') : error;
  }
}
