/** A JSON schema (draft 2020-12), as far as the document uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  additionalProperties?: boolean | JsonSchema;
  not?: JsonSchema;
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  /** The meaning of each value of an enum. */
  'x-enumDescriptions'?: Record<string, string>;
  /** The requirement to see or to send the field (see `restrictedTo`). */
  'x-requires'?: string;
  /** `outside` for texts that nobody of the store wrote (see `writtenOutside`). */
  'x-written-by'?: string;
  /** Only while the document is built: how the value is read. */
  'x-note'?: string;
  /** Only while the document is built: what the fields of an object mean (see `explain`). */
  'x-meanings'?: Record<string, string>;
  /** Only while the document is built: what fields without a text mean (see `explainBody`). */
  'x-fallback-meanings'?: Record<string, string>;
}

export type JsonSchemas = Record<string, JsonSchema>;

export interface Reference {
  $ref: string;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  /** `form` without `explode`: the values of a list are separated by commas. */
  style?: 'form';
  explode?: false;
  example?: unknown;
  /** A filter that does what `search` does with its field. */
  'x-search'?: true;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface HeaderObject {
  description: string;
  schema: JsonSchema;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, HeaderObject | Reference>;
  content?: Record<string, MediaType>;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: true;
  'x-scope': string;
  /** Whether its tool can try the change. */
  'x-dry-run'?: true;
  /**
   * The media types in which QUERY on the path takes the query parameters; a path item of OpenAPI
   * 3.1 has no QUERY.
   */
  'x-query'?: string[];
  /** Where the operation is, if not at the server of the document. */
  servers?: Server[];
  security?: Record<string, string[]>[];
  parameters?: (ParameterObject | Reference)[];
  requestBody?: { description?: string; required: boolean; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject | Reference>;
  /** How programs call it. */
  'x-codeSamples'?: CodeSample[];
}

/** How a program in one language calls an operation. */
interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** One path: its operations by method in lower case. */
export type PathItem = Record<string, OperationObject>;

export interface SecurityScheme {
  type: 'apiKey' | 'oauth2' | 'http';
  description: string;
  in?: 'header';
  name?: string;
  scheme?: 'basic';
  flows?: Record<
    string,
    {
      authorizationUrl: string;
      tokenUrl: string;
      refreshUrl: string;
      scopes: Record<string, string>;
    }
  >;
}

interface Server {
  url: string;
  description: string;
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: Server[];
  tags: { name: string; description?: string }[];
  'x-tagGroups': readonly { name: string; tags: readonly string[] }[];
  security: Record<string, string[]>[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: Components;
}

export interface Components {
  schemas: JsonSchemas;
  responses: Record<string, ResponseObject>;
  parameters: Record<string, ParameterObject>;
  headers: Record<string, HeaderObject>;
  securitySchemes: Record<string, SecurityScheme>;
}
