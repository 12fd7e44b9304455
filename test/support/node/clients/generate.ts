/**
 * Run by Node in a process of its own: `generate.ts <document> <folder>` writes the types that two generators make from a
 * document. They use the compiler of TypeScript 5, while this project has TypeScript 7, which has no such interface.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^typescript(?=$|\/)/, 'typescript-5'), context),
});

const [documentPath = '', folder = ''] = process.argv.slice(2);
const read = () => JSON.parse(readFileSync(documentPath, 'utf8'));

const { default: openapiTypes, astToString } = await import('openapi-typescript');
writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(await openapiTypes(read())));

const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input: read(),
  output: { path: join(folder, 'hey-api') },
  plugins: ['@hey-api/typescript'],
  logs: { level: 'silent' },
});
