import { defineConfig } from 'drizzle-kit';

/** `DATABASE=directory` or `DATABASE=store` chooses which of the two kinds of database is meant. */
const database = process.env.DATABASE === 'directory' ? 'directory' : 'store';

export default defineConfig({
  dialect: 'sqlite',
  driver: 'd1-http',
  schema: `./src/db/schema/${database}.ts`,
  out: `./drizzle/${database}`,
});
