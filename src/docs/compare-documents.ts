import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../http/openapi/types.ts';

/** A change of the API between two of its documents. */
export interface DocumentChange {
  /** An operation (`GET /v2/orders`), an event or a schema of the document. */
  place: string;
  text: string;
  /**
   * Whether it breaks a promise of the guide about versions, so that code which works may stop
   * working.
   */
  breaks: boolean;
}

/** Who writes a value: callers send it in requests, the service in answers and events. */
type Direction = 'sent' | 'received';

/**
 * Compares two OpenAPI documents of this service. Returns the changes that callers and receivers
 * can notice, in the order of the newer document; texts and examples are not compared.
 */
export function compareDocuments(before: OpenApiDocument, after: OpenApiDocument) {
  return new Comparison(before, after).run();
}

type Document = Pick<OpenApiDocument, 'paths' | 'webhooks' | 'components'>;

/** The operations of a document by their place. */
const operationsOf = ({ paths, webhooks }: Document) =>
  new Map<string, OperationObject>([
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    ),
    ...Object.entries(webhooks).flatMap(([name, methods]) =>
      Object.values(methods).map((operation) => [`event ${name}`, operation] as const),
    ),
  ]);

class Comparison {
  readonly #before: Document;
  readonly #after: Document;
  readonly #changes: DocumentChange[] = [];
  /** The pairs of schemas that are compared already, with their direction. */
  readonly #compared = new Set<string>();

  constructor(before: Document, after: Document) {
    this.#before = before;
    this.#after = after;
  }

  run(): DocumentChange[] {
    const [before, after] = [operationsOf(this.#before), operationsOf(this.#after)];
    for (const [place, operation] of after) {
      const former = before.get(place);
      if (!former) this.#add(place, 'is new', false);
      else if (place.startsWith('event ')) this.#compareEvent(place, former, operation);
      else this.#compareOperation(place, former, operation);
    }
    for (const place of before.keys()) if (!after.has(place)) this.#add(place, 'is gone', true);
    return this.#changes;
  }

  #add(place: string, text: string, breaks: boolean): void {
    this.#changes.push({ place, text, breaks });
  }

  #compareOperation(place: string, before: OperationObject, after: OperationObject): void {
    if (after.deprecated && !before.deprecated) this.#add(place, 'is deprecated', false);
    if (before['x-scope'] !== after['x-scope']) {
      this.#add(place, `needs the scope ${after['x-scope']}, not ${before['x-scope']}`, true);
    }
    this.#compareParameters(place, before, after);
    this.#compareContent(place, 'body', 'sent', before.requestBody, after.requestBody);
    for (const [status, response] of Object.entries(after.responses)) {
      const former = before.responses[status];
      if (!former) this.#add(place, `may answer ${status}`, isSuccess(status));
      else {
        const pair = [resolve(this.#before, former), resolve(this.#after, response)] as const;
        this.#compareHeaders(place, status, ...pair);
        this.#compareContent(place, `body of ${status}`, 'received', ...pair);
      }
    }
    for (const status of Object.keys(before.responses)) {
      if (!after.responses[status])
        this.#add(place, `no longer answers ${status}`, isSuccess(status));
    }
  }

  /** The service sends events, so their body is received. */
  #compareEvent(place: string, before: OperationObject, after: OperationObject): void {
    const [former, names] = [parametersOf(this.#before, before), parametersOf(this.#after, after)];
    for (const name of names.keys()) {
      if (!former.has(name)) this.#add(place, `has ${name}`, false);
    }
    for (const [name, { required }] of former) {
      if (!names.has(name)) this.#add(place, `no longer has ${name}`, required);
    }
    this.#compareContent(place, 'body', 'received', before.requestBody, after.requestBody);
  }

  #compareParameters(place: string, before: OperationObject, after: OperationObject): void {
    const former = parametersOf(this.#before, before);
    const now = parametersOf(this.#after, after);
    for (const [name, parameter] of now) {
      const { required, schema } = parameter;
      const old = former.get(name);
      if (!old) this.#add(place, `takes ${name}${required ? ', required' : ''}`, required);
      else {
        if (required && !old.required) this.#add(place, `requires ${name}`, true);
        this.#compareSchemas(place, name, 'sent', old.schema, schema);
      }
    }
    for (const name of former.keys()) {
      if (!now.has(name)) this.#add(place, `no longer takes ${name}`, true);
    }
  }

  #compareHeaders(place: string, status: string, before: ResponseObject, after: ResponseObject) {
    for (const name of Object.keys(after.headers ?? {})) {
      if (!before.headers?.[name]) this.#add(place, `answers ${status} with ${name}`, false);
    }
    for (const name of Object.keys(before.headers ?? {})) {
      if (!after.headers?.[name]) this.#add(place, `answers ${status} without ${name}`, true);
    }
  }

  #compareContent(
    place: string,
    part: string,
    direction: Direction,
    before: Pick<ResponseObject, 'content'> & { required?: boolean } = {},
    after: Pick<ResponseObject, 'content'> & { required?: boolean } = {},
  ): void {
    if (after.required && !before.required) this.#add(place, 'requires a body', true);
    for (const [type, { schema }] of Object.entries(after.content ?? {})) {
      const former = before.content?.[type];
      if (former) this.#compareSchemas(place, part, direction, former.schema, schema);
      else this.#add(place, `${part}: may be ${type}`, direction === 'received');
    }
    for (const type of Object.keys(before.content ?? {})) {
      if (!after.content?.[type]) this.#add(place, `${part}: is never ${type}`, true);
    }
  }

  /**
   * `part` is the path of the value below `place`. A named schema is a place of its own, and
   * compared once.
   */
  #compareSchemas(
    place: string,
    part: string,
    direction: Direction,
    before: JsonSchema,
    after: JsonSchema,
  ): void {
    const [old, now] = [shapeOf(this.#before, before), shapeOf(this.#after, after)];
    const at = (name: string) => (name === '' ? '' : `${name}: `);
    if (now.isNullable && !old.isNullable) {
      this.#add(place, `${at(part)}may be null`, direction === 'received');
    }
    if (old.isNullable && !now.isNullable) {
      this.#add(place, `${at(part)}is never null`, direction === 'sent');
    }
    const { name } = now;
    if (name !== undefined) {
      const key = `${direction} ${old.name ?? `${place} ${part}`} ${name}`;
      if (this.#compared.has(key)) return;
      this.#compared.add(key);
    }
    const isNamed = name !== undefined && old.name === name;
    const [from, below] = isNamed ? [name, ''] : [place, part];
    const add = (text: string, breaks: boolean) => this.#add(from, `${at(below)}${text}`, breaks);
    if (old.kind !== now.kind) {
      add(`is ${now.kind}, was ${old.kind}`, true);
      return;
    }
    for (const [index, variant] of now.variants.entries()) {
      const former = old.variants[index];
      if (former) this.#compareSchemas(from, below, direction, former, variant);
    }
    compareValues(old.schema, now.schema, direction, add);
    compareLimits(old.schema, now.schema, direction, add);
    this.#compareFields(from, below, direction, old.schema, now.schema);
    const [oldItems, items] = [old.schema.items, now.schema.items];
    if (oldItems && items) this.#compareSchemas(from, `${below}[]`, direction, oldItems, items);
  }

  #compareFields(
    place: string,
    part: string,
    direction: Direction,
    before: JsonSchema,
    after: JsonSchema,
  ): void {
    const isSent = direction === 'sent';
    const verb = isSent ? 'takes' : 'has';
    for (const [field, schema] of Object.entries(after.properties ?? {})) {
      const path = part === '' ? field : `${part}.${field}`;
      const former = before.properties?.[field];
      const isRequired = after.required?.includes(field) ?? false;
      if (!former) {
        const isNewDuty = isSent && isRequired;
        this.#add(place, `${verb} ${path}${isNewDuty ? ', required' : ''}`, isNewDuty);
        continue;
      }
      const wasRequired = before.required?.includes(field) ?? false;
      if (isRequired && !wasRequired) {
        this.#add(place, isSent ? `requires ${path}` : `always has ${path}`, isSent);
      }
      if (wasRequired && !isRequired) {
        this.#add(place, isSent ? `no longer requires ${path}` : `may lack ${path}`, !isSent);
      }
      this.#compareSchemas(place, path, direction, former, schema);
    }
    for (const field of Object.keys(before.properties ?? {})) {
      const path = part === '' ? field : `${part}.${field}`;
      if (!after.properties?.[field]) this.#add(place, `no longer ${verb} ${path}`, true);
    }
  }
}

type Add = (text: string, breaks: boolean) => void;

/**
 * Compares the values that an enum lists. The service may add values; callers must not lose one
 * that they send.
 */
function compareValues(
  before: JsonSchema,
  after: JsonSchema,
  direction: Direction,
  add: Add,
): void {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (!old && !now) return;
  if (!old) add(`is one of ${now?.join(', ')}`, direction === 'sent');
  else if (!now) add('may be any value', false);
  else {
    const [added, gone] = [
      now.filter((v) => !old.includes(v)),
      old.filter((v) => !now.includes(v)),
    ];
    if (added.length > 0) add(`may be ${added.join(', ')}`, false);
    if (gone.length > 0) add(`is never ${gone.join(', ')}`, direction === 'sent');
  }
}

const valuesOf = ({ enum: values, const: value }: JsonSchema) =>
  (values ?? (value === undefined ? undefined : [value]))?.map((one) => JSON.stringify(one));

/** The limits of a value, with whether a larger number is stricter. */
const limits = {
  minimum: true,
  exclusiveMinimum: true,
  minLength: true,
  minItems: true,
  maximum: false,
  maxLength: false,
  maxItems: false,
  maxProperties: false,
} as const;

/** Compares the limits of a value that callers send; the service may send less than it could. */
function compareLimits(
  before: JsonSchema,
  after: JsonSchema,
  direction: Direction,
  add: Add,
): void {
  if (direction === 'received') return;
  for (const [limit, isLeast] of Object.entries(limits) as [keyof typeof limits, boolean][]) {
    const [old, now] = [before[limit], after[limit]];
    if (old === now) continue;
    const isStricter =
      now !== undefined && (old === undefined || (isLeast ? now > old : now < old));
    add(`${limit} is ${now ?? 'absent'}, was ${old ?? 'absent'}`, isStricter);
  }
  if (before.pattern !== after.pattern) {
    add(
      `pattern is ${after.pattern ?? 'absent'}, was ${before.pattern ?? 'absent'}`,
      after.pattern !== undefined,
    );
  }
}

const isSuccess = (status: string) => status.startsWith('2');

/** Follows a reference into the components of a document. */
function resolve<T extends object>({ components }: Document, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return (components as unknown as Record<string, Record<string, T>>)[kind]![name]!;
}

const parametersOf = (document: Document, { parameters = [] }: OperationObject) =>
  new Map(
    parameters.map((parameter) => {
      const resolved = resolve<ParameterObject>(document, parameter);
      return [`${resolved.in} ${resolved.name}`, resolved] as const;
    }),
  );

interface Shape {
  /** The name in the components of the document, if it has one. */
  name: string | undefined;
  schema: JsonSchema;
  /** The type in JSON, or the types where a value has several. */
  kind: string;
  isNullable: boolean;
  /** The alternatives of a value that has several. */
  variants: readonly JsonSchema[];
}

/**
 * Reads a schema without its spellings: a reference, null as a type or an alternative, and a single
 * alternative.
 */
function shapeOf(document: Document, given: JsonSchema): Shape {
  const schema = resolve<JsonSchema>(document, given);
  const name = given.$ref?.split('/').at(-1);
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  const variants = alternatives.filter(({ type }) => type !== 'null');
  const types = [schema.type ?? []].flat();
  const isNullable = types.includes('null') || variants.length < alternatives.length;
  const [only] = variants;
  if (only && variants.length === 1) {
    const shape = shapeOf(document, only);
    return { ...shape, name: name ?? shape.name, isNullable: isNullable || shape.isNullable };
  }
  const kinds = variants.map((variant) => shapeOf(document, variant).kind);
  const own = types.filter((type) => type !== 'null');
  const kind = [...new Set([...own, ...kinds])].join(' or ') || 'any value';
  return { name, schema, kind, isNullable, variants };
}
