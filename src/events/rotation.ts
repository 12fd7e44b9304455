import { and, eq, sql, type SQL } from 'drizzle-orm';
import { seal } from '../crypto/seal.ts';
import { rawStatement } from '../db/raw.ts';
import { SecretMode, webhookEndpoints } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { conflict, StaleRevision } from '../problem.ts';
import { audited, type Actor, type AuditedAction } from './audit.ts';
import { visible } from './endpoint-access.ts';
import { newSecret } from './signature.ts';
import { rotationAt } from './signing-secrets.ts';

/** How far a rotation is; `until` (epoch milliseconds) is when that ends by itself. */
export interface Rotation {
  id: number;
  state: 'single' | 'overlap' | 'committed';
  until: number | null;
}

/**
 * Gives an endpoint a new secret, which is answered this once. For `overlapMs` the old one goes on signing the
 * header of the specification and the new one signs beside it (webhooks 3.13); with 0 the old one is gone at once.
 * Throws a 409 while an earlier rotation still has two secrets alive, unless this one has no overlap.
 */
export async function rotateSecret(
  db: StoreDb,
  actor: Actor,
  id: number,
  { overlapMs, sealingKey }: { overlapMs: number; sealingKey: string },
): Promise<(Rotation & { secret_key: string }) | undefined> {
  const endpoint = await endpointOf(db, actor, id);
  if (!endpoint) return undefined;
  const isAtOnce = overlapMs === 0;
  if (!isAtOnce && rotationAt(endpoint, db.now).secret_mode !== SecretMode.single) {
    throw conflict('rotation_under_way');
  }
  const secret_key = newSecret();
  const sealed = await seal(sealingKey, secret_key, `webhook-secret:${db.store.id}`);
  const until = isAtOnce ? null : db.now + overlapMs;
  const mode = isAtOnce ? SecretMode.single : SecretMode.overlap;
  await change(db, actor, endpoint, 'secret rotated', [
    sql`secret_previous = ${isAtOnce ? null : endpoint.secret_current}`,
    sql`secret_current = ${sealed}, secret_mode = ${mode}, secret_previous_until = ${until}`,
    // A column that says how long a rotation takes keeps its value when there is none.
    ...(isAtOnce ? [] : [sql`secret_overlap_ms = ${overlapMs}`]),
  ]);
  return { id, state: isAtOnce ? 'single' : 'overlap', until, secret_key };
}

/**
 * Ends an overlap early: from here on the new secret signs the header of the specification, and the old one
 * beside it for one more overlap. Throws a 409 when there is no overlap to end.
 */
export async function commitRotation(
  db: StoreDb,
  actor: Actor,
  id: number,
): Promise<Rotation | undefined> {
  const endpoint = await endpointOf(db, actor, id);
  if (!endpoint) return undefined;
  if (rotationAt(endpoint, db.now).secret_mode !== SecretMode.overlap) {
    throw conflict('no_rotation');
  }
  const until = db.now + endpoint.secret_overlap_ms;
  await change(db, actor, endpoint, 'secret committed', [
    sql`secret_mode = ${SecretMode.committed}, secret_previous_until = ${until}`,
  ]);
  return { id, state: 'committed', until };
}

type Endpoint = typeof webhookEndpoints.$inferSelect;

async function endpointOf(db: StoreDb, actor: Actor, id: number): Promise<Endpoint | undefined> {
  const where = and(eq(webhookEndpoints.id, id), visible(actor));
  const [rows] = await db.batch([db.select(webhookEndpoints, { where })]);
  return rows[0];
}

/** The change and its record in one transaction, if the secrets are still those that were read. */
async function change(
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
      db.mustHaveChanged(),
      audited(db, actor, action, id, sql`true`),
    ]);
  } catch (error) {
    throw error instanceof StaleRevision ? conflict('rotation_under_way') : error;
  }
}
