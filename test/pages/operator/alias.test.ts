import { expect, it } from 'vitest';
import { browserPaths, publicFormRoots } from '../../../src/base/page-paths.ts';
import { authorizePath } from '../../../src/oauth/server-metadata.ts';
import { routeGroups } from '../../../src/routes/route-groups.ts';
import { findAliasProblem } from '../../../src/stores/alias.ts';

/** The first segment of every address of the service that is no store's. */
const segments = [
  ...Object.values(browserPaths),
  ...routeGroups.flatMap(({ pathPrefixes }) => pathPrefixes),
  ...publicFormRoots,
  authorizePath,
  '/health',
  '/ready',
  '/docs',
  '/assets',
].map((path) => path.split('/')[1] ?? '');

it('no store gets the first segment of a path of the service as its alias', () => {
  const names = [...new Set(segments)].filter((name) => name !== '' && name !== '{alias}');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => findAliasProblem(name) === undefined)).toEqual([]);
});

it.each(['nova', 'loja-2', 'a1b'])('a store may be called %s', (alias) => {
  expect(findAliasProblem(alias)).toBeUndefined();
});

it.each(['ab', 'No', '-nova', 'nova-', 'lo--ja', '123', 'loja nova', 'erased-7', 'a'.repeat(64)])(
  'no store may be called %s',
  (alias) => {
    expect(findAliasProblem(alias)).toBeDefined();
  },
);
