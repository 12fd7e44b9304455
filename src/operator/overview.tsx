import type { Context } from 'hono';
import { pathNumber } from '../codecs/fields/ids.ts';
import { openDatabase } from '../db/core/open.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { OverviewPage } from '../pages/operator/overview-page.tsx';
import { findServiceHealth } from '../platform/service-health.ts';
import { renderPage } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { buildOperatorProps } from './dashboard.ts';
import { operatorPaths } from './paths.ts';

/** `GET /operator`: how the service is, and what waits. */
export async function showOperatorOverview(c: Context<AppEnv>, context: PageContext) {
  const health = await findServiceHealth(c.env, openDatabase(c.env.DIRECTORY), context.now);
  const page = (
    <OverviewPage
      dashboard={buildOperatorProps(c, context, 'overview', operatorPaths.overview)}
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
      isDone={c.req.query('done') === 'done'}
    />
  );
  return renderPage(c, page);
}

/** The database of the path. Its number may be 0. */
export async function requireDatabase(c: Context<AppEnv>) {
  const { data: number } = pathNumber.safeParse(c.req.param('number'));
  if (number === undefined) throw notFound();
  const row = await c.env.DIRECTORY.prepare('select number from shards where number = ?')
    .bind(number)
    .first();
  if (!row) throw notFound();
  return { id: number, name: String(number), back: operatorPaths.overview };
}
