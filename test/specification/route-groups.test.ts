import { describe, expect, it } from 'vitest';
import { loadRouteGroup } from '../../src/http/mount.ts';
import { routeGroups } from '../../src/routes/route-groups.ts';

const hasPrefix = (path: string, prefix: string) =>
  path === prefix || path.startsWith(`${prefix}/`);
const prefixes = [...new Set(routeGroups.flatMap(({ pathPrefixes }) => pathPrefixes))];

describe('path prefixes of route groups', () => {
  it('are disjoint: none is below another', () => {
    const nested = prefixes.filter((one) =>
      prefixes.some((two) => one !== two && hasPrefix(one, two)),
    );
    expect(nested).toEqual([]);
  });

  it.each(routeGroups)('of $tag cover exactly its operations', async (group) => {
    const { operations } = await loadRouteGroup(group);
    const used = operations.map(({ path }) => prefixes.find((prefix) => hasPrefix(path, prefix)));
    expect(new Set(used)).toEqual(new Set(group.pathPrefixes));
  });
});
