import type { ReferencePages } from './reference-pages.tsx';
import { eventPath, recordPath, referencePaths } from './site-map.ts';

/** Sections of the one page that `/docs` was. */
const oldSections: Record<string, string> = {
  start: '/docs/guides/first-call',
  authentication: '/docs/guides/get-credentials',
  values: '/docs/guides/values',
  idempotency: '/docs/guides/idempotency',
  lists: '/docs/guides/lists',
  errors: '/docs/guides/errors',
  webhooks: '/docs/guides/webhooks',
  states: '/docs/guides/values',
  events: referencePaths.events,
  records: referencePaths.records,
};

/** Returns the targets of the fragments of `/docs` that releases with one page had. */
export function oldAnchors({ index, events, records }: ReferencePages): Record<string, string> {
  const operations = index.tags.flatMap(({ path, operations }) =>
    operations.map(({ operation: { operationId } }) => [operationId, `${path}#${operationId}`]),
  );
  return Object.fromEntries([
    ...Object.entries(oldSections),
    ...operations,
    ...index.tags.map(({ name, path }) => [
      `section-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
      path,
    ]),
    ...events.map(({ name }) => [`event-${name}`, eventPath(name)]),
    ...records.map(({ name }) => [`record-${name}`, recordPath(name)]),
  ]) as Record<string, string>;
}
