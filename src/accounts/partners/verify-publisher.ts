import { sql } from 'drizzle-orm';
import { skeletonOf } from '../../base/codecs/fields/claimed-names.ts';
import { hostOf, hostWithPort } from '../../base/hosts.ts';
import { log } from '../../base/log.ts';
import type { Settings } from '../../base/settings.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { evictApp, type App } from '../../data/directory/apps.ts';
import { apps } from '../../data/schema/directory/partners-tables.ts';
import { readPublicFile } from '../../oauth/read-public-file.ts';
import { defaultResolverDeps, resolveRecords } from '../../webhooks/check-url.ts';
import { appLine, managesApp } from './manage-apps.ts';

// A publisher proves that the domain of the app's site is theirs: by a DNS record, or by a file
// there.

const maxFileBytes = 16_384;

/** The two places that may name the client id of an app: a TXT record, and a line of a file. */
export function proofsOf(
  { serviceName }: Pick<Settings, 'serviceName'>,
  { site_url, client_id }: { site_url: string; client_id: string },
) {
  const url = new URL(site_url);
  const label = serviceName.toLowerCase();
  return {
    host: hostWithPort(url),
    record: { name: `_${label}-app.${hostOf(url)}`, value: `client-id=${client_id}` },
    file: { url: `${url.origin}/.well-known/${label}-apps.txt`, line: client_id },
  };
}

/**
 * Looks for the proof of an app's domain and records that it was there, with a line of the
 * activity. Returns false if it is in neither place. Two requests and one batch, which writes
 * nothing if the site, or what merchants read beside the mark, has changed meanwhile: false, too.
 */
export async function verifyPublisher(
  action: ActionContext,
  app: Pick<App, 'client_id' | 'name' | 'publisher' | 'logo' | 'verified_host'> & {
    site_url: string;
  },
): Promise<boolean> {
  const { directory, settings, now } = action;
  const { client_id: clientId, site_url: site } = app;
  const { host, record, file } = proofsOf(settings, app);
  const found = await Promise.all([hasRecord(record, settings), hasLine(file, settings)]);
  if (!found.includes(true)) return false;
  const isAsRead = sql`${managesApp(action, clientId)} and exists (select 1 from ${apps}
    where client_id = ${clientId} and site_url = ${site} and name = ${app.name}
      and publisher = ${app.publisher} and logo is ${app.logo})`;
  const changes = { verified_host: [app.verified_host, host] } as const;
  const [, verified] = await directory.batch([
    auditStatement(directory, appLine(action, 'app.domain_verified', clientId, changes), isAsRead),
    rawDatabaseStatement<object>(
      directory,
      sql`update ${apps} set verified_host = ${host}, verified_at = ${now}, verified_name = ${skeletonOf(app.name)}, updated_at = ${now}
        where client_id = ${clientId} and ${isAsRead} returning client_id`,
    ),
  ]);
  evictApp(clientId);
  return verified.length > 0;
}

type Found = Promise<boolean>;

/** Whether the TXT record is there. A service without a resolver sees none. */
const hasRecord = (
  { name, value }: { name: string; value: string },
  { resolverUrl }: Settings,
): Found =>
  orAbsent(async () => {
    if (resolverUrl === '') return false;
    const records = await resolveRecords({ name, type: 'TXT' }, resolverUrl, defaultResolverDeps);
    // A resolver quotes each part of a text.
    return records.some((text) => text.replace(/["\s]/g, '') === value);
  });

/** Whether the file has the line. A redirect, another status or more than 16 KiB is no proof. */
const hasLine = ({ url, line }: { url: string; line: string }, settings: Settings): Found =>
  orAbsent(async () => {
    const found = await readPublicFile(url, settings, { maxBytes: maxFileBytes });
    return found?.text.split(/\r?\n/).some((text) => text.trim() === line) ?? false;
  });

/** A place that cannot be read has no proof. */
const orAbsent = (look: () => Found): Found =>
  look().catch((error: unknown) => {
    log('warn', 'publisher_proof_failed', { reason: error instanceof Error ? error.name : '' });
    return false;
  });
