import { defineConfig } from 'drizzle-kit';

/** `DATABASE=directory` or `DATABASE=store` selects one of the two kinds of database. */
const schemas = {
  directory: './src/data/schema/directory/*.ts',
  store: './src/data/schema/store/*.ts',
};

const database = process.env.DATABASE === 'directory' ? 'directory' : 'store';

export default defineConfig({
  dialect: 'sqlite',
  driver: 'd1-http',
  schema: schemas[database],
  out: `./drizzle/${database}`,
});
