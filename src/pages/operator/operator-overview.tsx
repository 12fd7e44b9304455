import { pathNumber } from '../../base/codecs/fields/ids.ts';
import { notFound } from '../../base/errors.ts';
import { findServiceHealth } from '../../platform/service-health.ts';
import type { SignedInPage } from '../../web/page.ts';
import { operatorPaths } from '../../web/paths.ts';
import { OverviewPage } from './overview-page.tsx';

/** `GET /operator`: the health of the service, and the waiting work. */
export async function showOperatorOverview(page: SignedInPage) {
  const health = await findServiceHealth(page.env, page.directory, page.now);
  return (
    <OverviewPage
      dashboard={page.dashboard('operator/overview')}
      version={health.version}
      findings={health.findings}
      mails={health.mail.waiting}
      jobs={health.jobs.open}
      databases={health.shards.map(({ shard, open, ...database }) => ({
        ...database,
        number: shard,
        isOpen: open,
        drainHref:
          database.state === 'ok' && database.stores > 0 ? operatorPaths.drain(shard) : undefined,
      }))}
      isDone={page.query('done') === 'done'}
    />
  );
}

/** The database of the path. Its number may be 0. */
export async function requireDatabase(page: SignedInPage) {
  const { data: number } = pathNumber.safeParse(page.param('number'));
  if (number === undefined) throw notFound();
  const row = await page.env.DIRECTORY.prepare('select number from shards where number = ?')
    .bind(number)
    .first();
  if (!row) throw notFound();
  return { name: String(number) };
}
