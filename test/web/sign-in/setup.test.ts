import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSessionStatements } from '../../../src/accounts/sign-in/session-actions.ts';
import { switchSecondFactorOn } from '../../../src/accounts/sign-in/switch.ts';
import { makeTotpSecret } from '../../../src/accounts/sign-in/totp.ts';
import { prepareCodeUse } from '../../../src/accounts/sign-in/use-code.ts';
import { makeFirstOperator } from '../../../src/accounts/users/first-operator.ts';
import { runScheduledTasks } from '../../../src/app/cron.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { resealDirectory } from '../../../src/ops/reseal-secrets.ts';
import { actionOf } from '../../support/action.ts';
import { countingDatabase, noCost, type StatementCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { codeOf } from '../../support/second-factor.ts';

const setupToken = 'a-token-of-at-least-thirty-two-characters';
const link = `/setup?token=${setupToken}`;
const directory = env.EMPTY_DIRECTORY;

beforeAll(() => applyD1Migrations(directory, env.DIRECTORY_MIGRATIONS));

beforeEach(async () => {
  const tables = ['sessions', 'passwords', 'second_factors', 'sign_in_countries', 'users'];
  await directory.batch(tables.map((table) => directory.prepare(`delete from ${table}`)));
});

/** A browser of a deployment without users. */
function browserOfNewDeployment(more: Record<string, string> = {}) {
  const browser = new Browser();
  browser.bindings = {
    DIRECTORY: directory,
    SETUP_TOKEN: setupToken,
    ...more,
  } as unknown as Partial<Env>;
  return browser;
}

const fields = {
  name: 'Olga',
  email: 'olga@setup.test',
  password: 'four words of mine',
  repeated: 'four words of mine',
};

const operators = async () =>
  (await directory.prepare('select * from users where super_user = 1').all()).results;

describe('/setup', () => {
  it('creates the first operator, signs them in, leads to two-step sign-in, and is 404 for ever after', async () => {
    const browser = browserOfNewDeployment();
    const page = await browser.get(link);
    expect(page.status).toBe(200);
    const hidden = hiddenFieldsOf(page, '/setup');
    expect(JSON.stringify(hidden)).not.toContain(setupToken);
    const missing = await browser.post('/setup', { ...hidden, ...fields, email: 'olga' });
    expect(missing.status).toBe(422);
    expect(missing.text).toContain('Enter an e-mail address such as');
    const second = browserOfNewDeployment();
    const late = hiddenFieldsOf(await second.get(link), '/setup');
    const done = await browser.post('/setup', { ...hidden, ...fields });
    expect([done.status, done.location]).toEqual([303, '/account/security/second-factor']);
    expect(await operators()).toMatchObject([{ email: fields.email, name: 'Olga', active: 1 }]);
    const next = await browser.get(done.location ?? '');
    expect(next.text).toContain('Set up two-step sign-in');
    const line = await directory
      .prepare("select * from audit where action = 'user.made_operator'")
      .first();
    expect(line).toMatchObject({ by_operator: 1, actor_name: 'Olga' });

    expect((await browserOfNewDeployment().get(link)).status).toBe(404);
    expect((await browser.get(link)).status).toBe(404);
    expect(
      (await second.post('/setup', { ...late, ...fields, email: 'b@setup.test' })).status,
    ).toBe(404);
    expect(await operators()).toHaveLength(1);
  });

  it.each([
    ['/setup'],
    ['/setup?token='],
    ['/setup?token=wrong'],
    [`${link}x`],
    [link.slice(0, -1)],
  ])('attack: is 404 for %s', async (path) => {
    const page = await browserOfNewDeployment().get(path);
    expect(page.status).toBe(404);
    expect(page.html).not.toContain('form_token');
  });

  it('attack: is 404 where no token is set, also for an empty one, and 403 for a form without its own token', async () => {
    const { SETUP_TOKEN: _token, ...others } = browserOfNewDeployment().bindings as Record<
      string,
      unknown
    >;
    const browser = new Browser();
    browser.bindings = others;
    for (const path of [link, '/setup?token=', '/setup']) {
      expect((await browser.get(path)).status).toBe(404);
    }
    const forged = browserOfNewDeployment();
    await forged.get('/session');
    expect((await forged.post('/setup', { ...fields, token: setupToken })).status).toBe(403);
    expect(await operators()).toEqual([]);
  });

  it('attack: of five parallel uses one creates an operator, and a taken address creates none', async () => {
    const action = { ...actionOf(0), directory: openDatabase(directory) };
    const make = (email: string) => {
      const user = {
        name: email,
        email,
        passwordHash: crypto.randomUUID(),
        language: 'en',
      } as const;
      const session = {
        formerIdHash: '',
        expiresAt: 1,
        factorAt: null,
        device: '',
        language: 'en',
      } as const;
      return makeFirstOperator(action, user, (userId, where) =>
        startSessionStatements(action, { ...session, idHash: email, userId }, where),
      );
    };
    await directory
      .prepare(
        "insert into users (email, name, created_at, updated_at) values ('Ana@setup.test', 'Ana', 0, 0)",
      )
      .run();
    expect(await make('ana@setup.test')).toBe('taken');
    expect(await operators()).toEqual([]);
    const results = await Promise.all([0, 1, 2, 3, 4].map((index) => make(`o${index}@setup.test`)));
    expect(results.toSorted()).toEqual(['late', 'late', 'late', 'late', 'made']);
    expect(await operators()).toHaveLength(1);
    const users = await directory.prepare('select count(*) as n from users').first('n');
    expect(users).toBe(2);
  });
});

describe('resealDirectory', () => {
  it('seals the secrets again under the new key, which then opens them alone, and reads no further rows', async () => {
    const now = Date.now();
    const userId = 1;
    await directory
      .prepare(
        "insert into users (id, email, name, created_at, updated_at) values (1, 'a@b.test', 'A', 0, 0)",
      )
      .run();
    const secret = makeTotpSecret();
    const action = { ...actionOf(userId, now), directory: openDatabase(directory) };
    const code = codeOf(secret, now);
    await switchSecondFactorOn(action, { userId, secret, code, idHash: '' });
    const rotated = {
      ...env,
      DIRECTORY: directory,
      SEALING_KEY: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))),
      SEALING_KEY_PREVIOUS: env.SEALING_KEY,
    } as Env;
    await runScheduledTasks(rotated, Date.UTC(1985, 0, 1));
    const stored = await directory
      .prepare('select secret from second_factors')
      .first<string>('secret');
    const { current } = settingsOf(rotated).sealingKeys;
    const settings = { ...action.settings, sealingKeys: { current, previous: undefined } };
    const factor = { userId, secret: stored ?? '' };
    expect(await prepareCodeUse({ ...action, settings }, factor, code)).toBeDefined();
    const cost = noCost();
    const statements: StatementCost[] = [];
    await resealDirectory({ ...rotated, DIRECTORY: countingDatabase(directory, cost, statements) });
    expect(cost.roundTrips).toBe(1);
    const factors = statements.find(({ sql }) => sql.includes('second_factors'));
    expect(factors?.rowsRead).toBeLessThanOrEqual(2);
    expect(await directory.prepare('select secret from second_factors').first('secret')).toBe(
      stored,
    );
  });
});
