import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/**
 * The schema of this release. A release that changes the schema raises it by one before its first
 * migration is created. Every migration created afterwards writes it into the database that it
 * changes (`drizzle/generate.ts`).
 */
export const schemaVersion = 1;

/** One row (id 1) in each database: the release whose schema it has. */
export const schemaVersions = sqliteTable('schema_version', {
  id: integer('id').primaryKey(),
  version: integer('version').notNull(),
});

/**
 * Whether this Worker may run on a database of a version. Databases are migrated in turn before the
 * Worker is deployed, and a rollback leaves them migrated. So a version has neighbours, and no
 * others.
 */
export const acceptsSchema = (version: number) => Math.abs(version - schemaVersion) <= 1;
