import { docsPaths, guidePath } from '../../base/page-paths.ts';
import { eventPath, recordPath } from './doc-paths.ts';
import type { ReferencePages } from './reference-pages.tsx';

/** Sections of the one page that `/docs` was. */
const oldSections: Record<string, string> = {
  start: guidePath('en', 'first-call'),
  authentication: guidePath('en', 'get-credentials'),
  values: guidePath('en', 'values'),
  idempotency: guidePath('en', 'idempotency'),
  lists: guidePath('en', 'lists'),
  errors: guidePath('en', 'errors'),
  webhooks: guidePath('en', 'webhooks'),
  states: guidePath('en', 'values'),
  events: docsPaths.events,
  records: docsPaths.records,
};

/** Returns the targets of the fragments of `/docs` that releases with one page had. */
export function oldAnchors({ index, events, records }: ReferencePages): Record<string, string> {
  const operations = index.tags.flatMap(({ path, operations }) =>
    operations.map(({ operation: { operationId } }) => [operationId, `${path}#${operationId}`]),
  );
  return Object.fromEntries([
    ...Object.entries(oldSections),
    ...operations,
    ...index.tags
      .toReversed()
      .map(({ tag, path }) => [`section-${tag.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`, path]),
    ...events.map(({ name }) => [`event-${name}`, eventPath(name)]),
    ...records.map(({ name }) => [`record-${name}`, recordPath(name)]),
  ]) as Record<string, string>;
}
