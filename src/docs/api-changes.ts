import type { OpenApiDocument } from '../http/openapi/types.ts';
import { compareDocuments, type DocumentChange } from './compare-documents.ts';
import { getOpenApiDocument } from './openapi-document.ts';

/**
 * Compares a document that was published, as JSON, with that of the sources. Throws if it is no
 * such document.
 */
export function changesSince(published: string): DocumentChange[] {
  // The names of the headers of a delivery contain the service.
  const [, service = 'Service'] = /"X-([^"]+)-Hmac-SHA256"/.exec(published) ?? [];
  const before = JSON.parse(published) as OpenApiDocument;
  return compareDocuments(before, getOpenApiDocument(service, '/v2'));
}

/** Returns the changes as lines: those that break a promise first, each kind by its place. */
export function formatChanges(changes: readonly DocumentChange[]): string[] {
  const list = (title: string, shown: readonly DocumentChange[]) =>
    shown.length === 0
      ? []
      : [
          `${title} (${shown.length})`,
          ...[...Map.groupBy(shown, ({ place }) => place)].flatMap(([place, ofPlace]) => [
            `  ${place}`,
            ...ofPlace.map(({ text }) => `    ${text}`),
          ]),
        ];
  if (changes.length === 0) return ['No change that callers can notice.'];
  return [
    ...list(
      'Break what v2 promises',
      changes.filter(({ breaks }) => breaks),
    ),
    ...list(
      'Additive',
      changes.filter(({ breaks }) => !breaks),
    ),
  ];
}
