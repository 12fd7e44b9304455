import { docsPaths } from '../../base/page-paths.ts';
import type { OpenApiDocument } from '../../http/openapi/types.ts';
import { textOfHtml } from '../build/escape.ts';
import { tableAsMarkdown } from '../build/markdown-table.ts';
import { samplesAsMarkdown } from '../build/samples.ts';
import { samplesOfOperation } from './operation-samples.ts';
import type { FieldDoc, OperationDoc } from './props.ts';
import type { ReferencePages } from './reference-pages.tsx';

/** Returns the pages of the reference as Markdown, by their address. */
export function referenceAsMarkdown(
  document: OpenApiDocument,
  { tags, events, records }: ReferencePages,
): Map<string, string> {
  const pages = tags.map(({ tag, operations }) => {
    const articles = operations.map((operation, index) => {
      const located = tag.operations[index];
      const samples = located ? samplesOfOperation(document, located) : [];
      return operationAsMarkdown(
        operation,
        samplesAsMarkdown(samples),
        located?.operation.description ?? '',
      );
    });
    return [tag.path, join(`# ${tag.name}`, tag.description, ...articles)] as const;
  });
  return new Map([
    ...pages,
    [
      docsPaths.operations,
      join(
        '# All operations',
        ...tags.map(({ tag, operations }) =>
          join(
            `## [${tag.name}]({{origin}}${tag.path}.md)`,
            operations
              .map(
                ({ id, method, path, summary }) => `- \`${method} ${path}\` ${summary} (\`${id}\`)`,
              )
              .join('\n'),
          ),
        ),
      ),
    ],
    [docsPaths.events, listing('Events', events, ({ meaning }) => meaning)],
    ...events.map(
      ({ name, path, meaning, explanation, scopes }) =>
        [
          path,
          join(
            `# ${name}`,
            `${meaning}. ${scopes.length === 0 ? 'Only for the webhook of an app itself' : `Scope: ${scopes.map((scope) => `\`${scope}\``).join(', ')}`}.`,
            textOfHtml(explanation),
          ),
        ] as const,
    ),
    [docsPaths.records, listing('Records', records, ({ description }) => description)],
    ...records.map(
      ({ name, path, description, fields, values }) =>
        [
          path,
          join(
            `# ${name}`,
            description,
            fieldsAsMarkdown(fields, true),
            values.map(({ value, meaning }) => `- \`${value}\`: ${meaning}`).join('\n'),
          ),
        ] as const,
    ),
  ]);
}

/** A list of links with a note each. */
const listing = <Item extends { name: string; path: string }>(
  title: string,
  items: readonly Item[],
  noteOf: (item: Item) => string,
) =>
  join(
    `# ${title}`,
    items.map((item) => `- [${item.name}]({{origin}}${item.path}.md): ${noteOf(item)}`).join('\n'),
  );

const join = (...parts: string[]) => parts.filter((part) => part !== '').join('\n\n');

function operationAsMarkdown(
  operation: OperationDoc,
  samples: string,
  description: string,
): string {
  const { summary, method, path, scope, parameters, listParameters, bodyFields, success, errors } =
    operation;
  const route = `\`${method} ${path}\``;
  const { before, record, after } = success.shape;
  return join(
    `## ${summary}`,
    operation.answersQuery ? `${route}, also as \`QUERY\` with the parameters in the body` : route,
    scope === '' ? '' : `Scope: \`${scope}\``,
    description,
    parameters.length > 0 ? join('### Parameters', fieldsAsMarkdown(parameters)) : '',
    listParameters.length > 0
      ? `Also, as in every list: ${listParameters.map((name) => `\`${name}\``).join(', ')}.`
      : '',
    bodyFields.length > 0 ? join('### Body', fieldsAsMarkdown(bodyFields)) : '',
    `### Response ${success.status}: \`${before}${record}${after}\``,
    `Errors: ${errors.map(({ status }) => status).join(', ')}.`,
    samples,
  );
}

function fieldsAsMarkdown(fields: readonly FieldDoc[], isRecord = false): string {
  if (fields.length === 0) return '';
  const cell = (text: string) => (text === '' ? '' : `\`${text}\``);
  return tableAsMarkdown({
    head: isRecord
      ? ['Name', 'Type', 'Meaning']
      : ['Name', 'Type', 'Required', 'Default', 'Meaning'],
    rows: fields.map(({ name, type, required, defaultValue, limits, description }) => {
      const meaning = [description, limits].filter((part) => part !== '').join(' ');
      return {
        cells: isRecord
          ? [cell(name), type, meaning]
          : [cell(name), type, required ? 'yes' : 'no', cell(defaultValue), meaning],
      };
    }),
  });
}
