import {
  coversScope,
  scopeAreas,
  scopesFromBits,
  scopesToBits,
  type Scope,
  type ScopeArea,
} from '../../data/grants/scopes.ts';

/** Areas that a person ticks one by one: money, customers and settings. */
const sensitiveAreas = new Set<ScopeArea>([
  'customers',
  'transactions',
  'payments',
  'config',
  'webhooks',
]);

/** The areas that an agent asks for, as the consent page offers them. */
interface OfferedAreas {
  /** Ticked at first. */
  usual: ScopeArea[];
  /** Not ticked at first. */
  sensitive: ScopeArea[];
  /** Whether the agent asks to change anything. */
  hasChanges: boolean;
}

/** Returns the areas of the scopes that an agent asks for. */
export function offeredAreas(asked: number): OfferedAreas {
  const names = scopesFromBits(asked);
  const areas = scopeAreas.filter((area) => coversScope(names, `${area}.read`));
  return {
    usual: areas.filter((area) => !sensitiveAreas.has(area)),
    sensitive: areas.filter((area) => sensitiveAreas.has(area)),
    hasChanges: [...names].some((scope) => scope.endsWith('.write')),
  };
}

/**
 * Returns the scopes that a person chose, as bits: of each ticked area what the agent asks for, or
 * only to read it. 0 if nothing was ticked. What the agent did not ask for stays out.
 */
export function chosenScopes(
  asked: number,
  { mayChange, areas }: { mayChange: boolean; areas: readonly string[] },
): number {
  const names = scopesFromBits(asked);
  const chosen = scopeAreas.flatMap((area): Scope[] => {
    if (!areas.includes(area)) return [];
    if (mayChange && names.has(`${area}.write`)) return [`${area}.write`];
    return coversScope(names, `${area}.read`) ? [`${area}.read`] : [];
  });
  return scopesToBits(new Set(chosen));
}
