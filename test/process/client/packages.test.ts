import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import { readMethods } from '../../../src/http/openapi/model.ts';
import { buildPackage } from '../../support/node/client/packages.ts';

/** The modules of the standard library that the package imports. */
const standardModules =
  `base64 collections contextlib datetime email.utils functools hashlib hmac http.client itertools json
  math os random re secrets selectors socket ssl threading time types urllib.parse urllib.request weakref`.split(
    /\s+/,
  );

/** The files of a folder, by name. */
const readFiles = (folder: string) =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

const methods = readMethods(getOpenApiDocument('Store', '/v2')).map(
  ({ group, method }) => `${group}.${method}`,
);

describe('the Python package', () => {
  let modules: Map<string, string>;
  let folder: string;

  beforeAll(async () => {
    folder = await buildPackage('python');
    modules = readFiles(join(folder, 'online_store_administration'));
  });

  it('has less than 30 KB of code, without comments and the table of operations', () => {
    const lines = Array.from(modules, ([name, source]) =>
      name === '_operations.py' ? [] : source.split('\n'),
    ).flat();
    const code = lines.filter((line) => !/^\s*(#.*|""".*""")?$/.test(line)).join('\n');
    expect(code.length).toBeGreaterThan(20_000);
    expect(code.length).toBeLessThan(30_000);
  });

  it('imports the standard library only, and needs nothing else', () => {
    const imported = [...modules.values()].flatMap((source) =>
      Array.from(source.matchAll(/^(?:import|from) ([a-z][\w.]*)/gm), ([, name]) => name),
    );
    expect(new Set(imported)).toEqual(new Set(standardModules));
    const project = readFileSync(join(folder, 'pyproject.toml'), 'utf8');
    expect(project).toContain('dependencies = []');
    expect(project).toMatch(/^version = "\d+\.\d+\.\d+"$/m);
  });

  it('has a row for every operation below /v2', () => {
    const table = modules.get('_operations.py') ?? '';
    const rows = table.split('\n').filter((line) => line.includes(' ~') || line.includes(' /'));
    const named = rows.flatMap((row) => {
      const [group, , ...paths] = row.split(' ');
      return paths.flatMap((path) =>
        path
          .split(',')
          .slice(1)
          .map((method) => `${group}.${method.split('=')[0]}`),
      );
    });
    const expected = methods.map((name) =>
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    expect(named).toHaveLength(expected.length);
    expect(new Set(named)).toEqual(new Set(expected));
  });
});

describe('the PHP package', () => {
  let files: Map<string, string>;
  let folder: string;

  beforeAll(async () => {
    folder = await buildPackage('php');
    files = readFiles(join(folder, 'src'));
  });

  it('has less than 35 KB of code, without comments, indentation and the table of operations', () => {
    const lines = Array.from(files, ([name, source]) =>
      name === 'Operations.php' ? [] : source.split('\n'),
    ).flat();
    const code = lines
      .map((line) => line.trim())
      .filter((line) => !/^(\/\/|\/\*\*|\*|$)/.test(line));
    expect(code.join('\n').length).toBeGreaterThan(20_000);
    expect(code.join('\n').length).toBeLessThan(35_000);
  });

  it('is laid out as Composer wants it, and needs PHP and its curl only', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'composer.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: expect.stringMatching(/^[a-z-]+\/[a-z-]+$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      require: { php: '>=8.1', 'ext-curl': '*', 'ext-json': '*' },
      autoload: { 'psr-4': { 'OnlineStoreAdministration\\': 'src/' } },
    });
    expect(Object.keys(manifest.require)).toHaveLength(3);
    for (const [name, source] of files) {
      expect(source).toMatch(
        /^<\?php\n\ndeclare\(strict_types=1\);\n\nnamespace OnlineStoreAdministration;\n/,
      );
      expect(source).toMatch(
        new RegExp(`^(final class|interface) ${name.replace('.php', '')}\\b`, 'm'),
      );
      expect(source).not.toMatch(/^use /m);
    }
  });

  it('has a row for every operation below /v2', () => {
    const table = files.get('Operations.php') ?? '';
    const groups = table.split(/^ {8}'(\w+)' => \[$/m).slice(1);
    const named = groups.flatMap((text, index) =>
      index % 2 === 0
        ? []
        : Array.from(
            text.matchAll(/^ {12}'(\w+)' => /gm),
            ([, name]) => `${groups[index - 1]}.${name}`,
          ),
    );
    expect(named).toEqual(methods);
  });
});
