import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import { readMethods } from '../../../src/http/openapi/model.ts';
import { buildPython } from '../../support/node/client/python.ts';

/** The modules of the standard library that the package imports. */
const standardModules =
  `base64 collections contextlib datetime email.utils functools hashlib hmac http.client itertools json
  math os random re secrets selectors socket ssl threading time types urllib.parse urllib.request weakref`.split(
    /\s+/,
  );

let modules: Map<string, string>;
let folder: string;

beforeAll(async () => {
  folder = await buildPython();
  const code = join(folder, 'online_store_administration');
  modules = new Map(
    readdirSync(code).map((name) => [name, readFileSync(join(code, name), 'utf8')]),
  );
});

describe('the Python package', () => {
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
    const expected = readMethods(getOpenApiDocument('Store', '/v2')).map(({ group, method }) =>
      `${group}.${method}`.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    expect(named).toHaveLength(expected.length);
    expect(new Set(named)).toEqual(new Set(expected));
  });
});
