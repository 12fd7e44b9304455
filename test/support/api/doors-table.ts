import { Hono } from 'hono';
import { memberRoles } from '../../../src/base/roles.ts';
import { jobKinds } from '../../../src/data/schema/directory/operators-tables.ts';
import type { AppEnv } from '../../../src/http/app-env.ts';
import { mountOAuthRoutes } from '../../../src/oauth/oauth-routes.ts';
import { grantTypes } from '../../../src/oauth/server-metadata.ts';
import { sweepTasks } from '../../../src/ops/sweep-tasks.ts';
import { accountPages } from '../../../src/pages/account/account-pages.ts';
import { consentForm } from '../../../src/pages/consent/consent.tsx';
import { operatorPages } from '../../../src/pages/operator/operator-pages.ts';
import { partnerPages } from '../../../src/pages/partners/partner-pages.ts';
import { operationGroups } from '../../../src/routes/operations.ts';
import type { UserPage } from '../../../src/web/page.ts';
import { linkForms, sessionForms } from '../../../src/web/sign-in/session-routes.ts';
import { workAccess } from './work-access.ts';

const code = (text: string) => `\`${text}\``;

const list = (names: readonly string[]) => names.map(code).join(', ');

/** The names of the tasks of cron, from the text of `runDirectoryTasks`. */
const cronTasks = (source: string): string[] => {
  const [, body = ''] =
    /async function runDirectoryTasks[^]*?Promise\.all\(\[([^]*?)\]\)/.exec(source) ?? [];
  return Array.from(body.matchAll(/(\w+)\(env/g), ([, name = '']) => name);
};

/** The names of the work that no request waits for. */
export const workNames = (cronSource: string): Record<keyof typeof workAccess, string[]> => ({
  sweep: sweepTasks.flat().map(({ name }) => name),
  cron: cronTasks(cronSource),
  queue: Object.keys(workAccess.queue),
  job: [...jobKinds],
});

/** The routes that apps call. */
export const oauthRoutes = (): string[] => {
  const app = new Hono<AppEnv>();
  mountOAuthRoutes(app);
  return [...new Set(app.routes.filter(({ method }) => method === 'POST').map(({ path }) => path))];
};

const operations = operationGroups.flatMap((group) => group.operations);

/** The accesses of operations by what they ask, those of a store and others. */
function operationRows(): string[][] {
  const accesses = new Map<string, Set<string>>();
  for (const { access, isStoreScoped } of operations) {
    const [door, factor, membership] =
      access === 'operator'
        ? ['operations of operators', 'of the operator, where required', 'operators']
        : isStoreScoped
          ? ['operations of a store', '403 `second_factor_required`', roleOf(access)]
          : ['operations without a store', '–: nothing of a store', 'the user'];
    const key = [door, factor, membership].join('\n');
    accesses.set(key, (accesses.get(key) ?? new Set()).add(access));
  }
  return Array.from(accesses, ([key, names]) => {
    const [door = '', ...rules] = key.split('\n');
    return [door, `those with ${list([...names])}`, ...rules, 'of operations'];
  });
}

const roleOf = (access: string) => {
  if (access === 'signed-in') return 'any role';
  return access.endsWith('.write')
    ? 'owner, manager; apps of them'
    : 'any role; apps of owner and managers';
};

const paths = (pages: readonly Pick<UserPage, 'path'>[]) => list(pages.map(({ path }) => path));

/** The pages of stores by the role that opens them, and those of users, partners and operators. */
function pageRows(): string[][] {
  const own = [...accountPages, ...partnerPages];
  const ofStores = memberRoles.map((role) => [
    `pages of a store for: ${role}`,
    paths(own.filter((page) => page.role === role)),
    '403, or the question for a code',
    `${role}, and roles above`,
    'of forms',
  ]);
  const others = own.filter((page) => page.role === undefined);
  return [
    ...ofStores,
    ['other pages of users', paths(others), 'show no such store', 'the user', 'of forms'],
    [
      'pages of operators',
      paths(operatorPages),
      'of the operator, where required',
      'operators',
      'of forms',
    ],
    [
      'pages for everyone',
      paths([...sessionForms, ...linkForms]),
      '–: nothing of a store',
      '–',
      'of forms',
    ],
    ['consent', code(consentForm.path), 'offers no such store', 'owner, manager', 'of forms'],
  ];
}

const appRows = (): string[][] => [
  [
    'grant types of `/oauth/token`',
    list(grantTypes),
    'give tokens that open nothing',
    'end the grant of who left',
    '600 a minute of a grant',
  ],
  [
    'other routes of apps',
    list(oauthRoutes().filter((path) => path !== '/oauth/token')),
    '–: give nothing',
    '–',
    'of revocations and assistants',
  ],
  [
    'tools',
    '`/mcp`: those of all operations of a store',
    'as the operation',
    'as the operation',
    'as the operation',
  ],
];

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Tasks by what they ask. */
const workTable = (cronSource: string) => {
  const work = Object.entries(workNames(cronSource)).flatMap(([kind, names]) => {
    const texts = workAccess[kind as keyof typeof workAccess] as Record<string, string>;
    const byText = Map.groupBy(names, (name) => texts[name] ?? '?');
    return Array.from(byText, ([text, found]) => [text, `${kind}: ${list(found)}`] as const);
  });
  const rows = Map.groupBy(work, ([text]) => text);
  return table(
    ['Work', 'For whom, and what it asks'],
    Array.from(rows, ([text, found]) => [found.map(([, names]) => names).join('; '), text]),
  );
};

/** Renders the doors of the rules about a second factor, membership and limits, from the code. */
export const doorsTable = (cronSource: string): string =>
  [
    table(
      ['Door', 'Names', 'Second factor, where its store demands one', 'Membership', 'Limits'],
      [...operationRows(), ...appRows(), ...pageRows()],
    ),
    '### Work without a request',
    workTable(cronSource),
  ].join('\n\n');
