import { innerComponent, innerRecord } from './inherit-descriptions.ts';
import { mapChildren } from './normalize-schema.ts';
import type { JsonSchema, JsonSchemas } from './types.ts';

/** A request body, with the record that its operation returns. */
export interface InputBody {
  operationId: string;
  schema: JsonSchema;
  record: JsonSchema;
}

/** Objects of the same structure, which become one component. */
interface InputGroup {
  schema: JsonSchema;
  /** Possible names; the shortest free one is used. */
  names: string[];
  description: string;
}

/** Verbs whose body is described by the noun that follows them. */
const verbSuffixes: Record<string, string> = {
  create: 'Input',
  add: 'Input',
  remove: 'Input',
  update: 'Patch',
  change: 'Patch',
  list: 'Filter',
};

const pascal = (name: string) =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const singular = (name: string) => name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');

/** Returns the possible names of a body: `createBrand` takes a `BrandInput`, `updateBrand` a `BrandPatch`. */
function bodyNames(operationId: string, { properties = {} }: JsonSchema): string[] {
  // Many operations of operators take nothing else.
  if (Object.keys(properties).join() === 'reason') return ['ReasonInput'];
  const [, verb = '', noun = ''] = /^([a-z]+)(.*)$/.exec(operationId) ?? [];
  const suffix = verbSuffixes[verb];
  return [...(suffix === undefined ? [] : [noun + suffix]), `${pascal(operationId)}Input`];
}

/** A change keeps the fields that it does not name. */
const describeBody = (operationId: string, meaning = '') =>
  /^(?:update|change)/.test(operationId) && meaning !== ''
    ? `${meaning} Fields that are left out keep their value.`
    : meaning;

/**
 * Makes each object of the bodies a component and returns the bodies as references, in the same order. Objects of the same
 * structure share one, with the first meaning that one of their operations has.
 */
export function nameInputs(
  bodies: readonly InputBody[],
  meanings: Readonly<Record<string, string>>,
  schemas: JsonSchemas,
  register: (name: string, schema: JsonSchema) => JsonSchema,
): JsonSchema[] {
  const groups = new Map<string, InputGroup>();
  const add = (schema: JsonSchema, names: readonly string[], description: string) => {
    const key = structureOf(schema);
    const known = groups.get(key);
    if (known) {
      known.names.push(...names);
      known.description ||= description;
    } else groups.set(key, { schema, names: [...names], description });
  };
  const addInner = (schema: JsonSchema, record: JsonSchema, base: string) => {
    const [, noun = '', suffix = 'Input'] = /^(.*?)(Input|Patch|Filter)?$/.exec(base) ?? [];
    const { properties: fields = {} } = innerRecord(record, schemas);
    for (const [field, child] of Object.entries(schema.properties ?? {})) {
      const source = fields[field] ?? {};
      const component = innerComponent(source);
      const own = `${noun}${pascal(singular(field))}${suffix}`;
      for (const inner of objectsIn(child)) {
        const names = component === '' ? [own] : [component + suffix, own];
        const meaning = schemas[component]?.description ?? child.description ?? '';
        add(inner, names, `${meaning} As ${base} takes it in ${field}.`);
        addInner(inner, source, own);
      }
    }
  };
  for (const { operationId, schema } of bodies) {
    const meaning = describeBody(operationId, meanings[operationId]);
    add(schema, bodyNames(operationId, schema), meaning);
  }
  for (const { operationId, schema, record } of bodies) {
    addInner(schema, record, bodyNames(operationId, schema)[0] ?? '');
  }
  const nameByStructure = new Map<string, string>();
  const taken = new Set(Object.keys(schemas));
  for (const [key, { names }] of groups) {
    const name = names
      .toSorted((one, other) => one.length - other.length)
      .find((candidate) => !taken.has(candidate));
    if (name === undefined) throw new Error(`no free name for ${names.join(', ')}`);
    taken.add(name);
    nameByStructure.set(key, name);
  }
  const replaceObjects = (schema: JsonSchema): JsonSchema => {
    if (!schema.properties) return mapChildren(schema, replaceObjects);
    const key = structureOf(schema);
    const name = nameByStructure.get(key) ?? '';
    const inner = mapChildren(schema, replaceObjects);
    const { description, default: fallback, ...object } = inner;
    const reference = register(name, {
      description: groups.get(key)?.description ?? '',
      ...object,
    });
    return {
      ...reference,
      ...(description !== undefined && { description }),
      ...(fallback !== undefined && { default: fallback }),
    };
  };
  return bodies.map(({ schema }) => replaceObjects(schema));
}

/** Returns the structure that two objects of one component share: all but the texts about the field that holds them. */
const structureOf = (object: JsonSchema): string =>
  JSON.stringify({ ...object, description: undefined, default: undefined });

/** The outermost objects with named members inside a field. */
function objectsIn(schema: JsonSchema): JsonSchema[] {
  if (schema.properties) return [schema];
  return [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].flatMap(objectsIn);
}
