/**
 * Run by Node in a process of its own: `generate.ts <document> <folder>` writes the types that two
 * generators make from a document. They use the compiler of TypeScript 5, which stands beside them;
 * the project has TypeScript 7 without such an interface.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString } from 'openapi-typescript';

const [documentPath = '', folder = ''] = process.argv.slice(2);
const read = () => JSON.parse(readFileSync(documentPath, 'utf8'));

writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(await openapiTypes(read())));
await createClient({
  input: read(),
  output: { path: join(folder, 'hey-api') },
  plugins: ['@hey-api/typescript'],
  logs: { level: 'silent' },
});
