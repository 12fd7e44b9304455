import type { Context } from 'hono';
import { HttpError, storeNotAccessible } from '../base/errors.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { type Scope, type ScopeArea, scopeAreas } from '../data/grants/scopes.ts';
import { verifyAccessToken, bearerToken } from '../http/access/access-token.ts';
import { authenticateRequest, ensureGuarded } from '../http/access/admit.ts';
import type { Principal } from '../http/access/principal.ts';
import type { AppEnv } from '../http/app-env.ts';
import { operation } from '../http/operation.ts';
import { emptyObject } from '../http/replies.ts';
import { type Tool, type ToolFile, toolFilePath, type Arguments, type ToolSchema } from './tool.ts';

/**
 * The unit of rate limits for what an assistant asks of this server itself; calls of tools count as
 * those of the API.
 */
const limitTag = 'Assistants';

/**
 * The server's own work, as an operation that `admit` knows. It is in no document and has no route.
 */
const [ofStore, ofAccount] = (['GET /{alias}/mcp', 'GET /mcp'] as const).map((route) =>
  operation({
    id: 'mcp',
    route,
    access: 'signed-in',
    reply: emptyObject(),
    errors: [],
    run: () => Promise.resolve({}),
  }),
) as [ReturnType<typeof operation>, ReturnType<typeof operation>];

/** Nothing is written, so no endpoint has a new delivery. */
const noEvents = { wakeEndpoints: () => Promise.resolve() };

/** The credentials that a request came with, and the store that they open. */
export interface Assistant {
  alias: string;
  /**
   * Checks the credentials for this store, once: 401, 403 or 429. A call of an operation needs it
   * not, which does so itself.
   */
  admit: () => Promise<Principal>;
  /** Whether they were checked here. */
  isAsked: () => boolean;
}

/**
 * Finds the store of a request: that of its access token; or `named`, or the only one that its API
 * key opens. Marks the request as one over `/mcp`. Throws a 401 for credentials that are missing or
 * wrong.
 */
export async function identifyAssistant(
  c: Context<AppEnv>,
  named: string | undefined,
): Promise<Assistant> {
  const { tokenKeys } = c.get('settings');
  const { headers } = c.req.raw;
  const token = bearerToken(headers.get('Authorization'));
  const claims = token && (await verifyAccessToken(tokenKeys, token, Date.now()));
  c.set('assistantCall', { isTried: false, earlierKey: undefined });
  const own = claims ? claims.alias : undefined;
  const alias = token ? own && (named ?? own) : (named ?? (await onlyStore(c)));
  if (alias === undefined || !/^[\w-]+$/.test(alias)) {
    await authenticateRequest(ofAccount, limitTag, noEvents)(c);
    throw storeNotAccessible();
  }
  let admitted: Promise<Principal> | undefined;
  const enter = async () => {
    await authenticateRequest(ofStore, limitTag, noEvents, () => alias)(c);
    await ensureGuarded(c);
    return c.get('admitted').principal;
  };
  const admit = () => (admitted ??= enter());
  // The directory knows whether the store of a token is or was called so.
  if (own !== undefined && alias !== own) await admit();
  return { alias, admit, isAsked: () => admitted !== undefined };
}

/** The only stores of API keys. Short: a key that opens a second store must name one. */
const onlyStores = new TtlCache<string>(30_000, 5_000);

/**
 * The alias of the only active store that an API key opens. Throws a 400 if there are several, a
 * 403 if there is none.
 */
async function onlyStore(c: Context<AppEnv>): Promise<string> {
  // In memory only, and shorter than what is kept of the key itself.
  const key = `${c.req.header('User-Token')} ${c.req.header('User-Secret-Key')}`;
  const known = onlyStores.get(key, Date.now());
  if (known) return known.value;
  await authenticateRequest(ofAccount, limitTag, noEvents)(c);
  const found = await c.get('admitted').account().profile();
  const [first, ...others] = (found?.merchants ?? []).filter(({ active }) => active);
  if (!first) throw storeNotAccessible();
  if (others.length > 0) {
    const listed = [first, ...others].slice(0, 10).map(({ alias }) => alias);
    const store = [`Required: this key opens ${others.length + 1} stores.`];
    throw new HttpError('invalid_query', {
      errors: { store },
      hint: `Name the store in the address, /mcp?store=${first.alias}: this key opens ${listed.join(', ')}.`,
    });
  }
  onlyStores.set(key, first.alias, Date.now());
  return first.alias;
}

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

/** The file with its tools by name. */
export interface LoadedTools extends ToolFile {
  named: ReadonlyMap<string, Tool>;
}

/** The file as it was built, and what it is at the origin of the last request. */
let read: { text: string; at: string; loaded: LoadedTools } | undefined;

/**
 * Reads the tools that the build of the documentation wrote, once in each isolate, with links of
 * this origin. So the Worker carries neither their descriptions nor the code that makes schemas.
 */
export async function readToolFile(assets: Fetcher, origin: string): Promise<LoadedTools> {
  if (read?.at === origin) return read.loaded;
  const text = read?.text ?? (await fetchText(assets));
  const file = JSON.parse(text.replaceAll('{{origin}}', origin)) as ToolFile;
  const loaded = { ...file, named: new Map(file.tools.map((tool) => [tool.name, tool])) };
  read = { text, at: origin, loaded };
  return loaded;
}

async function fetchText(assets: Fetcher): Promise<string> {
  const response = await assets.fetch(`https://assets.invalid/${toolFilePath}`);
  if (!response.ok) throw new Error(`${toolFilePath}: ${response.status}`);
  return response.text();
}

/**
 * The tools that stand for all others when a list of them would drown a model. A host asks less for
 * those that only read.
 */
export const generalNames = {
  search: 'search_operations',
  describe: 'describe_operation',
  read: 'read_operation',
  change: 'change_operation',
} as const;

/**
 * The tool that read and changed before there were two. It is no longer listed, and still answers.
 */
export const formerCallName = 'call_operation';

const text = (description: string): ToolSchema => ({ type: 'string', description });

const inputOf = (properties: Record<string, ToolSchema>, required: string[]) => ({
  type: 'object' as const,
  properties,
  required,
  additionalProperties: false,
});

const hintsOf = (title: string, readOnlyHint: boolean) => ({
  title,
  readOnlyHint,
  destructiveHint: !readOnlyHint,
  idempotentHint: readOnlyHint,
  openWorldHint: false,
});

const answerOf = (properties: Record<string, ToolSchema>) => ({
  type: 'object' as const,
  properties,
});

const callInput = inputOf(
  {
    name: text('Name of the operation.'),
    arguments: { type: 'object', description: 'Its arguments, as its description has them.' },
  },
  ['name'],
);

/** Describes the general tools. `counts` are the numbers of operations by area. */
export function listGeneralTools(
  counts: Readonly<Record<string, number>>,
  { isReadOnly }: { isReadOnly: boolean },
) {
  const areas = Object.entries(counts)
    .map(([area, count]) => `${area} (${count})`)
    .join(', ');
  const example =
    'For example {"name": "list_orders", "arguments": {"status": ["waiting_payment"], "limit": 5}}.';
  const change = {
    name: generalNames.change,
    title: 'Change the store',
    description:
      'Calls an operation that changes the store. Read its description first: unknown arguments are errors.',
    inputSchema: callInput,
    annotations: hintsOf('Change the store', false),
  };
  return [
    {
      name: generalNames.search,
      title: 'Search operations',
      description: `Finds the operations of the store that fit the words best, at most six, and describes the first. Areas: ${areas}.`,
      inputSchema: inputOf(
        { query: text('What you want to do, in a few words: "list unpaid orders".') },
        ['query'],
      ),
      outputSchema: answerOf({ operations: { type: 'array', items: { type: 'object' } } }),
      annotations: hintsOf('Search operations', true),
    },
    {
      name: generalNames.describe,
      title: 'Describe an operation',
      description:
        'Shows the arguments of an operation, what it answers, and an example, as the first result of a search has them.',
      inputSchema: inputOf({ name: text('Name of an operation, such as list_orders.') }, ['name']),
      outputSchema: answerOf({
        name: { type: 'string' },
        title: { type: 'string' },
        description: { type: 'string' },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        annotations: { type: 'object' },
        example: { type: 'object' },
      }),
      annotations: hintsOf('Describe an operation', true),
    },
    {
      name: generalNames.read,
      title: 'Read from the store',
      description: `Calls an operation that only reads. ${example} Read its description first: unknown arguments are errors.`,
      inputSchema: callInput,
      annotations: hintsOf('Read from the store', true),
    },
    ...(isReadOnly ? [] : [change]),
  ];
}

/** The arguments of each general tool; `arguments` are those of an operation. */
const takenNames = {
  [generalNames.search]: ['query'],
  [generalNames.describe]: ['name'],
  [generalNames.read]: ['name', 'arguments'],
  [generalNames.change]: ['name', 'arguments'],
  [formerCallName]: ['name', 'arguments'],
} as const;

/** The name of a general tool. */
type GeneralName = keyof typeof takenNames;

export const isGeneral = (name: string): name is GeneralName => Object.hasOwn(takenNames, name);

/**
 * Refuses what a general tool does not take (422): an argument of an operation beside `arguments`
 * would be lost.
 */
export function assertTaken(name: GeneralName, sent: Arguments): void {
  const taken: readonly string[] = takenNames[name];
  const others = Object.keys(sent).filter((other) => !taken.includes(other));
  if (others.length === 0) return;
  const shown = others.slice(0, 10);
  const isCall = taken.includes('arguments');
  const message = isCall ? 'Must stand in arguments.' : 'Unknown argument.';
  const example = isCall
    ? {
        name: sent.name ?? 'list_orders',
        arguments: Object.fromEntries(shown.map((other) => [other, sent[other]])),
      }
    : { [taken[0]!]: sent[taken[0]!] ?? 'list_orders' };
  throw new HttpError('invalid_body', {
    errors: Object.fromEntries(shown.map((other) => [other, [message]])),
    hint: `Send for example ${JSON.stringify(example).slice(0, 500)}.`,
  });
}
