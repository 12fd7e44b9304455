import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../base/error-codes.ts';
import type { MethodModel } from '../http/openapi/model.ts';
import type { JsonSchema, OpenApiDocument } from '../http/openapi/types.ts';
import { jobGroups } from './core/await-jobs.ts';
import {
  type Direction,
  deliveriesOf,
  describeMethod,
  namedSchemasOf,
  pascal,
  queryName,
  takesQuery,
  typesIn,
} from './type-texts.ts';

/**
 * Writes `index.d.ts`: the types of all records, of requests, and of the four exports. It needs no
 * other file.
 */
export function writeDeclarations(
  document: OpenApiDocument,
  methods: readonly MethodModel[],
): string {
  return [
    readPublicTypes(),
    errorCodeText(),
    ...namedSchemasOf(document, methods).map(schemaText),
    ...methods.filter(takesQuery).map(queryText),
    ...eventTexts(document),
    ...groupTexts(methods),
    exportsText(methods),
  ].join('\n\n');
}

/** The types of the source that do not depend on operations, without the imports. */
function readPublicTypes(): string {
  const source = readFileSync(join(import.meta.dirname, 'core/public.ts'), 'utf8');
  return source.replace(/^\/\*\*[^]*?^import .*\n+/m, '').trim();
}

const errorCodeText = () =>
  [
    '/** Codes of refusals. New ones may follow: give a `switch` a default. */',
    `export type ErrorCode =\n${Object.keys(errorCodes)
      .map((code) => `  | ${JSON.stringify(code)}`)
      .join('\n')};`,
  ].join('\n');

interface NamedSchema {
  name: string;
  schema: JsonSchema;
  direction: Direction;
}

function schemaText({ name, schema, direction }: NamedSchema): string {
  const head = comment(schema.description);
  if (schema.properties && !schema.anyOf && !schema.oneOf) {
    return `${head}export interface ${name} {\n${indent(fieldsText(schema, direction))}\n}`;
  }
  return `${head}export type ${name} = ${typeText(schema, direction)};`;
}

function queryText(method: MethodModel): string {
  const fields = method.query.map(({ name, description, schema }) => {
    return `${comment(description)}${name}?: ${parameterType(schema)} | undefined;`;
  });
  const body =
    fields.length > 0 ? `{\n${indent(fields.join('\n'))}\n}` : '{ [name: string]: never }';
  return `/** Query of \`${method.group}.${method.method}\`. */\nexport type ${queryName(method)} = ${body};`;
}

/** The type of a parameter: of several values, one may stand alone, and others may be missing. */
function parameterType(schema: JsonSchema): string {
  if (!schema.items) return typeText(schema, 'sent');
  const item = typeText(schema.items, 'sent');
  return `readonly (${item} | null | undefined)[] | ${item}`;
}

/** The types of verified deliveries, a union by `event`. */
function eventTexts(document: OpenApiDocument): string[] {
  const deliveries = deliveriesOf(document);
  const union = deliveries.map(({ name }) => `  | ${name}`).join('\n');
  return [
    ...deliveries.map(({ name, summary, schema }) => {
      const fields = indent(fieldsText(schema, 'received'));
      return `${comment(summary)}export interface ${name} extends DeliveryInfo {\n${fields}\n}`;
    }),
    `/** A verified delivery. \`event\` tells what \`resource\` is. */\nexport type WebhookEvent =\n${union};`,
  ];
}

/** One interface for each group of methods. */
function groupTexts(methods: readonly MethodModel[]): string[] {
  return [...new Set(methods.map(({ group }) => group))].map((group) => {
    const own = methods.filter((method) => method.group === group);
    const waiting = jobGroups.includes(group)
      ? own.find(({ method }) => method === 'show')
      : undefined;
    const texts = [...own.map(methodText), ...(waiting ? [waitText(waiting)] : [])];
    return `export interface ${pascal(group)}Methods {\n${indent(texts.join('\n'))}\n}`;
  });
}

const methodText = (model: MethodModel): string =>
  `${comment(describeMethod(model))}${model.method}(${argumentsText(model)}): ${resultText(model)};`;

function argumentsText(model: MethodModel): string {
  const ids = model.ids.map(({ name, schema }) => `${name}: ${typeText(schema, 'sent')}`);
  const options =
    model.input === 'lines' && takesQuery(model)
      ? `options?: CallOptions & { query?: ${queryName(model)} }`
      : 'options?: CallOptions';
  return [...ids, ...inputText(model), options].join(', ');
}

function inputText(model: MethodModel): string[] {
  const { input, body } = model;
  if (input === 'query') return [`query?: ${queryName(model)}`];
  if (input === 'lines') return [`lines: LinesInput<${typeText(body?.schema ?? {}, 'sent')}>`];
  return body ? [`body${body.isRequired ? '' : '?'}: ${typeText(body.schema, 'sent')}`] : [];
}

function resultText({ result, record, meta }: MethodModel): string {
  if (result === 'none') return 'Call<void>';
  const type = typeText(record, 'received');
  if (result === 'lines') return `AsyncGenerator<${type}, void>`;
  if (result === 'list') return `List<${type}, ${typeText(meta ?? {}, 'received')}>`;
  return `Call<${type}>`;
}

function waitText({ record }: MethodModel): string {
  const job = typeText(record, 'received');
  return `${comment('Waits until the job has ended: done, cancelled or failed.')}wait(id: number, options?: CallOptions & { onProgress?: (job: ${job}) => void }): Promise<${job}>;`;
}

function exportsText(methods: readonly MethodModel[]): string {
  const groups = [...new Set(methods.map(({ group }) => group))];
  return `/** A client of one store: a group of methods for each tag of the reference. */
export interface Shop {
${groups.map((group) => `  readonly ${group}: ${pascal(group)}Methods;`).join('\n')}
  /**
   * Calls any operation, by a path within the store. The data are the body as it was sent; you may
   * name its type.
   */
  request<T = JsonValue>(method: string, path: string, options?: RequestOptions): Call<T>;
  /** Walks a list by its path. The records are as they were sent. */
  walk(path: string, options?: Omit<RequestOptions, 'body' | 'contentType'>): List<JsonValue>;
}

/** Creates a client of one store. */
export declare function client(config: ClientConfig): Shop;

/** Connects stores to an app. */
export interface OAuthApp {
  /**
   * Makes the address to send the merchant to, and what must be kept until they come back. Keep it
   * in their session, or in a cookie that scripts cannot read.
   */
  authorizeUrl(options?: {
    /** Fewer scopes than the app has. */
    scopes?: readonly string[];
  }): Promise<{ url: string; kept: KeptAuthorization }>;
  /**
   * Checks the address that the merchant came back to, exchanges its code once, and stores the
   * tokens. Rejects with \`access_denied\` when the merchant declined, with \`state_mismatch\` when
   * it is not that of \`kept\`. After \`network\` and \`timeout\`, send the merchant to a new
   * \`authorizeUrl\`.
   */
  exchange(callbackUrl: string | URL, kept: KeptAuthorization | undefined): Promise<ConnectedStore>;
  /**
   * A client of a connected store. Its tokens come from the store of tokens, and are refreshed
   * there.
   */
  client(store: string, options?: StoreOptions): Shop;
  /** Ends the connection to a store, and deletes its tokens. May be repeated. */
  uninstall(store: string): Promise<void>;
  /**
   * Asks the service whether a connection lives, and deletes the tokens of one that has ended. For
   * \`app.disconnected\`.
   */
  isConnected(store: string): Promise<boolean>;
}

/** Creates an app that merchants connect to their stores. */
export declare function oauthApp(config: OAuthAppConfig): OAuthApp;

/** Deliveries of webhooks. */
export declare const webhooks: {
  /**
   * Checks that a delivery is genuine and recent, and returns its event. Rejects with the code
   * \`signature\` otherwise.
   */
  verify(
    delivery: Request | ReceivedDelivery,
    secret: string | readonly string[],
    options?: VerifyOptions,
  ): Promise<WebhookEvent>;
  /** The same for the webhook of the app itself. */
  verifyAppEvent(
    delivery: Request | ReceivedDelivery,
    secret: string | readonly string[],
    options?: VerifyOptions,
  ): Promise<AppDelivery & DeliveryInfo>;
};

/** A call that did not succeed: the refusal of the service, or a failure on the way. */
export declare class ApiError extends Error implements ErrorDetails {
  readonly code: ErrorDetails['code'];
  readonly status: number;
  readonly hint: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | undefined;
  readonly documentationUrl: string | undefined;
  readonly headers: Headers | undefined;
}
`;
}

/** Returns the TypeScript type of a schema. */
const typeText = typesIn({
  plain: {
    string: 'string',
    number: 'number',
    integer: 'number',
    boolean: 'boolean',
    null: 'null',
    json: 'JsonValue',
  },
  dates: { sent: ['Date'], received: ['Date'] },
  literal: (value) => JSON.stringify(value),
  union: (members) => members.join(' | '),
  array: (item, direction) => {
    const element = /[ |&]/.test(item) && !/^\{[^]*\}$/.test(item) ? `(${item})` : item;
    return direction === 'sent' ? `readonly ${element}[]` : `${element}[]`;
  },
  map: (value) => `Record<string, ${value}>`,
  object: (schema, direction) => `{\n${indent(fieldsText(schema, direction))}\n}`,
});

/** Returns the fields of an object, each with its description. */
function fieldsText({ properties = {}, required = [] }: JsonSchema, direction: Direction): string {
  return Object.entries(properties)
    .map(([name, field]) => {
      const isOptional = !required.includes(name);
      const type =
        typeText(field, direction) + (isOptional && direction === 'sent' ? ' | undefined' : '');
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      return `${comment(field.description)}${key}${isOptional ? '?' : ''}: ${type};`;
    })
    .join('\n');
}

/** Returns a doc comment, or nothing without a text. */
function comment(text: string | undefined): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Indents every line that has a text. */
const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
