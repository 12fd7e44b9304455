import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { accountPages } from '../../../src/pages/account/account-pages.ts';
import { operatorPages } from '../../../src/pages/operator/operator-pages.ts';
import { partnerPages } from '../../../src/pages/partners/partner-pages.ts';
import { linkForms, sessionForms } from '../../../src/web/sign-in/session-routes.ts';
import { countingDatabase, noCost, type StatementCost } from '../../support/api/measure.ts';
import { operations } from '../../support/api/operations.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createCompleteStore, pathWithIds } from '../../support/fixtures/complete-store.ts';
import { createTestApp } from '../../support/oauth/partner.ts';
import { shared } from '../../support/shared.ts';

const sharedStore = shared(async () => {
  const store = await createCompleteStore('loaded');
  await env.DIRECTORY.prepare('update users set super_user = 1 where id = ?')
    .bind(store.userId)
    .run();
  const { client_id } = await createTestApp({ ownerId: store.userId });
  return { ...store, clientId: client_id, browser: await new Browser().signIn(store.userId) };
});

/** What a read may note: a line of the log of requests. */
const noted = /^insert into "request_log"/;

function watched() {
  const statements: StatementCost[] = [];
  const watch = (database: D1Database) => countingDatabase(database, noCost(), statements);
  return {
    bindings: {
      DIRECTORY: watch(env.DIRECTORY),
      STORE_0: watch(env.STORE_0),
      STORE_1: watch(env.STORE_1),
    },
    written: () =>
      statements
        .filter(({ sql, rowsWritten }) => rowsWritten > 0 && !noted.test(sql))
        .map(({ sql }) => sql),
  };
}

describe('an address that others make a browser load', () => {
  it('attack: changes nothing as a page of a user, whatever its query says', async () => {
    const { alias, browser, clientId } = await sharedStore();
    const { bindings, written } = watched();
    browser.bindings = bindings;
    const query = 'decision=approve&confirm=yes&token=x&delete=1&_method=POST&state=approve';
    const pages = [
      ...accountPages,
      ...partnerPages,
      ...operatorPages,
      ...sessionForms,
      ...linkForms,
    ];
    const seen = new Set<number>();
    for (const { path } of pages) {
      const filled = path
        .replace(':alias', alias)
        .replace(':clientId', clientId)
        .replaceAll(/:\w+/g, '1');
      for (const method of ['GET', 'HEAD']) {
        const { status } = await browser.send(method, `${filled}?${query}`);
        seen.add(status);
        expect([method, filled, written()]).toEqual([method, filled, []]);
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining([200, 404]));
  });

  it('attack: changes nothing as an operation', async () => {
    const own = await sharedStore();
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const { bindings, written } = watched();
      const path = pathWithIds(operation, (kind) => own.ids[kind] ?? 1).replace(
        '{alias}',
        own.alias,
      );
      const address = operation.isStoreScoped ? `/v2/${own.alias}${path}` : `/v2${path}`;
      const request = new Request(`https://api.test${address}?_method=DELETE`, {
        headers: own.headers,
      });
      const context = createExecutionContext();
      const response = await createApp().fetch(request, { ...env, ...bindings }, context);
      await response.arrayBuffer();
      await waitOnExecutionContext(context);
      expect(response.status).toBeLessThan(500);
      expect([address, written()]).toEqual([address, []]);
    }
  });
});
