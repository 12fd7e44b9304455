/** `npm run build:client [-- --url https://api.example.com] [--out folder]`: builds the package, in `dist/client`. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildClient } from './build-client.ts';

const { values } = parseArgs({ options: { url: { type: 'string' }, out: { type: 'string' } } });
const folder = await buildClient({
  ...(values.url !== undefined && { defaultUrl: values.url }),
  ...(values.out !== undefined && { folder: values.out }),
});
for (const name of ['index.js', 'index.d.ts']) {
  const path = join(folder, name);
  console.log(`${relative('.', path)}  ${Math.ceil(statSync(path).size / 1024)} KiB`);
}
