import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../base/codecs/fields/date-time.ts';
import { idOutput } from '../base/codecs/fields/ids.ts';
import { int, boolOutput } from '../base/codecs/fields/scalars.ts';
import { email, host } from '../base/codecs/fields/string-formats.ts';
import { choice, code, line, verbatimText } from '../base/codecs/fields/text.ts';
import { explainEnum, explain, explainBody } from '../base/codecs/meaning.ts';
import { requestBodies } from '../base/codecs/request-bodies.ts';
import { equalInConstantTime } from '../base/crypto/digest.ts';
import type { KeyRing } from '../base/crypto/keys.ts';
import { seal, unseal } from '../base/crypto/seal.ts';
import { storeAuditStatement } from '../data/audit/audit-lines.ts';
import { changedFields } from '../data/audit/changes.ts';
import { retryOnConflict } from '../data/core/retry-contention.ts';
import { lastResult } from '../data/core/statement.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import { emailConfigurations } from '../data/schema/store/settings-tables.ts';
import { explainOperations, operation } from '../http/operation.ts';
import { data } from '../http/replies.ts';

/** The mail account of a store. Host, port, user name and password are never returned. */
const EmailConfigurationSchema = z
  .object({
    id: idOutput,
    active: boolOutput,
    show_order_number: boolOutput,
    order_number: z.string(),
    from: z.string(),
    name: z.string(),
    product_review_days: z.int(),
    resume_values: z.string(),
    ...recordTimes,
  })
  .meta({ id: 'EmailConfiguration' });

/* @__PURE__ */ explain(
  EmailConfigurationSchema,
  'The mail account that the store sends with. Its password and server are never returned.',
  {
    active: 'Whether mails are sent; always true.',
    show_order_number: 'Whether mails name the number of the order; always true.',
    order_number: 'Reserved; always an empty text.',
    from: 'Address that buyers see as the sender.',
    name: 'Name that buyers see as the sender.',
    product_review_days: 'Days from delivery to the mail that asks for a review; always 7.',
    resume_values: 'Reserved; always an empty text.',
  },
);

export const EmailConfigurationRequest = requestBodies({
  required: {
    host: host.describe('Name or address of the mail server.'),
    port: int(1, 65_535).describe('Port of the mail server, such as 587.'),
    username: code(254).describe('User name at the mail server.'),
    password: verbatimText(255).describe(
      'Password at the mail server; stored encrypted, never returned.',
    ),
    from: email,
    name: line(100),
  },
  optional: {
    encryption: [
      choice(['tls', 'ssl', 'starttls', 'none'], { anyCase: true }).describe(
        'How the connection is secured: tls, ssl, starttls or none.',
      ),
      'tls',
    ],
  },
}).post;

/* @__PURE__ */ explainBody(EmailConfigurationRequest, EmailConfigurationSchema, {
  ConfigureEmailsInput: 'The server and the account that messages to buyers are sent with.',
});

export type EmailConfigurationRequest = z.output<typeof EmailConfigurationRequest>;

/**
 * Creates the mail account of a store, or replaces it under the same `id` and `created_at`. The
 * password is sealed with `sealingKeys` in the context of this store. Two round trips.
 */
export const configureEmails = (
  db: StoreDb,
  sealingKeys: KeyRing,
  { password, ...values }: EmailConfigurationRequest,
) =>
  retryOnConflict(async () => {
    const [found] = await db.batch([db.select(emailConfigurations)]);
    const before = found[0];
    const sealContext = `email-password:${db.store.id}`;
    if (!before) {
      const password_sealed = await seal(sealingKeys, password, sealContext);
      const [, rows] = await db.batch([
        db.assert(hasNoConfiguration(db)),
        db.insertStatement(emailConfigurations, { ...values, password_sealed }),
        ...recordChange(db, {}, { ...values, password_sealed }),
      ]);
      return rows[0];
    }
    // Sealing the same password again gives another text, which would count as a change.
    const isSamePassword = await sealsPassword(
      password,
      sealingKeys,
      before.password_sealed,
      sealContext,
    );
    const changes = isSamePassword
      ? values
      : { ...values, password_sealed: await seal(sealingKeys, password, sealContext) };
    const results = await db.batch([
      ...recordChange(db, before, changes),
      db.updateStatement(emailConfigurations, eq(emailConfigurations.id, before.id), changes),
      db.selectOne(emailConfigurations, before.id),
    ]);
    return lastResult(results)[0];
  });

/**
 * The statement that records the change of the configuration that this request read; none without a
 * change.
 */
function recordChange(
  db: StoreDb,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
) {
  const changes = changedFields(before, after, { password_sealed: 'password' });
  const target = { kind: 'email_configuration' as const, id: db.store.id };
  return Object.keys(changes).length === 0
    ? []
    : [storeAuditStatement(db, { action: 'emails.configured', target, changes })];
}

/** SQL condition: no concurrent request has created the configuration. */
const hasNoConfiguration = (db: StoreDb) =>
  sql`not exists (select 1 from ${emailConfigurations} where ${emailConfigurations.store_id} = ${db.store.id})`;

async function sealsPassword(
  password: string,
  sealingKeys: KeyRing,
  sealed: string,
  context: string,
) {
  try {
    return await equalInConstantTime(await unseal(sealingKeys, sealed, context), password);
  } catch {
    // Sealed with a key that was removed: the password that is sent now replaces it.
    return false;
  }
}

export const emailOperations = [
  operation({
    id: 'configureEmails',
    route: 'POST /{alias}/config/emails',
    access: 'config.write',
    body: EmailConfigurationRequest,
    reply: data(200, EmailConfigurationSchema),
    errors: [],
    run: ({ db, settings, body }) => configureEmails(db, settings.sealingKeys, body),
  }),
  operation({
    id: 'showEmailConfiguration',
    route: 'GET /{alias}/config/emails',
    access: 'config.read',
    reply: data(200, EmailConfigurationSchema),
    errors: [404],
    run: async ({ db }) => {
      const [rows] = await db.batch([db.select(emailConfigurations)]);
      return rows[0];
    },
  }),
];

/* @__PURE__ */ explainOperations({
  configureEmails:
    'A store has one configuration: it is created, or replaced as a whole under the same id. The password is stored encrypted. password, host, port, username and encryption are never returned.',
  showEmailConfiguration: '404 while the store has no configuration.',
});

/* @__PURE__ */ explainEnum(
  'MailEncryption',
  'How the connection to the mail server is protected.',
  {
    tls: 'TLS from the first byte, usually on port 465.',
    ssl: 'An older name of tls.',
    starttls: 'Starts in plain text and switches to TLS, usually on port 587.',
    none: 'Not at all: the password is readable on the way.',
  },
);
