import { globSync, readFileSync } from 'node:fs';
import { endsOfTrust } from '../../../src/accounts/end-trust.ts';

/** A declaration at the top of a file, without comments. */
interface Declared {
  file: string;
  name: string;
  isExported: boolean;
  text: string;
}

/** What an action leaves: lines of the audit, mails, and rows of the table of trust. */
export interface ListedAction {
  name: string;
  file: string;
  lines: readonly string[];
  mails: readonly string[];
  ends: readonly string[];
}

const sources = new Map(
  globSync('src/**/*.{ts,tsx}')
    .toSorted()
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      return [
        file.replaceAll('\\', '/'),
        text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''),
      ] as const;
    }),
);

/**
 * Whether a file has actions on users, members, apps or stores. The long work on a store
 * (`stores/move` and so on) has jobs.
 */
const isOfActions = (file: string) =>
  /^src\/(?:accounts\/|stores\/(?:test-stores\/)?[\w-]+\.ts$)/.test(file);

/**
 * The code that an action runs before its batch is whole. The table of trust, and what reads the
 * audit, write no line.
 */
const isRead = (file: string) =>
  (isOfActions(file) || /^src\/data\/(directory|grants|audit)\//.test(file)) &&
  !/\/(end-trust|given-since|done-since)\.ts$/.test(file);

function declaredIn(file: string, text: string): Declared[] {
  const starts = [
    ...text.matchAll(
      /^(export )?(?:async )?(?:function\*? (\w+)|const (\w+)|(?:interface|type|class) (\w+))/gm,
    ),
  ];
  return starts.map((start, index) => ({
    file,
    name: start[2] ?? start[3] ?? start[4] ?? '',
    isExported: start[1] !== undefined,
    text: text.slice(start.index, starts[index + 1]?.index),
  }));
}

const declared = [...sources].flatMap(([file, text]) =>
  isRead(file) ? declaredIn(file, text) : [],
);

/** Names of a file, and those of other files that it may import. */
const own = new Map(declared.map((one) => [`${one.file} ${one.name}`, one]));
const exported = new Map(
  declared.flatMap((one) => (one.isExported ? [[one.name, one] as const] : [])),
);

const imports = (text: string, name: string) =>
  new RegExp(`^import[^;]*\\b${name}\\b`, 'm').test(text);

/** A declaration with all that it calls. */
function withCalled(one: Declared, found = new Set<Declared>()): Set<Declared> {
  if (found.has(one)) return found;
  found.add(one);
  for (const [name] of one.text.matchAll(/\b\w+\b/g)) {
    const other = own.get(`${one.file} ${name}`);
    const called =
      other ?? (imports(sources.get(one.file) ?? '', name) ? exported.get(name) : undefined);
    if (called) withCalled(called, found);
  }
  return found;
}

const others = (action: Declared) =>
  [...sources].filter(([file]) => topFolder(file) !== topFolder(action.file));

const topFolder = (file: string) => file.split('/')[1];

const found = (text: string, pattern: RegExp) =>
  [...new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name))].sort();

/** Every action that another folder calls, in the order of files. */
export function listActions(): ListedAction[] {
  const actions = declared.filter(
    (action) =>
      action.isExported &&
      isOfActions(action.file) &&
      action.text.includes('ActionContext') &&
      others(action).some(([, other]) => imports(other, action.name)),
  );
  return actions.flatMap((action) => {
    const called = [...withCalled(action)];
    const asksForJob = called.some(({ file }) => file.endsWith('/request-job.ts'));
    const text = called
      .filter(({ file }) => !file.endsWith('/request-job.ts'))
      .map((one) => one.text)
      .join('\n');
    if (!/\.batch\(|insert into|update \$\{|delete from|\.(?:insert|update|delete)\(/.test(text))
      return [];
    const lines = found(
      text,
      /(?<!action = |in \()['`]((?:store|member|api_key|app|partner|user|invitation|job|host|shard)\.[a-z_]+)/g,
    );
    return [
      {
        name: action.name,
        file: action.file.replace(/^src\/(?:accounts\/)?/, ''),
        lines: [...lines, ...(asksForJob ? ['that of the job'] : [])],
        mails: found(text, /prepareMail\([^]*?kind: '(\w+)'/g),
        ends: found(text, /endTrust\(\s*\w+,\s*'(\w+)'/g).filter((name) => name in endsOfTrust),
      },
    ];
  });
}

/** What has no line of the audit, and why. An action that is not here has one. */
export const withoutLine: Readonly<Record<string, string>> = {
  loadTeam: 'reads',
  countOpenDoors: 'reads',
  lacksOperator: 'reads',
  proveSession: 'a proof changes nothing but the session',
  touchDeviceStatement: 'a part of a sign-in',
  startSessionStatements: 'a sign-in, which the list of sessions shows',
  requestPasswordReset: 'changes nothing until its link is used',
  requestSignUp: 'changes nothing until its link is used',
};

/**
 * What sends no mail, by the reason. An action that is not here sends one, and so does one without
 * a line.
 */
const silentBy: Readonly<Record<string, readonly string[]>> = {
  'the activity of the team has it': [
    'setLogo',
    'removeLogo',
    'removeAppWebhook',
    'registerApp',
    'publishApp',
    'withdrawOwnApp',
    'verifyPublisher',
    'removeFromTeam',
    'resetTestStore',
    'deleteTestStore',
  ],
  'the activity of the store has it': [
    'revokeInvitation',
    'editStore',
    'requireSecondFactor',
    'renameAlias',
    'setStoreLimits',
  ],
  'the activity of the operators has it': ['blockHost', 'unblockHost', 'revokeOperator'],
  'opens nothing until the partner publishes it': ['enableApp'],
  'closes a door of the one who does it': [
    'forgetDevice',
    'endOwnSessions',
    'cancelEmailChange',
    'keepSecondFactor',
  ],
  'changes nothing of access': ['changeProfile', 'muteMail', 'changeMailPreferences'],
  'nothing happens until the waiting time is over, or another operator confirms it': [
    'requestErasure',
  ],
  'the user reads it at the next sign-in': ['endSessions', 'reactivateUser'],
  'the address is erased, too': ['eraseUser'],
};

export const withoutMail: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(silentBy).flatMap(([reason, names]) => names.map((name) => [name, reason])),
);

/** Names of code in backticks, beside reasons in words. */
const cell = (names: readonly string[]) =>
  [...new Set(names)]
    .map((text) => (/^[a-z_.]+$/.test(text) ? `\`${text.replace(/_$/, '_…')}\`` : text))
    .join(', ') || '–';

/**
 * Renders the list of actions: a row for those of a folder that send the same mails and end the
 * same.
 */
export const actionTable = (): string => {
  const rows = Map.groupBy(listActions(), ({ name, file, lines, mails, ends }) =>
    [
      file.split('/', 1)[0],
      cell(mails.length > 0 || lines.length === 0 ? mails : [`–: ${withoutMail[name] ?? ''}`]),
      cell(ends),
    ].join(' | '),
  );
  return [
    '| Actions | Lines of the audit | Folder | Mails | Ends of trust |',
    '| --- | --- | --- | --- | --- |',
    ...Array.from(rows, ([key, actions]) => {
      const names = actions.map(({ name }) => `\`${name}\``).join(', ');
      const lines = actions.flatMap((one) =>
        one.lines.length > 0 ? one.lines : [`–: ${withoutLine[one.name] ?? ''}`],
      );
      return `| ${names} | ${cell(lines)} | ${key} |`;
    }),
  ].join('\n');
};
