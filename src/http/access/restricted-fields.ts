import * as z from 'zod';
import { innerSchema, partsOf, type AnySchema } from '../../base/codecs/zod-adapter.ts';
import { insufficientScope } from '../../base/errors.ts';
import type { Scope } from '../../data/grants/scopes.ts';
import type { Principal } from './principal.ts';

/**
 * The requirement, beside the access to an operation, to see or to send a field. It is a scope, or
 * an API key that was not limited to some scopes.
 */
export type FieldRequirement = Scope | 'api-key';

/** The key of the requirement in the metadata of a schema, and in the published JSON schema. */
export const requirementKey = 'x-requires';

/**
 * Marks a field that not every caller of its operations may see or send. In a response it is
 * omitted, or null if it is not optional. An `include` that names it, and a body that has it, are a
 * 403.
 */
export const restrictedTo = <S extends z.ZodType>(requirement: FieldRequirement, schema: S): S =>
  schema.meta({ [requirementKey]: requirement });

/** Whether a caller may see a field. */
export const maySee = (
  { clientId, isRestricted, hasScope }: Pick<Principal, 'clientId' | 'isRestricted' | 'hasScope'>,
  requirement: FieldRequirement,
): boolean =>
  requirement === 'api-key' ? clientId === null && !isRestricted : hasScope(requirement);

/**
 * Throws a 403 that names all scopes which the caller lacks. A field that only an API key may see
 * is never sent or included.
 */
export function assertMaySee(principal: Principal, requirements: readonly FieldRequirement[]) {
  const missing = requirements.filter((requirement) => !maySee(principal, requirement));
  if (missing.length === 0) return;
  if (missing.includes('api-key')) throw new Error('a request cannot name what needs an API key');
  throw insufficientScope(missing, principal.clientId === null ? 'api-key' : 'app');
}

/** A field that `restrictedTo` marked. */
interface RestrictedField {
  path: readonly string[];
  requirement: FieldRequirement;
  isOptional: boolean;
}

/** In a path: every item of an array. */
const everyItem = '*';

/** The path segments around the records of a response. */
const envelope: ReadonlySet<string> = new Set(['data', everyItem]);

const knownFields = new WeakMap<AnySchema, readonly RestrictedField[]>();

/** The restricted fields of a body or a response. */
function restrictedFields(schema: AnySchema): readonly RestrictedField[] {
  const known = knownFields.get(schema);
  if (known) return known;
  const found = [...findRestricted(schema, [])];
  knownFields.set(schema, found);
  return found;
}

function* findRestricted(
  schema: AnySchema,
  path: readonly string[],
  isOptional = false,
): Generator<RestrictedField> {
  const requirement = z.globalRegistry.get(schema)?.[requirementKey];
  if (requirement !== undefined) {
    // Only `restrictedTo` writes this key.
    yield { path, requirement: requirement as FieldRequirement, isOptional };
    return;
  }
  const def = partsOf(schema);
  if (def.type === 'object') {
    for (const [name, member] of Object.entries(def.shape)) {
      yield* findRestricted(member, [...path, name]);
    }
  } else if (def.type === 'array') {
    yield* findRestricted(def.element, [...path, everyItem]);
  } else if (def.type === 'union') {
    for (const option of def.options) yield* findRestricted(option, path, isOptional);
  } else {
    const inner = innerSchema(schema);
    if (inner) yield* findRestricted(inner, path, isOptional || def.type === 'optional');
  }
}

/** Returns a response body without the fields that the caller may not see. */
export const withhold = (body: unknown, schema: z.ZodType, principal: Principal): unknown =>
  withheldFields(schema, principal).reduce(
    (rest, { path, isOptional }) => without(rest, path, isOptional),
    body,
  );

/** Does the same to a stored response: the token that stored it may have had other scopes. */
export const withholdFromText = (text: string, schema: z.ZodType, principal: Principal): string =>
  withheldFields(schema, principal).length === 0
    ? text
    : JSON.stringify(withhold(JSON.parse(text), schema, principal));

const withheldFields = (schema: z.ZodType, principal: Principal) =>
  restrictedFields(schema).filter(({ requirement }) => !maySee(principal, requirement));

function without(value: unknown, path: readonly string[], isOptional: boolean): unknown {
  const [name = '', ...deeper] = path;
  if (name === everyItem) {
    return Array.isArray(value) ? value.map((item) => without(item, deeper, isOptional)) : value;
  }
  if (!hasMember(value, name)) return value;
  const { [name]: member, ...others } = value;
  if (deeper.length > 0) return { ...value, [name]: without(member, deeper, isOptional) };
  return isOptional ? others : { ...value, [name]: null };
}

/**
 * The restricted relations of the records of a response, which `include` can name, with their
 * requirements.
 */
export const restrictedRelations = (reply: z.ZodType): ReadonlyMap<string, FieldRequirement> =>
  new Map(
    restrictedFields(reply)
      .map((field) => ({ ...field, path: field.path.filter((name) => !envelope.has(name)) }))
      .filter(({ path, isOptional }) => isOptional && path.length === 1)
      .map(({ path: [name = ''], requirement }) => [name, requirement]),
  );

/** The requirements of the relations that an `include` names. */
export function includeRequirements(reply: z.ZodType, names: readonly string[]) {
  const relations = restrictedRelations(reply);
  return names.flatMap((name) => relations.get(name) ?? []);
}

/** The names of an `include` that the caller may see. */
export function visibleIncludes(principal: Principal, reply: z.ZodType, names: readonly string[]) {
  const relations = restrictedRelations(reply);
  return names.filter((name) => {
    const requirement = relations.get(name);
    return !requirement || maySee(principal, requirement);
  });
}

/** The requirements of the fields that a body has. A field that is null asks for nothing. */
export const sentRequirements = (schema: z.ZodType, body: unknown): FieldRequirement[] =>
  restrictedFields(schema)
    .filter(({ path }) => hasValue(body, path))
    .map(({ requirement }) => requirement);

function hasValue(value: unknown, [name, ...deeper]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined && value !== null;
  if (name === everyItem) {
    return Array.isArray(value) && value.some((item) => hasValue(item, deeper));
  }
  return hasMember(value, name) && hasValue(value[name], deeper);
}

const hasMember = (value: unknown, name: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);
