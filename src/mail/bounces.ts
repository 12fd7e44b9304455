import * as z from 'zod';
import { log } from '../base/log.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { blockStatement } from './due-mails.ts';

const BounceReport = z.strictObject({
  address: z.email().max(254),
  reason: z.enum(['bounce', 'complaint']),
});

/** Why a mail came back: the address has no reader, or the reader complained. */
export type BounceReport = z.input<typeof BounceReport>;

/** `ok: false` for a report that is malformed; it changes nothing. */
export type BounceResult = { ok: true } | { ok: false; errors: string[] };

/** Stops all mails to an address, except resets of passwords. Safe to repeat. */
export async function reportBounce(env: Env, report: unknown, now: number): Promise<BounceResult> {
  const { data, error } = BounceReport.safeParse(report);
  if (!data) return { ok: false, errors: error.issues.map(({ path }) => path.join('.')) };
  const directory = openDatabase(env.DIRECTORY);
  await directory.batch([blockStatement(directory, data.address, data.reason, now)]);
  log('info', 'mail_address_blocked', { reason: data.reason });
  return { ok: true };
}
