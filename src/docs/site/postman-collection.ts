import type {
  MediaType,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from '../../http/openapi/types.ts';
import { resolveParameter } from './operation-docs.ts';
import type { LocatedOperation, ReferenceIndex } from './reference-index.ts';

/** A variable, a header, or a parameter. Optional ones are there, switched off. */
interface Entry {
  key: string;
  value: string;
  description?: string;
  disabled?: true;
}

interface PostmanRequest {
  method: string;
  description: string;
  url: { raw: string; host: [string]; path: string[]; query: Entry[]; variable: Entry[] };
  header: Entry[];
  /** The headers have the credentials. */
  auth: { type: 'noauth' };
  body?:
    | undefined
    | { mode: 'raw'; raw: string; options: { raw: { language: 'json' | 'text' } } }
    | { mode: 'urlencoded'; urlencoded: Entry[] };
}

interface PostmanCollection {
  info: { name: string; description: string; schema: string };
  variable: Entry[];
  item: {
    name: string;
    description: string;
    item: { name: string; request: PostmanRequest }[];
  }[];
}

/**
 * The variables of the collection, with placeholders of the documentation as values: a local
 * deployment fills in the key of its demo. Names and placeholders differ, since both are written in
 * double braces.
 */
const variables = {
  serviceUrl: ['{{origin}}', 'Address of the service.'],
  alias: ['{{store}}', 'Alias of the store.'],
  userToken: ['{{user_token}}', 'First half of the API key.'],
  userSecretKey: ['{{user_secret}}', 'Second half of the API key.'],
  operatorToken: ['{{operator_token}}', 'First half of the API key of an operator.'],
  operatorSecretKey: ['{{operator_secret}}', 'Second half of the API key of an operator.'],
  accessToken: ['', 'Access token of an app, which takes the place of an API key.'],
  clientId: ['', 'Client id of the app.'],
} as const satisfies Record<string, readonly [value: string, description: string]>;

type VariableName = keyof typeof variables;

const use = (name: VariableName) => `{{${name}}}`;

/**
 * Returns all operations as a collection of Postman (format 2.1), which Bruno and other programs
 * import, too. Each tag is a folder.
 */
export const postmanCollection = (
  document: OpenApiDocument,
  { tags }: Pick<ReferenceIndex, 'tags'>,
): PostmanCollection => ({
  info: {
    name: document.info.title,
    description: document.info.description,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  variable: Object.entries(variables).map(([key, [value, description]]) => ({
    key,
    value,
    description,
  })),
  item: tags.map(({ name, description, operations }) => ({
    name,
    description,
    item: operations.map((located) => ({
      name: located.operation.summary,
      request: requestOf(document, located),
    })),
  })),
});

function requestOf(
  document: OpenApiDocument,
  { method, path, operation }: LocatedOperation,
): PostmanRequest {
  const all = (operation.parameters ?? []).map((one) => resolveParameter(document, one));
  const parametersIn = (place: ParameterObject['in']) => all.filter((one) => one.in === place);
  const server = (operation.servers ?? document.servers)[0]?.url ?? '';
  const parts = `${server.replace(/^https?:\/\/[^/]*/, '')}${path}`
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part === '{alias}' ? use('alias') : part.replaceAll(/\{(\w+)\}/g, ':$1')));
  const query = parametersIn('query').map(optionalEntry);
  const sent = query.filter(({ disabled }) => !disabled);
  const search = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&');
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
  return {
    method,
    description: operation.description ?? operation.summary,
    url: {
      raw: `${use('serviceUrl')}/${parts.join('/')}${search === '' ? '' : `?${search}`}`,
      host: [use('serviceUrl')],
      path: parts,
      query,
      variable: parametersIn('path')
        .filter(({ name }) => name !== 'alias')
        .map(entryOf),
    },
    header: [
      ...credentialsOf(operation, document),
      ...parametersIn('header').map(optionalEntry),
      ...(type === undefined ? [] : [{ key: 'Content-Type', value: type }]),
    ],
    auth: { type: 'noauth' },
    ...(type !== undefined && content && { body: bodyOf(type, content) }),
  };
}

/**
 * The headers of each security scheme. Those of an API key are sent, those of an app only once they
 * are switched on.
 */
const credentials: Readonly<Record<string, readonly [header: string, value: string]>> = {
  userToken: ['User-Token', use('userToken')],
  userSecretKey: ['User-Secret-Key', use('userSecretKey')],
  oauth: ['Authorization', `Bearer ${use('accessToken')}`],
  partnerClientId: ['X-Partner-Client-ID', use('clientId')],
};

const operatorCredentials: typeof credentials = {
  userToken: ['User-Token', use('operatorToken')],
  userSecretKey: ['User-Secret-Key', use('operatorSecretKey')],
};

const credentialsOf = (
  { security, 'x-scope': scope }: OperationObject,
  document: OpenApiDocument,
): Entry[] =>
  (security ?? document.security).flatMap((schemes, index) =>
    Object.keys(schemes).map((scheme) => {
      const [key, value] = (scope === 'operator' ? operatorCredentials : credentials)[scheme] ?? [];
      if (key === undefined || value === undefined) throw new Error(`unknown scheme ${scheme}`);
      return { key, value, ...(index > 0 && { disabled: true }) };
    }),
  );

const entryOf = ({ name, description, example, schema }: ParameterObject): Entry => ({
  key: name,
  value: textOfValue(example ?? schema.default ?? schema.examples?.[0] ?? schema.enum?.[0] ?? 1),
  description,
});

const optionalEntry = (parameter: ParameterObject): Entry => ({
  ...entryOf(parameter),
  ...(!parameter.required && { disabled: true }),
});

const textOfValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function bodyOf(type: string, { example, examples }: MediaType): PostmanRequest['body'] {
  const value = example ?? Object.values(examples ?? {})[0]?.value ?? {};
  if (type !== 'application/x-www-form-urlencoded') {
    const raw = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    const language = type === 'application/json' ? 'json' : 'text';
    return { mode: 'raw', raw, options: { raw: { language } } };
  }
  const urlencoded = Object.entries(value).map(([key, text]) => ({
    key,
    value: textOfValue(text),
  }));
  return { mode: 'urlencoded', urlencoded };
}
