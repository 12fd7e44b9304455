import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import { readMethods } from '../../../src/http/openapi/model.ts';
import { buildPackage } from '../../support/node/client/packages.ts';

/** The modules of the standard library that the package imports. */
const standardModules =
  `base64 collections contextlib datetime email.utils enum functools hashlib hmac http.client itertools json
  math os random re secrets selectors socket ssl threading time types urllib.parse urllib.request weakref zoneinfo`.split(
    /\s+/,
  );

/** The files of a folder and those below, by name. */
const readFiles = (folder: string) =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

const models = readMethods(getOpenApiDocument('Store', '/v2'));
const methods = models.map(({ group, method }) => `${group}.${method}`);

describe('the Python package', () => {
  let modules: Map<string, string>;
  let folder: string;

  beforeAll(async () => {
    folder = await buildPackage('python');
    modules = readFiles(join(folder, 'online_store_administration'));
  });

  it('has less than 30 KB of code, and 1.7 KB for dates, without comments and the table of operations', () => {
    const codeOf = (isCounted: (name: string) => boolean) =>
      Array.from(modules, ([name, source]) => (isCounted(name) ? source.split('\n') : []))
        .flat()
        .filter((line) => !/^\s*(#.*|""".*""")?$/.test(line))
        .join('\n').length;
    const code = codeOf(
      (name) => name.endsWith('.py') && !['_operations.py', '_dates.py'].includes(name),
    );
    expect(code).toBeGreaterThan(20_000);
    expect(code).toBeLessThan(30_000);
    expect(codeOf((name) => name === '_dates.py')).toBeLessThan(1_700);
  });

  it('imports the standard library only, and needs nothing else', () => {
    const imported = [...modules].flatMap(([file, source]) =>
      file.endsWith('.pyi')
        ? []
        : Array.from(source.matchAll(/^(?:import|from) ([a-z][\w.]*)/gm), ([, name]) => name),
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

  it('has less than 35 KB of code, and 2 KB for dates, without comments, indentation and the table of operations', () => {
    const codeOf = (isCounted: (name: string) => boolean) =>
      Array.from(files, ([name, source]) => (isCounted(name) ? source.split('\n') : []))
        .flat()
        .map((line) => line.trim())
        .filter((line) => !/^(\/\/|\/\*\*|\*|$)/.test(line))
        .join('\n').length;
    const code = codeOf((name) => !/^(?:Operations|Dates|Records|Groups.*)\.php$/.test(name));
    expect(code).toBeGreaterThan(20_000);
    expect(code).toBeLessThan(35_000);
    expect(codeOf((name) => name === 'Dates.php')).toBeLessThan(2_000);
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
        /^<\?php\n\ndeclare\(strict_types=1\);\n\nnamespace OnlineStoreAdministration(\\Groups)?;\n/,
      );
      expect(source).toMatch(
        new RegExp(`^((final|abstract) class|interface) ${basename(name, '.php')}\\b`, 'm'),
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

  it('has a tag for each method, with its filters, whose types are all declared', () => {
    const records = Array.from(
      (files.get('Records.php') ?? '').matchAll(/@phpstan-type (\w+) /g),
      ([, name = '']) => name,
    );
    // A name of a type is not that of a class beside it.
    expect(records.filter((name) => files.has(`${name}.php`))).toEqual([]);
    for (const { group, method, query, input } of models) {
      const name = group.charAt(0).toUpperCase() + group.slice(1);
      expect(files.get('Client.php')).toContain(
        `@property-read Groups\\${name}Methods $${group}\n`,
      );
      const source = files.get(`Groups/${name}Methods.php`) ?? '';
      const [tag = ''] = new RegExp(`@method \\S.* ${method}\\(.*`).exec(source) ?? [];
      const filters = input === 'query' ? query : [];
      for (const filter of filters) expect(tag).toContain(`${filter.name}?: `);
      const imported = Array.from(
        source.matchAll(/@phpstan-import-type (\w+) /g),
        ([, one = '']) => one,
      );
      expect(records).toEqual(expect.arrayContaining(imported));
      // Without texts, classes and names of members.
      const words = tag.replaceAll(/'[^']*'|\\[\w\\]+|\$\w+|\w+\??:|\) [A-Z].*/g, ' ');
      const types = words.match(/\b[A-Z]\w+/g) ?? [];
      expect(imported).toEqual(expect.arrayContaining(types));
    }
  });
});
