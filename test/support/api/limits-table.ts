import { invitationLifetimeMs } from '../../../src/accounts/members/invite.ts';
import { linkLifetimes, linkMails } from '../../../src/accounts/sign-in/one-use-links.ts';
import { maxActiveGrants } from '../../../src/base/auth-lifetimes.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/base/durations.ts';
import { invitationPath, linkPagePaths, unsubscribePath } from '../../../src/base/page-paths.ts';
import {
  defaultStoreLimits,
  defaultUnusedRegistrations,
  deployedLimits,
} from '../../../src/base/settings.ts';
import { maxItems } from '../../../src/catalog/bulk/requests.ts';
import { maxSkusPerProduct } from '../../../src/catalog/skus/requests.ts';
import { tableLimits } from '../../../src/catalog/transfers/csv.ts';
import { maxFile } from '../../../src/catalog/transfers/start-transfer.ts';
import { maxOpenTransfers } from '../../../src/catalog/transfers/transfer-job.ts';
import { places } from '../../../src/catalog/transfers/waiting-table.ts';
import { unusedKeptMs, unusedOfNetwork } from '../../../src/data/directory/agents.ts';
import { maxApiKeys } from '../../../src/data/directory/api-keys.ts';
import {
  attemptLimits,
  attemptWaits,
  attemptWindows,
  networksInWide,
} from '../../../src/data/directory/attempt-counters.ts';
import { maxOpenInvitations } from '../../../src/data/directory/invitations.ts';
import { limitOf } from '../../../src/http/operation-limits.ts';
import { mailLimits, type MailKind, type MailLimit } from '../../../src/mail/kinds.ts';
import { mailsPerHour } from '../../../src/mail/outbox.ts';
import { unsubscribeMs } from '../../../src/mail/unsubscribe.ts';
import { accountPages } from '../../../src/pages/account/account-pages.ts';
import { consentForm } from '../../../src/pages/consent/consent.tsx';
import { operatorPages } from '../../../src/pages/operator/operator-pages.ts';
import { partnerPages } from '../../../src/pages/partners/partner-pages.ts';
import { operationGroups } from '../../../src/routes/operations.ts';
import { maxInvoices } from '../../../src/sales/invoices/issue-invoice.ts';
import { maxTransactions } from '../../../src/sales/transactions/add.ts';
import { maxTestStores, storePeriodMs } from '../../../src/stores/insert-store.ts';
import { type FormLimit, formLimits, newForMs } from '../../../src/web/forms/form-limits.ts';
import type { PublicFormLimits } from '../../../src/web/forms/form.tsx';
import type { UserPage } from '../../../src/web/page.ts';
import { linkForms, sessionForms } from '../../../src/web/sign-in/session-routes.ts';
import { maxEndpoints } from '../../../src/webhooks/endpoints/create-endpoint.ts';
import { formAccess } from './form-access.ts';

/** A form, who sends it, and the limits that it can have. */
interface ListedForm extends PublicFormLimits {
  sender: string;
}

const publicForms: readonly PublicFormLimits[] = [...sessionForms, ...linkForms, consentForm];

const senderOf = ({ isForOperators, submitRole, path }: UserPage): string =>
  isForOperators ? 'operator' : (submitRole ?? (path.startsWith('/partners') ? 'partner' : 'user'));

/** Every form of the pages. */
export const listedForms: readonly ListedForm[] = [
  ...publicForms.map(({ path, limits }) => ({ path, limits, sender: 'everyone' })),
  ...[...accountPages, ...partnerPages, ...operatorPages].flatMap((page) =>
    page.limits ? [{ path: page.path, limits: page.limits, sender: senderOf(page) }] : [],
  ),
];

const [perUser, perNetwork] = [deployedLimits.ME_PER_MINUTE, deployedLimits.PAGES_PER_MINUTE];

const duration = (ms: number): string => {
  const [count, unit] =
    ms >= dayMs
      ? [ms / dayMs, 'day']
      : ms >= hourMs
        ? [ms / hourMs, 'hour']
        : [ms / minuteMs, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

const network = ({ max }: { max: number }) =>
  `${max} of a network, ${max * networksInWide} of a /48`;

const { source, account, network: failures, code: ofCode, codes, hash, ...limits } = attemptLimits;

const waits = `within ${duration(attemptWindows.hour)}, then waits that double from ${attemptWaits.firstMs / 1000} seconds to ${duration(attemptWaits.longestMs)}`;

const hashes = `${hash.max} hashes of an account, ${network(limits.hashNetwork)} within a minute`;

const mails = `${limits.mail.max} to an address, ${network(limits.mailNetwork)}, ${limits.mailsOf.max} of a user ${waits}; ${limits.firstMailsOf.max} a day of a user in the first ${duration(newForMs)}, operators excepted`;

const formTexts: Readonly<Record<FormLimit, string>> = {
  pages: 'nothing further',
  attempts: `failures: ${source.max} of an account from a network or by a browser that it knows, ${account.max} of an account, ${network(failures)}, ${ofCode.max} codes of a user from a network, by a known browser or in a session, ${codes.max} of a user by unknown browsers and as many by known browsers and sessions that have shown no code ${waits}; ${hashes}`,
  passwords: hashes,
  mails,
  invitations: 'the same counters as `mails`',
  keys: 'nothing further',
  approve: 'nothing further',
  webhooks: 'nothing further',
};

const mailTexts: Readonly<Record<MailLimit, string>> = {
  request: 'forms with the limits `mails` and `invitations`; forms and operations of operators',
  account: 'one for each use of a form or link by its reader, or change by an operator',
  store: 'one for each use of a form or operation, or for each change by an app',
  service: 'one for each time that the service finds or finishes something',
};

const code = (text: string) => `\`${text}\``;

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The names of the kinds of each limit. */
const kindsOf = (limit: MailLimit) =>
  Object.entries(mailLimits)
    .filter(([, own]) => own === limit)
    .map(([kind]) => code(kind))
    .join(', ');

const mailTable = () =>
  table(
    ['Limit of mails', 'How many', 'Kinds'],
    Object.entries(mailTexts).map(([limit, text]) => [
      code(limit),
      text,
      kindsOf(limit as MailLimit),
    ]),
  );

const linkRow = (path: string, lifetimeMs: number, mail: MailKind) => [
  code(path),
  `once, for ${duration(lifetimeMs)}`,
  `that of ${code(mail)} (${code(mailLimits[mail])})`,
  limitsOfForm(path),
];

const limitsOfForm = (path: string) => {
  const form = publicForms.find((known) => known.path === path);
  if (!form) throw new Error(`The link ${path} has no form.`);
  return form.limits.map(code).join(', ');
};

const linkTable = () =>
  table(
    ['Link', 'Works', 'Limit of its mails', 'Limit of its form'],
    [
      ...Object.entries(linkPagePaths).map(([kind, path]) => {
        const own = kind as keyof typeof linkPagePaths;
        return linkRow(path, linkLifetimes[own], linkMails[own]);
      }),
      linkRow(invitationPath(':token'), invitationLifetimeMs, 'invitation'),
      [
        code(unsubscribePath),
        `any number of times, for ${duration(unsubscribeMs)}`,
        'that of each optional mail',
        limitsOfForm(unsubscribePath),
      ],
    ],
  );

const formLimitTable = () =>
  table(
    [
      'Limit of forms',
      'Counts',
      `Besides ${perUser} a minute of a user and ${perNetwork} of a network`,
    ],
    Object.entries(formTexts).map(([limit, text]) => [
      code(limit),
      formLimits[limit as FormLimit] === 'every' ? 'every form' : 'forms without an error',
      text,
    ]),
  );

/** Whether a form gives access or ends it, and the proof that it needs. */
function accessOf(path: string): [access: string, proof: string] {
  const { gives, ends, proves, own } = formAccess as Record<string, Record<string, string>>;
  if (gives?.[path])
    return [gives[path].startsWith('or ends') ? 'gives or ends' : 'gives', 'asked for'];
  if (ends?.[path]) return ['ends', 'asked for'];
  if (proves?.[path]) return ['–', `${proves[path]}, in the form`];
  if (own?.[path]) return ['ends', 'none: it can only make safer'];
  return ['–', '–'];
}

/** A row for all forms that have the same cells, which begins with the forms. */
const groupRows = (forms: readonly (readonly [form: string, cells: readonly string[]])[]) => {
  const rows = new Map<string, string[]>();
  for (const [form, cells] of forms) {
    const key = cells.join('\n');
    rows.set(key, [...(rows.get(key) ?? []), code(form)]);
  }
  return Array.from(rows, ([key, names]) => [names.join(', '), ...key.split('\n')]);
};

const formTable = () =>
  table(
    ['Forms', 'Sent by', 'Limit', 'Access', 'Proof'],
    groupRows(
      listedForms.map(({ path, sender, limits }) => [
        path,
        [sender, limits.map(code).join(' or '), ...accessOf(path)],
      ]),
    ),
  );

const countedTexts = {
  store: `${deployedLimits.API_PER_MINUTE} of a credential in a store and tag, ${deployedLimits.STORE_PER_MINUTE} of a store`,
  credential: `${perUser} of a credential in a tag`,
} as const;

const operationTable = () =>
  table(
    ['Operations', 'Requests a minute', 'Each counts as'],
    groupRows(
      operationGroups.flatMap(({ operations }) =>
        operations.map((operation) => {
          const { countedBy, weight, searchWeight } = limitOf(operation);
          const counts = `${weight}${searchWeight === weight ? '' : `, with \`search\` ${searchWeight}`}`;
          return [operation.id, [countedTexts[countedBy], counts]] as const;
        }),
      ),
    ),
  );

/** The records of which there may be so many, and the file that has the number. */
const recordRows: readonly (readonly [what: string, count: number, where: string])[] = [
  [
    'stores that a user owns, who makes another (`STORES_PER_USER`); operators have no limit',
    defaultStoreLimits.perUser,
    'base/settings.ts',
  ],
  [
    `stores that a user makes within ${duration(storePeriodMs)} (\`STORES_PER_DAY\`); operators have no limit`,
    defaultStoreLimits.perDay,
    'stores/insert-store.ts',
  ],
  ['test stores of a partner; operators have no limit', maxTestStores, 'stores/insert-store.ts'],
  ['API keys of a user, revoked ones not counted', maxApiKeys, 'data/directory/api-keys.ts'],
  ['webhooks of a store', maxEndpoints, 'webhooks/endpoints/create-endpoint.ts'],
  [
    'open invitations of a store, or of the team of a partner',
    maxOpenInvitations,
    'data/directory/invitations.ts',
  ],
  [
    'unfinished imports of a store, and as many exports',
    maxOpenTransfers,
    'catalog/transfers/transfer-job.ts',
  ],
  ['lines of an import', maxFile.lines, 'catalog/transfers/start-transfer.ts'],
  ['rows of a table that is uploaded by page', tableLimits.rows, 'catalog/transfers/csv.ts'],
  [
    'uploaded tables of a store that wait for their import, each for a day',
    places.length,
    'catalog/transfers/waiting-table.ts',
  ],
  ['items of a bulk change', maxItems, 'catalog/bulk/requests.ts'],
  ['SKUs of a product', maxSkusPerProduct, 'catalog/skus/requests.ts'],
  ['transactions of an order', maxTransactions, 'sales/transactions/add.ts'],
  ['invoices of an order', maxInvoices, 'sales/invoices/issue-invoice.ts'],
];

const recordTable = () =>
  table(
    ['Records', 'At most', 'Where'],
    recordRows.map(([what, count, where]) => [what, count.toLocaleString('en'), code(where)]),
  );

const agentTable = () =>
  table(
    ['Assistants', 'How many', 'Refusal'],
    [
      [
        'that register themselves (`/oauth/register`)',
        `${deployedLimits.REGISTRATIONS_PER_MINUTE} a minute of a network (\`REGISTRATIONS_PER_MINUTE\`)`,
        '429',
      ],
      [
        'that registered and wait for their first consent',
        `${unusedOfNetwork} of a network, ${defaultUnusedRegistrations} in the whole service (\`UNUSED_REGISTRATIONS\`), each for ${duration(unusedKeptMs)}`,
        'the oldest gives way, in all that of the network with the most',
      ],
      [
        'with the address of a document',
        'stored with their first consent only; each reading of one counts as a registration of the network',
        `429; a consent has the limit of its form, ${limitsOfForm(consentForm.path)}`,
      ],
      [
        'connected to a store by one person',
        `${maxActiveGrants} grants of one assistant`,
        'the consent page says so, 409',
      ],
    ],
  );

/** The files of `src` that have the numbers of the lists. */
const sources = [
  'base/settings.ts',
  'base/auth-lifetimes.ts',
  'mail/kinds.ts',
  'mail/outbox.ts',
  'accounts/sign-in/one-use-links.ts',
  'accounts/members/invite.ts',
  'web/forms/form-limits.ts',
  'data/directory/attempt-counters.ts',
  'data/directory/agents.ts',
  'http/operation-limits.ts',
];

/**
 * Renders the lists of all mails, links, forms, records and operations with their limits, from the
 * code.
 */
export const limitsTable = (): string =>
  [
    `The numbers are in ${sources.map(code).join(', ')}.`,
    '### Mails',
    `An address gets ${mailsPerHour} mails of a kind in an hour; the others wait.`,
    mailTable(),
    '### Links of mails',
    linkTable(),
    '### Forms',
    formLimitTable(),
    'A test sends each form that gives access or ends it without [the proof](../../web/sign-in/README.md#the-proof).',
    formTable(),
    '### Records',
    recordTable(),
    '### Assistants',
    agentTable(),
    '### Operations',
    operationTable(),
  ].join('\n\n');
