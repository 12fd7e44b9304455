import script from '../../drizzle/after-restore.sql?raw';

/** Runs `drizzle/after-restore.sql` on a shard, in one transaction. */
export const runAfterRestore = (db: D1Database) =>
  db.batch(
    script
      .replaceAll(/^--.*$/gm, '')
      .split(';')
      .filter((statement) => statement.trim() !== '')
      .map((statement) => db.prepare(statement)),
  );
