import type * as z from 'zod';
import { insufficientScope } from '../../base/errors.ts';
import type { Scope } from '../../data/grants/scopes.ts';
import type { Principal } from './principal.ts';

/**
 * The requirement, beside the access to an operation, to see or to send a field: a scope, or an API key that was not
 * limited to some scopes.
 */
export type FieldRequirement = Scope | 'api-key';

/** The key of the requirement in the metadata of a schema, and in the published JSON schema. */
export const requirementKey = 'x-requires';

/**
 * Marks a field that not every caller of its operations may see or send. In a response it is omitted, or null if it is
 * not optional. An `include` that names it, and a body that has it, are a 403.
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
 * Throws a 403 that names all scopes which the caller lacks. A field that only an API key may see is never sent or
 * included.
 */
export function assertMaySee(principal: Principal, requirements: readonly FieldRequirement[]) {
  const missing = requirements.filter((requirement) => !maySee(principal, requirement));
  if (missing.length === 0) return;
  if (missing.includes('api-key')) throw new Error('a request cannot name what needs an API key');
  throw insufficientScope(missing, principal.clientId === null ? 'api-key' : 'app');
}
