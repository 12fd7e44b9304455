import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import { readMethods } from '../../../src/http/openapi/model.ts';
import { buildPackage, loadPackage } from '../../support/node/client/built-client.ts';
import { firstProgramOf } from '../../support/node/client/first-program.ts';

const root = resolve(import.meta.dirname, '../../..');
const project = mkdtempSync(join(tmpdir(), 'store-api-client-project-'));
let folder: string;

beforeAll(async () => {
  folder = await buildPackage();
});

afterAll(() => rmSync(project, { recursive: true }));

const document = getOpenApiDocument('Store', '/v2');
const methods = readMethods(document);

describe('the package', () => {
  it('has a method for every operation below /v2, and no other', async () => {
    const { client } = await loadPackage();
    const { request, walk, ...groups } = client({
      store: 'demo',
      apiKey: { token: 'token', secret: 'secret' },
    }) as Record<string, Record<string, unknown>>;
    expect([typeof request, typeof walk]).toEqual(['function', 'function']);
    const built = Object.entries(groups).flatMap(([group, own]) =>
      Object.keys(own).map((method) => `${group}.${method}`),
    );
    const expected = methods.map(({ group, method }) => `${group}.${method}`);
    expect(built.sort()).toEqual([...expected, 'exports.wait', 'imports.wait'].sort());
  });

  it('runs the command line from its tarball with npx', () => {
    const options = { cwd: project, encoding: 'utf8' } as const;
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', folder, '--json'], { ...options, stdio: 'pipe' }),
    ) as { filename: string; version: string }[];
    const npx = (...words: string[]) =>
      execFileSync('npx', ['--yes', '--offline', `./${packed?.filename}`, ...words], options);
    expect(npx('--version')).toBe(`${packed?.version}\n`);
    expect(npx('get', '--help')).toMatch(/^store-api get /);
  });

  it('is at most 20 KiB after gzip, and imports nothing', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(folder, 'index.js')],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      metafile: true,
    });
    expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThanOrEqual(20 * 1024);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
    expect(manifest).not.toHaveProperty('dependencies');
  });

  it('has types without any and unknown, in which all samples, of the document and of the guides, both examples and the first program of the README compile', () => {
    const declarations = readFileSync(join(folder, 'index.d.ts'), 'utf8').replaceAll(
      /\/\*\*[^]*?\*\//g,
      '',
    );
    expect(declarations.match(/\b(?:any|unknown)\b/g)).toBeNull();

    mkdirSync(join(project, 'node_modules'));
    symlinkSync(folder, join(project, 'node_modules/online-store-administration-client'));
    // The sample of an app uses it.
    symlinkSync(join(root, 'node_modules/hono'), join(project, 'node_modules/hono'));
    cpSync(join(root, 'src/client/examples'), project, { recursive: true });
    for (const { operation } of methods) {
      const sample = operation['x-codeSamples']?.find(({ lang }) => lang === 'TypeScript');
      writeFileSync(join(project, `sample-${operation.operationId}.ts`), sample?.source ?? 'none');
    }
    const guideSamples = join(root, 'src/docs/samples');
    for (const name of readdirSync(guideSamples).filter((file) => file.endsWith('.ts'))) {
      cpSync(join(guideSamples, name), join(project, `guide-${name}`));
    }
    cpSync(join(import.meta.dirname, 'usage-example.ts'), join(project, 'usage.ts'));
    writeFileSync(join(project, 'readme.ts'), firstProgramOf('src/client/package-readme.md'));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          module: 'nodenext',
          lib: ['es2023', 'dom', 'dom.iterable'],
          types: ['node'],
          typeRoots: [join(root, 'node_modules/@types')],
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          noPropertyAccessFromIndexSignature: true,
          erasableSyntaxOnly: true,
          noEmit: true,
        },
        include: ['*.ts', 'node_modules/online-store-administration-client/index.d.ts'],
      }),
    );
    expect(errorsOfTypes(project)).toBe('');
  });
});

/** Runs the compiler, declarations of packages included. Returns what it reports. */
function errorsOfTypes(cwd: string): string {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '--skipLibCheck', 'false', '--project', cwd], {
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
