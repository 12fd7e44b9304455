import { describe, expect, it } from 'vitest';
import { explainPath } from '../../src/http/explain-path.ts';
import { loadRouteGroup } from '../../src/http/mount.ts';
import { routeGroups } from '../../src/routes/route-groups.ts';

const groups = await Promise.all(routeGroups.map(loadRouteGroup));
const templates = [
  ...new Set(groups.flatMap(({ operations }) => operations.map(({ path }) => `/v2${path}`))),
];
const fill = (template: string) => template.replace('{alias}', 'demo').replaceAll(/\{\w+\}/g, '7');

const singular = (path: string) => {
  const [, last = ''] = /([a-z]+)(?:\/7)?$/.exec(path) ?? [];
  if (!last.endsWith('s')) return path;
  const one = last.endsWith('ies') ? `${last.slice(0, -3)}y` : last.slice(0, -1);
  return path.replace(new RegExp(`${last}(/7)?$`), `${one}$1`);
};

/** How a path becomes wrong, and what is said of it. */
const slips: Record<string, [spoil: (path: string) => string, reason: RegExp]> = {
  'no version': [(path) => path.slice(3), /begin with \/v2/],
  'another version': [(path) => path.replace('/v2', '/api/v3'), /begin with \/v2/],
  'no area': [
    (path) => path.replace(/(?<=\/demo\/)(?:catalog|checkout|config|test)\//, ''),
    /lacks \w+/,
  ],
  'the singular': [singular, /in the plural/],
  'a slash at the end': [(path) => `${path}/`, /slash at the end/],
  'two slashes': [(path) => path.replace('/v2/', '/v2//'), /two slashes/],
};

describe('an unknown path', () => {
  it.each(Object.entries(slips))('leads to each path of the API: %s', (_slip, [spoil, reason]) => {
    const spoilt = templates.map((template) => [template, spoil(fill(template))] as const);
    const wrong = spoilt.filter(([template, path]) => path !== fill(template));
    expect(wrong.length).toBeGreaterThan(20);
    for (const [template, path] of wrong) {
      const hint = explainPath(path, '/v2', templates);
      expect(hint, path).toMatch(reason);
      // Two templates may differ in the names of their ids only.
      expect(hint?.replaceAll(/\{\w+\}/g, '{}'), path).toContain(
        `Use ${template.replaceAll(/\{\w+\}/g, '{}')}:`,
      );
    }
  });

  it('names each mistake of several', () => {
    expect(explainPath('/demo/brand/7/', '/v2', templates)).toBe(
      'Use /v2/{alias}/catalog/brands/{id}: paths begin with /v2; this path has a slash at the end; this path lacks catalog; say brands, in the plural.',
    );
  });

  it('is not compared if it is no mistake, or longer than any path', () => {
    for (const path of ['/', '/wp-login.php', '/v2/demo/xyzzy', '/v2', '/.env']) {
      expect(explainPath(path, '/v2', templates), path).toBeUndefined();
    }
    const long = `/v2/demo/catalog/${'brand/'.repeat(2_000)}`;
    expect(explainPath(long, '/v2', templates)).toBeUndefined();
    expect(explainPath(`/v2/demo/catalog/${'b'.repeat(16_000)}`, '/v2', templates)).toBeUndefined();
    expect(explainPath(`/v2/demo/${'a/'.repeat(20)}brand`, '/v2', templates)).toBeUndefined();
  });

  it('repeats nothing of what was sent', () => {
    expect(explainPath('/v2/secret-alias/catalog/prodcuts/7', '/v2', templates)).toBe(
      'Compare the spelling: the nearest path is /v2/{alias}/catalog/products.',
    );
  });
});
