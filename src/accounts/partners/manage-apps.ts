import { sql } from 'drizzle-orm';
import { ConflictError, notFound } from '../../base/errors.ts';
import { hostWithPort } from '../../base/hosts.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement, type AuditLine } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import {
  type App,
  evictApp,
  findOwnApp,
  isManagedBy,
  looksVerified,
  type AppValues,
} from '../../data/directory/apps.ts';
import { scopesFromBits } from '../../data/grants/scopes.ts';
import type { AuditChanges } from '../../data/schema/columns.ts';
import { apps } from '../../data/schema/directory/partners-tables.ts';
import { insertMailToTeam, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { withdrawAppEverywhere } from '../../oauth/withdraw-app.ts';

/** The most apps of one partner. */
const maxAppsPerPartner = 50;

/** Attempts of an edit when others edit the app meanwhile. */
const maxAttempts = 3;

/** The partner of an app, for a statement of a batch. */
export const partnerOf = (clientId: string) =>
  sql<number>`(select owner_id from ${apps} where client_id = ${clientId})`;

/**
 * The condition that the acting user manages the app at the moment of the batch: they may have left
 * the team.
 */
export const managesApp = ({ actor }: ActionContext, clientId: string) =>
  sql`exists (select 1 from ${apps} where ${apps.client_id} = ${clientId}
    and ${isManagedBy(actor.userId ?? 0)})`;

/** The line of the audit about an app, which the team of its partner sees. */
export const appLine = (
  { now, actor, from }: ActionContext,
  action: string,
  clientId: string,
  changes: AuditChanges = {},
): AuditLine => ({
  at: now,
  actor,
  from,
  action,
  target: { kind: 'app', id: clientId },
  partnerId: partnerOf(clientId),
  changes,
});

/**
 * The mail to the partner of an app and everyone in the team: an address has changed, or a secret.
 */
export async function appMail(
  { directory, settings, actor, now }: ActionContext,
  clientId: string,
  data: { app: string; change: 'address' | 'secret'; host: string },
  where: ReturnType<typeof sql>,
) {
  const mail = await prepareMail(settings, {
    kind: 'app_changed',
    data: { ...data, member: actor.name },
  });
  return insertMailToTeam(directory, mail, partnerOf(clientId), now, where);
}

/**
 * Whether the name that an app of a partner shall get looks like that of a published app of others
 * whose domain is proved. The name that it has stays. One round trip.
 */
export const isNameTaken = (
  { directory, now }: ActionContext,
  name: string,
  app: { ownerId: number } | { clientId: string },
): Promise<boolean> => {
  const isOwn =
    'ownerId' in app
      ? sql`owner_id = ${app.ownerId}`
      : sql`owner_id = ${partnerOf(app.clientId)} or exists (select 1 from ${apps} own
          where own.client_id = ${app.clientId} and own.name = ${name})`;
  return looksVerified(directory, { names: [name], isOwn }, now);
};

/**
 * Registers an app as a draft of a partner: the user, or one whose team the user is in. Returns
 * false if the partner has {@link maxAppsPerPartner}. One batch.
 */
export async function registerApp(
  action: ActionContext,
  { clientId, ownerId }: { clientId: string; ownerId: number },
  values: AppValues,
): Promise<boolean> {
  const { directory, now } = action;
  const { name, publisher, site_url, support, privacy_url } = values;
  const [added] = await directory.batch([
    rawDatabaseStatement<{ id: number }>(
      directory,
      sql`insert into ${apps} (client_id, owner_id, name, publisher, site_url, support, privacy_url,
            redirect_uris, scopes, created_at, updated_at)
          select ${clientId}, ${ownerId}, ${name}, ${publisher}, ${site_url}, ${support},
            ${privacy_url}, ${JSON.stringify(values.redirect_uris)}, ${values.scopes},
            ${now}, ${now}
          where (select count(*) from ${apps} where owner_id = ${ownerId}) < ${maxAppsPerPartner}
          returning id`,
    ),
    auditStatement(
      directory,
      appLine(action, 'app.registered', clientId, changesOf(undefined, values)),
      managesApp(action, clientId),
    ),
  ]);
  return added.length > 0;
}

/**
 * Changes an app. The proof of its domain ends with what was proved ({@link endsProof}). The
 * partner and the team get a mail when it sends people elsewhere (redirect URIs). Throws a 404 for
 * an app that the user does not manage. One round trip to read it, and one batch, again if another
 * user changed it meanwhile.
 */
export async function editApp(
  action: ActionContext,
  clientId: string,
  values: AppValues,
): Promise<void> {
  const { directory, actor, env, now } = action;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const before = await findOwnApp(directory, actor.userId ?? 0, clientId);
    if (!before) throw notFound();
    const edited = changesOf(before, values);
    if (Object.keys(edited).length === 0) return;
    const isUnproved = endsProof(before, values);
    const unproved = isUnproved
      ? sql`verified_host = null, verified_at = null, verified_name = null,`
      : sql``;
    const changes: AuditChanges = {
      ...edited,
      ...(isUnproved && { verified_host: [before.verified_host, null] }),
    };
    // The line tells what was there, so that must be what the change replaces.
    const isAsRead = sql`${managesApp(action, clientId)} and exists (select 1 from ${apps}
      where client_id = ${clientId} and name = ${before.name} and publisher = ${before.publisher}
        and site_url is ${before.site_url} and support is ${before.support}
        and privacy_url is ${before.privacy_url}
        and redirect_uris = ${JSON.stringify(before.redirect_uris)} and scopes = ${before.scopes}
        and verified_host is ${before.verified_host})`;
    const host = [...new Set(values.redirect_uris.map((uri) => hostWithPort(new URL(uri))))];
    const data = { app: before.name, change: 'address', host: host.join(', ') } as const;
    const results: readonly (readonly unknown[])[] = await directory.batch([
      auditStatement(directory, appLine(action, 'app.edited', clientId, changes), isAsRead),
      ...(changes['redirect_uris'] ? [await appMail(action, clientId, data, isAsRead)] : []),
      rawDatabaseStatement<{ id: number }>(
        directory,
        sql`update ${apps} set name = ${values.name}, publisher = ${values.publisher},
            site_url = ${values.site_url}, support = ${values.support},
            privacy_url = ${values.privacy_url},
            redirect_uris = ${JSON.stringify(values.redirect_uris)}, scopes = ${values.scopes},
            ${unproved} updated_at = ${now}
          where client_id = ${clientId} and ${isAsRead} returning id`,
      ),
    ]);
    evictApp(clientId);
    if (results.at(-1)?.length) {
      action.defer(wakeMail(env));
      return;
    }
  }
  throw new ConflictError();
}

/** Publishes a draft. An app in another state stays as it is. One batch. */
export async function publishApp(action: ActionContext, clientId: string): Promise<void> {
  const { directory, now } = action;
  const isDraft = sql`${managesApp(action, clientId)} and exists (select 1 from ${apps}
    where client_id = ${clientId} and state = 'draft')`;
  await directory.batch([
    auditStatement(directory, appLine(action, 'app.published', clientId), isDraft),
    rawDatabaseStatement(
      directory,
      sql`update ${apps} set state = 'published', updated_at = ${now}
        where client_id = ${clientId} and ${isDraft}`,
    ),
  ]);
  evictApp(clientId);
}

/**
 * Takes an app back to draft or disables it, as its partner: its grants end in every shard within a
 * minute. One that an operator disabled stays so.
 */
export async function withdrawOwnApp(
  action: ActionContext,
  clientId: string,
  state: 'disabled' | 'draft',
): Promise<void> {
  const { directory, env, now } = action;
  const where = managesApp(action, clientId);
  const isOther = sql`${where} and exists (select 1 from ${apps}
    where client_id = ${clientId} and state <> ${state} and disabled_reason is null)`;
  const name = state === 'disabled' ? 'app.disabled' : 'app.withdrawn';
  const audit = auditStatement(directory, appLine(action, name, clientId), isOther);
  await withdrawAppEverywhere(env, clientId, now, state, { audit, where });
}

/**
 * Whether an edit ends the proof of a domain: another name, another publisher, or a site on another
 * host. Merchants read these beside the mark, so the mark must not pass to others. A path of the
 * same host is what was proved. Help and privacy policy have no mark, and redirect URIs and scopes
 * are not who the publisher is.
 */
const endsProof = (before: App, after: AppValues): boolean =>
  before.verified_host !== null &&
  (before.name !== after.name ||
    before.publisher !== after.publisher ||
    after.site_url === null ||
    hostWithPort(new URL(after.site_url)) !== before.verified_host);

/** The fields that differ, with their values before and after. */
function changesOf(before: AppValues | undefined, after: AppValues): AuditChanges {
  const scopesOf = (values: AppValues | undefined) =>
    values ? [...scopesFromBits(values.scopes)] : null;
  const pairs: AuditChanges = {
    name: [before?.name ?? null, after.name],
    publisher: [before?.publisher ?? null, after.publisher],
    site_url: [before?.site_url ?? null, after.site_url],
    support: [before?.support ?? null, after.support],
    privacy_url: [before?.privacy_url ?? null, after.privacy_url],
    redirect_uris: [before?.redirect_uris ?? null, after.redirect_uris],
    scopes: [scopesOf(before), scopesOf(after)],
  };
  return Object.fromEntries(
    Object.entries(pairs).filter(([, [old, now]]) => JSON.stringify(old) !== JSON.stringify(now)),
  );
}
