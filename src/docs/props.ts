import { scopeMeanings } from '../http/openapi-security.ts';
import type { OpenApiDocument } from '../http/openapi-types.ts';
import type { DocsProps, ErrorProps, EventProps, RecordProps } from '../pages/docs-props.ts';
import { settingOf } from './curl.ts';
import { fieldsOf, recordOf } from './fields.ts';
import { rowProps } from './row-props.ts';
import { retryTable } from './retry-table.ts';
import { firstCalls, oauthSteps } from './samples.ts';
import { stateTables } from './state-tables.ts';
import { verification } from './verification.ts';

interface Site {
  /** Of the request: the address that the reader used. */
  origin: string;
  base: string;
  serviceName: string;
  isLocal: boolean;
}

/** What the API reference shows, out of the document. */
export function docsProps(document: OpenApiDocument, site: Site): DocsProps {
  const { origin, base, serviceName, isLocal } = site;
  const setting = settingOf(origin + base, isLocal);
  const signatureHeader = `X-${serviceName}-Hmac-SHA256`;
  return {
    title: document.info.title,
    version: document.info.version,
    baseUrl: setting.baseUrl,
    authUrl: origin,
    isLocal,
    alias: setting.alias,
    start: firstCalls(setting),
    oauth: oauthSteps(origin, setting),
    errors: errorProps(document),
    scopes: Object.entries(scopeMeanings).map(([name, meaning]) => ({ name, meaning })),
    signatureHeader,
    deliveryHeaders: deliveryHeaders(document),
    verification: verification(signatureHeader),
    retries: retryTable(),
    sequenceHeader: `X-${serviceName}-Sequence`,
    attemptHeader: `X-${serviceName}-Attempt`,
    sections: document.tags
      .map(({ name }) => ({
        id: `section-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
        heading: name,
        rows: rowsUnder(document, name).map((row) => rowProps(document, setting, row)),
      }))
      .filter(({ rows }) => rows.length > 0),
    states: stateTables(),
    events: eventProps(document),
    records: recordProps(document),
  };
}

function rowsUnder(document: OpenApiDocument, tag: string) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, row]) => row.tags.includes(tag))
      .map(([verb, row]) => ({ verb: verb.toUpperCase(), path, row })),
  );
}

function errorProps({ components }: OpenApiDocument): ErrorProps[] {
  return Object.values(components.responses).map(({ description, headers = {}, content }) => {
    const examples = Object.values(content?.['application/json']?.examples ?? {});
    return {
      status: String((examples[0]?.value as { status_code?: number } | undefined)?.status_code),
      description,
      headers: Object.keys(headers).filter((name) => name !== 'X-Request-Id'),
      examples: examples.map(({ summary, value }) => ({ summary, body: JSON.stringify(value) })),
    };
  });
}

function deliveryHeaders({ webhooks }: OpenApiDocument) {
  const [first] = Object.values(webhooks);
  return (first?.post?.parameters ?? []).flatMap((one) =>
    'name' in one
      ? [{ name: one.name, description: one.description, example: String(one.example) }]
      : [],
  );
}

function eventProps({ webhooks }: OpenApiDocument): EventProps[] {
  return Object.entries(webhooks).flatMap(([name, { post }]) => {
    const media = post?.requestBody?.content['application/json'];
    if (!post || !media) return [];
    const resource = media.schema.properties?.resource ?? {};
    return [
      {
        name,
        meaning: post.summary,
        scope: post['x-scope'],
        record: recordOf(resource),
        description: resource.description ?? '',
        example: JSON.stringify(media.example, null, 2),
      },
    ];
  });
}

function recordProps({ components }: OpenApiDocument): RecordProps[] {
  return Object.entries(components.schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => ({
      name,
      description: schema.description ?? '',
      fields: fieldsOf(schema),
    }));
}
