import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { linkPagePaths } from '../../src/base/page-paths.ts';
import { linkKinds } from '../../src/data/schema/directory/credentials-tables.ts';
import accessReadme from '../../src/http/access/README.md?raw';
import { mailLimits } from '../../src/mail/kinds.ts';
import { mailForms } from '../../src/mail/render.tsx';
import { browserRoutes } from '../../src/pages/browser-routes.ts';
import { formLimits } from '../../src/web/forms/form-limits.ts';
import { doorsTable, oauthRoutes, workNames } from '../support/api/doors-table.ts';
import { limitsTable, listedForms } from '../support/api/limits-table.ts';
import { fakeLimiter, limitBindings, newAddress } from '../support/api/limits.ts';
import { operations } from '../support/api/operations.ts';
import { workAccess } from '../support/api/work-access.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';

const list = limitsTable();

const { '../../src/app/cron.ts': cron = '' } = import.meta.glob<string>(['../../src/app/cron.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

describe('the README of src/http/access', () => {
  it('has the limits of all mails, links, forms, records and operations, as `npm run limits` writes them', () => {
    expect(
      accessReadme.includes(list),
      'the lists in src/http/access/README.md are old: run `npm run limits`',
    ).toBe(true);
  });

  it('has the doors of the rules, as `npm run limits` writes them', () => {
    expect(
      accessReadme.includes(doorsTable(cron)),
      'the doors in src/http/access/README.md are old: run `npm run limits`',
    ).toBe(true);
  });

  it('names files that exist', () => {
    const files = Object.keys(import.meta.glob(['../../src/**/*.{ts,tsx}']));
    const named = [...list.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, file]) => `../../src/${file}`);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((file) => !files.includes(file))).toEqual([]);
  });
});

describe('a door', () => {
  it('is one of the lists for every route of browsers and of apps', () => {
    const listed = new Set(
      [...doorsTable(cron).matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => path),
    );
    // Without a session: logos of apps, and the home page.
    const others = new Set(['/', '/logos/:clientId/:file']);
    const routes = browserRoutes().routes.filter(({ method }) => ['GET', 'POST'].includes(method));
    const unlisted = routes.map(({ path }) => path).filter((path) => !others.has(path));
    expect([...new Set(unlisted)].filter((path) => !listed.has(path))).toEqual([]);
    expect(oauthRoutes().filter((path) => path !== '/oauth/token' && !listed.has(path))).toEqual(
      [],
    );
  });

  it('says for each task without a request for whom it works', () => {
    for (const [kind, names] of Object.entries(workNames(cron))) {
      expect(names.length, kind).toBeGreaterThan(4);
      expect(names.toSorted(), kind).toEqual(
        Object.keys(workAccess[kind as keyof typeof workAccess]).sort(),
      );
    }
  });
});

describe('a limit', () => {
  it('is declared and listed for every kind of mail', () => {
    expect(Object.keys(mailLimits).sort()).toEqual(Object.keys(mailForms).sort());
    for (const kind of Object.keys(mailForms)) expect(list).toContain(`\`${kind}\``);
  });

  it('is declared and listed for every kind of link', () => {
    for (const kind of linkKinds) {
      const row = list
        .split('\n')
        .find((line) => line.startsWith(`| \`${linkPagePaths[kind]}\` |`));
      expect(row, kind).toMatch(/\| once, for \d+ \w+ \| that of `\w+` \(`\w+`\) \| `\w+` \|/);
    }
  });

  it('is declared and listed for every form that a browser can send', () => {
    const sent = browserRoutes().routes.flatMap(({ method, path }) =>
      method === 'POST' ? [path] : [],
    );
    expect(sent.length).toBeGreaterThan(80);
    expect([...new Set(sent)].sort()).toEqual(listedForms.map(({ path }) => path).sort());
    for (const { path, limits } of listedForms) {
      expect(limits.length, path).toBeGreaterThan(0);
      for (const limit of limits) expect(formLimits, path).toHaveProperty(limit);
    }
  });

  it('holds for every route of browsers: 429 from a limiter that refuses', async () => {
    const bindings = limitBindings({ PAGES_LIMIT: fakeLimiter(false), PAGES_PER_MINUTE: '1' });
    const routes = browserRoutes().routes.filter(({ method }) => ['GET', 'POST'].includes(method));
    const address = newAddress();
    const app = createApp();
    const admitted: string[] = [];
    for (const { method, path } of routes) {
      const context = createExecutionContext();
      const response = await app.fetch(
        new Request(`https://api.test${path.replaceAll(/:\w+/g, '1')}`, {
          method,
          headers: { 'CF-Connecting-IP': address, Origin: 'https://api.test' },
          ...(method === 'POST' && { body: new URLSearchParams() }),
        }),
        { ...env, ...bindings },
        context,
      );
      await waitOnExecutionContext(context);
      if (response.status !== 429) admitted.push(`${method} ${path}: ${response.status}`);
    }
    expect(admitted).toEqual([]);
  });

  it('holds for every operation: 429 from a limiter that refuses', async () => {
    const app = createApp();
    const [store, operator] = [await createTestStore(), await createTestOperator()];
    const refusing = fakeLimiter(false);
    const bindings = limitBindings({
      API_LIMIT: refusing,
      ME_LIMIT: refusing,
      API_PER_MINUTE: '1',
      ME_PER_MINUTE: '1',
    });
    const admitted: string[] = [];
    for (const { id, method, path, access } of operations) {
      const concrete = path.replace('{alias}', store.alias).replaceAll(/\{\w+\}/g, '1');
      const { headers } = access === 'operator' ? operator : store;
      const context = createExecutionContext();
      const response = await app.fetch(
        new Request(`https://api.test/v2${concrete}`, { method, headers }),
        { ...env, ...bindings },
        context,
      );
      await waitOnExecutionContext(context);
      if (response.status !== 429) admitted.push(`${id}: ${response.status}`);
    }
    expect(admitted).toEqual([]);
    expect(operations.length).toBeGreaterThan(150);
  });
});
