import type { Hono } from 'hono';
import { addressOf } from './address.ts';
import type { Faces } from './faces.ts';
import { sectionOf, type Heading } from './heading.ts';
import { mountLazily } from './mount-lazily.ts';
import type { Section } from './operation.ts';

/**
 * Leads each request to the rows whose paths begin like its own. An isolate loads them when it is first asked for
 * them: the schemas of all rows are thousands, and most isolates need those of a few headings.
 */
export function mountHeadings(
  app: Hono<Faces>,
  base: string,
  headings: readonly Heading[],
  appOf: (sections: readonly Section[]) => Hono<Faces>,
) {
  for (const under of new Set(headings.flatMap((one) => one.under))) {
    const wanted = headings.filter((one) => one.under.includes(under));
    mountLazily(app, [addressOf(base, under)], async () =>
      appOf(await Promise.all(wanted.map(sectionOf))),
    );
  }
}
