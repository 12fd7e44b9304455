import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';

/** The packages that this service was to be built with, and where each is used. */
const packages = {
  hono: 'src/**/*.{ts,tsx}',
  '@hono/zod-validator': 'src/**/*.{ts,tsx}',
  zod: 'src/**/*.{ts,tsx}',
  'drizzle-orm': 'src/**/*.{ts,tsx}',
  'drizzle-kit': 'drizzle.config.ts',
  wrangler: 'src/{demo,deploy}/**/*.ts',
  vitest: 'vitest.config.ts',
  '@cloudflare/vitest-pool-workers': 'vitest.config.ts',
};

describe('package.json', () => {
  it.each(Object.entries(packages))('has %s, which is imported', (name, pattern) => {
    expect({ ...manifest.dependencies, ...manifest.devDependencies }).toHaveProperty([name]);
    const specifier = new RegExp(` from '${name}(?:/[^']*)?'`);
    const users = globSync(pattern).filter((file) => specifier.test(readFileSync(file, 'utf8')));
    expect(users).not.toEqual([]);
  });
});
