import { sql } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import { dayMs, isMinuteOfHour } from '../../base/durations.ts';
import { ConflictError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { logoPath } from '../../base/page-paths.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { evictApp, type App } from '../../data/directory/apps.ts';
import { apps } from '../../data/schema/directory/partners-tables.ts';
import { logoTypes, readLogoImage } from './logo-image.ts';
import { appLine, managesApp } from './manage-apps.ts';

// The logo of an app is an object named by its app and by its content, so its address never changes
// what it shows. The app has the name of the file. What a request leaves behind, and logos that the
// bucket would expire, are seen to hourly.

/** The largest file of a logo. */
export const maxLogoBytes = 262_144;

/** The sides of a logo in pixels; the longer one is at most a quarter longer. */
const logoSides = { min: 64, max: 1_024, ratio: 1.25 };

/** Why a file is no logo. */
export type LogoFault = 'format' | 'bytes' | 'size';

const prefix = 'logos/';

/** The key of a logo is its path without the slash. */
const keyOf = (clientId: string, file: string) => logoPath(clientId, file).slice(1);

type LogoOwner = Pick<App, 'client_id' | 'logo' | 'verified_host'>;

/**
 * Replaces the logo of an app, and returns why if the file is none. The proof of the domain ends,
 * since it was made of another picture: the publisher makes it again. The same picture changes
 * nothing. One object, one batch.
 */
export async function setLogo(
  action: ActionContext,
  app: LogoOwner,
  bytes: Uint8Array,
): Promise<LogoFault | undefined> {
  const image = readLogoImage(bytes);
  if (!image) return 'format';
  if (bytes.length > maxLogoBytes) return 'bytes';
  const [short = 0, long = 0] = [image.width, image.height].toSorted((a, b) => a - b);
  const { min, max, ratio } = logoSides;
  if (short < min || long > max || long > short * ratio) return 'size';
  const { client_id: clientId, verified_host: host } = app;
  const logo = `${await sha256(bytes)}.${image.format}`;
  if (logo === app.logo) return undefined;
  const { env } = action;
  const key = keyOf(clientId, logo);
  await env.ARCHIVE.put(key, bytes, { httpMetadata: { contentType: logoTypes[image.format] } });
  const changes = host === null ? {} : ({ verified_host: [host, null] } as const);
  await writeLogo(action, app, { logo, name: 'app.logo_set', changes });
  return undefined;
}

/** Removes the logo of an app; the proof of the domain stays. One batch. */
export async function removeLogo(action: ActionContext, app: LogoOwner): Promise<void> {
  if (app.logo === null) return;
  await writeLogo(action, app, { logo: null, name: 'app.logo_removed', changes: {} });
}

/**
 * Writes the logo of an app with a line of the activity, and deletes the one before. Throws if
 * another change came first.
 */
async function writeLogo(
  action: ActionContext,
  { client_id: clientId, logo: before }: LogoOwner,
  to: {
    logo: string | null;
    name: string;
    changes: { verified_host?: readonly [string, null] };
  },
): Promise<void> {
  const { directory, env, now } = action;
  const isAsRead = sql`${managesApp(action, clientId)} and exists (select 1 from ${apps}
    where client_id = ${clientId} and logo is ${before})`;
  const unproved =
    to.logo === null ? sql`` : sql`verified_host = null, verified_at = null, verified_name = null,`;
  const [, changed] = await directory.batch([
    auditStatement(directory, appLine(action, to.name, clientId, to.changes), isAsRead),
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`update ${apps} set logo = ${to.logo}, ${unproved} updated_at = ${now}
        where client_id = ${clientId} and ${isAsRead} returning id`,
    ),
  ]);
  evictApp(clientId);
  if (changed.length === 0) throw new ConflictError();
  // A failure does no harm: the next look at the logos deletes it.
  if (before !== null) {
    action.defer(env.ARCHIVE.delete(keyOf(clientId, before)).catch(() => undefined));
  }
}

/** Deletes the files of the logos of an app, whatever the directory says. */
export async function deleteLogoFiles({ ARCHIVE }: Env, clientId: string): Promise<void> {
  const { objects } = await ARCHIVE.list({ prefix: keyOf(clientId, '') });
  await ARCHIVE.delete(objects.map(({ key }) => key));
}

/**
 * The age at which a logo is looked at: it is stored anew, because the bucket expires objects by
 * their age.
 */
const lookMs = dayMs;

/** The most logos that one run stores anew. */
const maxRenewed = 200;

/**
 * Stores the logos of apps anew once a day, and deletes those that no app has. Cron calls it every
 * minute.
 */
export async function keepLogos(env: Env, now: number): Promise<void> {
  if (!isMinuteOfHour(now, 47)) return;
  try {
    let cursor: string | undefined;
    let left = maxRenewed;
    do {
      const page = await env.ARCHIVE.list({ prefix, ...(cursor !== undefined && { cursor }) });
      const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < now - lookMs);
      const used = await usedLogos(
        env,
        old.map(({ key }) => key),
      );
      await env.ARCHIVE.delete(old.flatMap(({ key }) => (used.has(key) ? [] : [key])));
      const renewed = old.filter(({ key }) => used.has(key)).slice(0, left);
      for (const { key } of renewed) await renew(env.ARCHIVE, key);
      left -= renewed.length;
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined && left > 0);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'logos_failed', { alert: true, message });
  }
}

/** Which of these objects an app has as its logo. One round trip; none without objects. */
async function usedLogos({ DIRECTORY }: Env, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const key = sql`${prefix} || client_id || '/' || logo`;
  const found = await openDatabase(DIRECTORY)
    .select({ key: sql<string>`${key}` })
    .from(apps)
    .where(sql`${key} in (select value from json_each(${JSON.stringify(keys)}))`);
  return new Set(found.map((app) => app.key));
}

async function renew(bucket: R2Bucket, key: string): Promise<void> {
  const object = await bucket.get(key);
  if (!object) return;
  const { httpMetadata = {} } = object;
  await bucket.put(key, await object.arrayBuffer(), { httpMetadata });
}
