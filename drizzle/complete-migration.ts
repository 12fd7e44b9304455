import { countedKinds, timedTables } from '../src/data/schema/store/internal-tables.ts';
import { textIndexStatements } from './text-index.ts';

/** The text between two statements of a migration file. */
const breakpoint = '--> statement-breakpoint\n';

/** The columns of each table as of the last snapshot. */
export type TableColumns = ReadonlyMap<string, readonly string[]>;

/** The statements of a migration file. */
export const splitMigration = (sql: string) =>
  sql.split(breakpoint).map((statement) => statement.trim());

/**
 * One line with one `END`: a deployed D1 splits the text of a migration itself, and has cut other
 * triggers in two.
 */
function createTotalTrigger(kind: string, verb: 'INSERT' | 'DELETE'): string {
  const [row, change] = verb === 'INSERT' ? ['NEW', '+ 1'] : ['OLD', '- 1'];
  return (
    `CREATE TRIGGER \`${kind}_total_${verb.toLowerCase()}\` AFTER ${verb} ON \`${kind}\` BEGIN ` +
    `INSERT INTO \`totals\` (\`store_id\`, \`kind\`, \`total\`) VALUES (${row}.\`store_id\`, '${kind}', 1) ` +
    `ON CONFLICT DO UPDATE SET \`total\` = \`total\` ${change}; END;`
  );
}

/** A timer before the bound of its table lowers the bound. */
const createTimerTrigger = (table: string, event: 'INSERT' | 'UPDATE OF `due_at`'): string =>
  `CREATE TRIGGER \`${table}_timer_${event.slice(0, 6).toLowerCase()}\` AFTER ${event} ON \`${table}\` ` +
  `WHEN NEW.\`due_at\` IS NOT NULL BEGIN UPDATE \`timer_bounds\` SET \`due_at\` = NEW.\`due_at\` ` +
  `WHERE \`kind\` = '${table}' AND \`due_at\` > NEW.\`due_at\`; END;`;

/**
 * A store without events has no time to look for bodies to archive. The next bytes that it records
 * set one.
 */
const archiveTrigger =
  'CREATE TRIGGER `event_budgets_archive_due` AFTER UPDATE OF `day` ON `event_budgets` ' +
  'WHEN NEW.`archive_at` IS NULL BEGIN UPDATE `event_budgets` ' +
  'SET `archive_at` = NEW.`day` * 86400000 WHERE `store_id` = NEW.`store_id`; END;';

const addsArchiveTime = (sql: string) =>
  /(?:CREATE|ALTER) TABLE `event_budgets`[^;]*`archive_at`/.test(sql);

/**
 * The columns of a store that a request needs, so that an access token repeats them or relies on
 * them.
 */
const tokenColumns = [
  'alias',
  'shard',
  'zone',
  'active',
  'test',
  'base_url',
  'requests_per_minute',
  'mfa_required',
];

/** They and the value that only its shard needs. */
const shardColumns = [...tokenColumns, 'event_budget'];

/** They tell the shard of a store what changes in the directory (`store_changes`). */
const directoryTriggers = [
  `CREATE TRIGGER \`stores_changed\` AFTER UPDATE OF ${shardColumns.map((name) => `\`${name}\``).join(', ')} ON \`stores\` ` +
    `WHEN ${shardColumns.map((name) => `OLD.\`${name}\` IS NOT NEW.\`${name}\``).join(' OR ')} ` +
    'BEGIN UPDATE `stores` SET `version` = `version` + 1 WHERE `id` = NEW.`id`; ' +
    'UPDATE `store_changes` SET `shard` = NEW.`shard` WHERE `store_id` = NEW.`id`; ' +
    'INSERT INTO `store_changes` (`shard`, `store_id`) VALUES (NEW.`shard`, NEW.`id`); END;',
  'CREATE TRIGGER `stores_closed` AFTER UPDATE OF `erase_at` ON `stores` ' +
    'WHEN OLD.`erase_at` IS NULL AND NEW.`erase_at` IS NOT NULL ' +
    'BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `erase_at`) VALUES (NEW.`shard`, NEW.`id`, NEW.`erase_at`); END;',
  'CREATE TRIGGER `memberships_ended` AFTER DELETE ON `memberships` ' +
    'BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `user_id`) ' +
    'SELECT `shard`, `id`, OLD.`user_id` FROM `stores` WHERE `id` = OLD.`store_id`; END;',
  'CREATE TRIGGER `memberships_demoted` AFTER UPDATE OF `role` ON `memberships` ' +
    "WHEN NEW.`role` = 'viewer' AND OLD.`role` <> 'viewer' " +
    'BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `user_id`) ' +
    'SELECT `shard`, `id`, NEW.`user_id` FROM `stores` WHERE `id` = NEW.`store_id`; END;',
  'CREATE TRIGGER `users_deactivated` AFTER UPDATE OF `active` ON `users` ' +
    'WHEN NEW.`active` = 0 AND OLD.`active` <> 0 ' +
    'BEGIN INSERT INTO `store_changes` (`shard`, `store_id`, `user_id`) ' +
    'SELECT `stores`.`shard`, `stores`.`id`, NEW.`id` FROM `memberships` ' +
    'JOIN `stores` ON `stores`.`id` = `memberships`.`store_id` WHERE `memberships`.`user_id` = NEW.`id`; END;',
];

/** No copy of a store that moves in: only what happens in this shard. */
const isHere =
  'EXISTS (SELECT 1 FROM `placements` WHERE `store_id` = NEW.`store_id` AND `state` = 0)';

/**
 * They write the notices that become mails to members (`store_notices`), in the transaction of each
 * cause, whichever code writes it.
 */
const noticeTriggers: readonly (readonly [table: string, trigger: string])[] = [
  [
    'store_audit',
    'CREATE TRIGGER `store_audit_noticed` AFTER INSERT ON `store_audit` ' +
      `WHEN NEW.\`action\` IN ('app.connected', 'app.disconnected') AND ${isHere} ` +
      'BEGIN INSERT INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) ' +
      "VALUES (NEW.`store_id`, 'audit-' || NEW.`id`, replace(NEW.`action`, '.', '_'), " +
      "json_object('clientId', NEW.`target_id`), NEW.`at`); END;",
  ],
  [
    'webhook_notices',
    'CREATE TRIGGER `webhook_notices_noticed` AFTER INSERT ON `webhook_notices` ' +
      `WHEN NEW.\`kind\` IN ('failing_24h', 'failing_72h', 'disabled', 'gone') AND ${isHere} ` +
      'BEGIN INSERT INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) ' +
      "VALUES (NEW.`store_id`, 'webhook-' || NEW.`id`, " +
      "iif(NEW.`kind` LIKE 'failing%', 'webhook_failing', 'webhook_switched_off'), " +
      "json_object('url', (SELECT `url` FROM `webhook_endpoints` WHERE `id` = NEW.`endpoint_id`), " +
      "'hours', iif(NEW.`kind` = 'failing_72h', 72, 24)), NEW.`at`); END;",
  ],
  [
    'event_budgets',
    'CREATE TRIGGER `event_budgets_noticed` AFTER UPDATE OF `noticed` ON `event_budgets` ' +
      `WHEN NEW.\`noticed\` > OLD.\`noticed\` AND ${isHere} ` +
      'BEGIN INSERT OR IGNORE INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) ' +
      "VALUES (NEW.`store_id`, 'budget-' || NEW.`store_id` || '-' || NEW.`noticed`, 'event_budget', " +
      "json_object('percent', NEW.`noticed` % 100, 'budget', NEW.`budget`), NEW.`day` * 86400000); END;",
  ],
  ['webhook_endpoints', createDestinationTrigger('added', 'INSERT', '')],
  [
    'webhook_endpoints',
    createDestinationTrigger('moved', 'UPDATE OF `url`', 'NEW.`url` IS NOT OLD.`url` AND '),
  ],
];

/** Events of a store go to an address that they did not go to before. */
function createDestinationTrigger(name: string, event: string, condition: string): string {
  return (
    `CREATE TRIGGER \`webhook_endpoints_${name}\` AFTER ${event} ON \`webhook_endpoints\` ` +
    `WHEN ${condition}NEW.\`url\` <> '' AND ${isHere} ` +
    'BEGIN INSERT OR IGNORE INTO `store_notices` (`store_id`, `key`, `kind`, `data`, `created_at`) ' +
    "VALUES (NEW.`store_id`, 'destination-' || NEW.`id` || '-' || NEW.`updated_at`, " +
    `'webhook_destination', json_object('url', NEW.\`url\`), NEW.\`updated_at\`); END;`
  );
}

function copyKnownColumns(statement: string, columnsBefore: TableColumns): string {
  const [, table] = /^INSERT INTO `__new_(\w+)`/.exec(statement) ?? [];
  if (table === undefined) return statement;
  const columns = (columnsBefore.get(table) ?? []).filter((name) =>
    statement.includes(`"${name}"`),
  );
  const list = columns.map((name) => `"${name}"`).join(', ');
  return `INSERT INTO \`__new_${table}\`(${list}) SELECT ${list} FROM \`${table}\`;`;
}

function withoutRowid(statement: string): string {
  const hasOtherKey =
    statement.startsWith('CREATE TABLE') &&
    /PRIMARY KEY/.test(statement) &&
    !/`id` integer PRIMARY KEY/.test(statement);
  return hasOtherKey ? statement.replace(/\);\s*$/, ') WITHOUT ROWID;') : statement;
}

/** D1 runs a migration in a transaction, where SQLite ignores `foreign_keys`. */
const deferForeignKeys = (statement: string) =>
  statement
    .replace(/^PRAGMA foreign_keys=OFF;/, 'PRAGMA defer_foreign_keys = true;')
    .replace(/^PRAGMA foreign_keys=ON;/, 'PRAGMA defer_foreign_keys = false;');

const writeVersion = (version: number) =>
  `INSERT INTO \`schema_version\` (\`id\`, \`version\`) VALUES (1, ${version}) ` +
  `ON CONFLICT (\`id\`) DO UPDATE SET \`version\` = ${version};`;

/** Completes what drizzle-kit wrote. The last statement writes the version of the schema. */
export function completeMigration(
  sql: string,
  columnsBefore: TableColumns,
  version: number,
): string {
  const statements = splitMigration(sql)
    .filter((statement) => /^(?!--)\S/m.test(statement))
    .map((statement) => deferForeignKeys(withoutRowid(copyKnownColumns(statement, columnsBefore))));
  const createdKinds = countedKinds.filter(
    (kind) => sql.includes(`CREATE TABLE \`${kind}\` (`) || sql.includes(`RENAME TO \`${kind}\``),
  );
  const triggers = createdKinds.flatMap((kind) => [
    createTotalTrigger(kind, 'INSERT'),
    createTotalTrigger(kind, 'DELETE'),
  ]);
  for (const table of timedTables) {
    if (sql.includes('CREATE TABLE `timer_bounds` (') || sql.includes(`RENAME TO \`${table}\``)) {
      triggers.push(createTimerTrigger(table, 'INSERT'));
      triggers.push(createTimerTrigger(table, 'UPDATE OF `due_at`'));
    }
  }
  if (addsArchiveTime(sql)) triggers.push(archiveTrigger);
  if (sql.includes('CREATE TABLE `store_changes` (')) triggers.push(...directoryTriggers);
  for (const [table, trigger] of noticeTriggers) {
    const isNew = sql.includes('CREATE TABLE `store_notices` (');
    if (isNew || sql.includes(`RENAME TO \`${table}\``)) triggers.push(trigger);
  }
  triggers.push(...textIndexStatements(createdKinds));
  return [...statements, ...triggers, writeVersion(version)].join(`\n${breakpoint}`).concat('\n');
}
