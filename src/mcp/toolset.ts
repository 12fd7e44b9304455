import { HttpError } from '../base/errors.ts';
import type { Scope, ScopeArea } from '../data/grants/scopes.ts';
import { scopeAreas } from '../data/grants/scopes.ts';
import type { Tool } from './tool.ts';

/** Above so many tools, a model gets those that find and call the others. */
const maxListed = 40;

/** The choice in the address of the server: `/mcp?toolsets=catalog,orders&read_only=1`. */
export interface ToolChoice {
  /** Areas of scopes; `undefined` for all. */
  toolsets: readonly ScopeArea[] | undefined;
  isReadOnly: boolean;
}

/**
 * Reads the choice from the query of the address. A toolset is an area of scopes. Throws a 400 for
 * one that does not exist.
 */
export function readChoice(query: URLSearchParams): ToolChoice {
  const named = query.get('toolsets')?.split(',').filter(Boolean);
  const isToolset = (name: string): name is ScopeArea =>
    (scopeAreas as readonly string[]).includes(name);
  if (named && !named.every(isToolset)) {
    const message = `Must be areas, separated by commas: ${scopeAreas.join(', ')}.`;
    throw new HttpError('invalid_query', { errors: { toolsets: [message] } });
  }
  const readOnly = query.get('read_only') ?? '0';
  if (!['0', '1', 'false', 'true'].includes(readOnly)) {
    throw new HttpError('invalid_query', { errors: { read_only: ['Must be 1 or 0.'] } });
  }
  return {
    toolsets: named?.filter(isToolset),
    isReadOnly: readOnly === '1' || readOnly === 'true',
  };
}

/** Whether the address offers a tool. */
export const isChosen = (tool: Tool, { toolsets, isReadOnly }: ToolChoice): boolean =>
  (toolsets?.includes(tool.area) ?? true) && (!isReadOnly || tool.annotations.readOnlyHint);

/** The tools that the address offers, and that the scopes of the caller allow. */
export const offeredTools = (
  tools: readonly Tool[],
  choice: ToolChoice,
  caller: { hasScope: (scope: Scope) => boolean },
): Tool[] =>
  tools.filter(
    (tool) => isChosen(tool, choice) && (tool.scope === null || caller.hasScope(tool.scope)),
  );

/** Whether these tools are found by search instead of being listed. */
export const isSearched = (tools: readonly Tool[]): boolean => tools.length > maxListed;
