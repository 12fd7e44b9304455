import { scopeDescriptions } from '../http/openapi/security.ts';
import type { OpenApiDocument } from '../http/openapi/types.ts';
import type { DocsPageProps, ErrorDoc, EventDoc, RecordDoc } from '../pages/docs/props.ts';
import {
  createExampleContext,
  firstCallExamples,
  oauthExamples,
  type LocalExample,
} from './curl-examples.ts';
import { describeFields, recordName } from './fields.ts';
import { describeOperation, type LocatedOperation } from './operation-props.ts';
import { signatureExamples } from './signature-examples.ts';
import { buildRetryTable, buildStateTables } from './tables.ts';

interface DocsSite {
  /** Origin of the request, so that the examples use the address of the reader. */
  origin: string;
  basePath: string;
  serviceName: string;
  /** Retention of events. */
  eventDays: number;
  localExample: LocalExample | undefined;
}

/** Builds the props of the API reference from the OpenAPI document. */
export function buildDocsProps(document: OpenApiDocument, site: DocsSite): DocsPageProps {
  const { origin, basePath, serviceName, eventDays, localExample } = site;
  const context = createExampleContext(origin + basePath, localExample);
  const signatureHeader = `X-${serviceName}-Hmac-SHA256`;
  return {
    title: document.info.title,
    version: document.info.version,
    baseUrl: context.baseUrl,
    authUrl: origin,
    hasWorkingExamples: localExample !== undefined,
    alias: context.alias,
    firstCalls: firstCallExamples(context),
    oauthCalls: oauthExamples(origin, context),
    errors: describeErrors(document),
    scopes: Object.entries(scopeDescriptions).map(([name, meaning]) => ({ name, meaning })),
    signatureHeader,
    deliveryHeaders: describeDeliveryHeaders(document),
    signatureExamples: signatureExamples(signatureHeader),
    retries: buildRetryTable(),
    eventDays,
    sequenceHeader: `X-${serviceName}-Sequence`,
    attemptHeader: `X-${serviceName}-Attempt`,
    operationGroups: document.tags
      .map(({ name }) => ({
        id: `section-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
        title: name,
        operations: operationsWithTag(document, name).map((located) =>
          describeOperation(document, context, located),
        ),
      }))
      .filter(({ operations }) => operations.length > 0),
    stateTables: buildStateTables(),
    events: describeEvents(document),
    records: describeRecords(document),
  };
}

function operationsWithTag(document: OpenApiDocument, tag: string): LocatedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function describeErrors({ components }: OpenApiDocument): ErrorDoc[] {
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

function describeDeliveryHeaders({ webhooks }: OpenApiDocument) {
  const [first] = Object.values(webhooks);
  return (first?.post?.parameters ?? []).flatMap((parameter) => {
    if ('$ref' in parameter) return [];
    const { name, description, example } = parameter;
    return [{ name, description, example: String(example) }];
  });
}

function describeEvents({ webhooks }: OpenApiDocument): EventDoc[] {
  return Object.entries(webhooks).flatMap(([name, { post }]) => {
    const media = post?.requestBody?.content['application/json'];
    if (!post || !media) return [];
    const resource = media.schema.properties?.resource ?? {};
    return [
      {
        name,
        meaning: post.summary,
        scopes: post['x-scope'].split(' '),
        record: recordName(resource),
        description: resource.description ?? '',
        example: JSON.stringify(media.example, null, 2),
      },
    ];
  });
}

function describeRecords({ components }: OpenApiDocument): RecordDoc[] {
  return Object.entries(components.schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => ({
      name,
      description: schema.description ?? '',
      fields: describeFields(schema),
    }));
}
