import type * as z from 'zod';
import {
  eventIdExample,
  eventIdPattern,
  pathEventId,
  pathNumber,
} from '../base/codecs/fields/ids.ts';
import type { QueryParameter } from '../base/codecs/listing/parameters.ts';
import type { FieldErrors } from '../base/errors.ts';
import type { Settings } from '../base/settings.ts';
import type { ActionContext } from '../data/audit/action.ts';
import type { RequiredAccess, Scope } from '../data/grants/scopes.ts';
import type { Admitted, Principal } from './access/principal.ts';
import type { Reply } from './replies.ts';
import type { Upload } from './request-upload.ts';

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Method and path as in the specification, such as `POST /{alias}/catalog/brands`. */
type Route = `${HttpMethod} /${string}`;

type PathParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParamNames<Rest>
  : never;

/**
 * The ids of a path: each `{name}` except `alias`. A positive integer, unless `specialPathParams`
 * has the name.
 */
type PathIds<R extends Route> = {
  [Name in Exclude<PathParamNames<R>, 'alias'>]: Name extends keyof typeof specialPathParams
    ? z.output<(typeof specialPathParams)[Name]['schema']>
    : number;
};

/**
 * The paths of operators. No other operation may have one, and each of them needs the access
 * `operator`.
 */
type OperatorRoute = `${HttpMethod} /operator/${string}`;

type AccessOf<R extends Route> = R extends OperatorRoute
  ? 'operator'
  : Exclude<RequiredAccess, 'operator'>;

type DatabaseAccess<R extends Route> = R extends OperatorRoute
  ? { action: ActionContext }
  : 'alias' extends PathParamNames<R>
    ? { db: NonNullable<Admitted['db']>; activity: NonNullable<Admitted['activity']> }
    : { account: Admitted['account'] };

/**
 * The query parameters of an operation. `listing` in `base/codecs/listing/listing.ts` creates those
 * of lists.
 */
export interface QueryDefinition<Query> {
  schema: z.ZodType<Query>;
  /** Names of all known parameters. */
  names: readonly string[];
  /**
   * Relations that the parameter `include` accepts; others are named as ignored. Absent where there
   * is no such parameter.
   */
  includes?: readonly string[];
  parameters: readonly QueryParameter[];
  /** The fields that the parameter `date` accepts. */
  dates?: readonly string[];
}

/** The bindings of operations whose work continues after their response. */
export interface Background {
  /** Files of imports and exports. Their keys name the store. */
  files: R2Bucket;
  /** Asks for a step of the imports and exports of the store's shard. */
  wakeTransfers: () => void;
  /** Asks for the mails and events of apps of the notices of the store's shard. */
  wakeNotices: () => void;
  /** Asks for a sweep of the store's shard now. */
  wakeSweep: () => void;
}

/** The argument of `run`. */
export type OperationInput<R extends Route, Query, Body> = DatabaseAccess<R> & {
  ids: PathIds<R>;
  query: Query;
  body: Body;
  principal: Principal;
  settings: Settings;
  background: Background;
};

/** An API operation as it is declared: one row of the specification's endpoint tables. */
interface OperationSpec<R extends Route, Query, Body, Result> {
  /** Verb plus noun. It is the operationId of the OpenAPI document. */
  id: string;
  route: R;
  /** The required scope, `signed-in`, or `operator` for the paths of operators. */
  access: AccessOf<R>;
  query?: QueryDefinition<Query>;
  /** Decodes the JSON body into stored values. If it accepts `undefined`, the body is optional. */
  body?: z.ZodType<Body>;
  /** The scopes that values of the body need besides `access` and those of its fields. */
  bodyScopes?: (fields: Readonly<Record<string, unknown>>) => readonly Scope[];
  /** Instead of `body`: stores lines while they arrive, and gives `run` the result. */
  upload?: Upload<Body>;
  /**
   * Finds field errors that a schema cannot find. They are reported together with those of the
   * schema.
   */
  validateAsync?: (
    fields: Readonly<Record<string, unknown>>,
    settings: Settings,
  ) => Promise<FieldErrors>;
  reply: Reply<Result>;
  /** Exactly the error statuses that the specification lists. */
  errors: readonly (400 | 401 | 404 | 409 | 410 | 422)[];
  /** A note that is made of several texts. All others are in {@link explainOperations}. */
  note?: string;
  /** A change that is more than one batch, or reaches beyond the database: it cannot be tried. */
  isSeveralSteps?: boolean;
  /** How many requests a call counts as, for one that works on many records. */
  weight?: number;
  /** It takes something away: its button on the page of operators is red. */
  isDangerous?: boolean;
  /** A list with a tag (`ETag`): programs poll it. */
  hasListTag?: true;
  /** Returns `undefined` if the record of the path does not exist, which becomes a 404. */
  run: (input: OperationInput<NoInfer<R>, Query, Body>) => Promise<Result | undefined>;
}

/** A declared operation without its type parameters, with its route parsed. */
export interface Operation extends Omit<
  OperationSpec<Route, unknown, unknown, unknown>,
  'run' | 'access'
> {
  access: RequiredAccess;
  method: HttpMethod;
  path: string;
  pathParams: readonly string[];
  isStoreScoped: boolean;
  /** For a change of a record: the operation that shows it, at the same path. */
  show?: Operation;
  run: (
    input: Admitted &
      Omit<OperationInput<'GET /', unknown, unknown>, 'account'> & {
        action: ActionContext | undefined;
      },
  ) => Promise<unknown>;
}

const notes = new Map<string, string>();

/**
 * Says what the specification leaves open, by the id of the operation, for the OpenAPI document and
 * a generated table. A call ends a file of operations, marked with `@__PURE__`: the bundle of the
 * Worker then lacks the call and its texts.
 */
export function explainOperations(texts: Readonly<Record<string, string>>): void {
  for (const [id, text] of Object.entries(texts)) {
    if (notes.has(id)) throw new Error(`two notes of ${id}`);
    notes.set(id, text);
  }
}

/**
 * The behaviour of an operation that the specification does not define; `undefined` if it says all.
 */
export const noteOf = ({ id, note }: Pick<Operation, 'id' | 'note'>): string | undefined =>
  note ?? notes.get(id);

/** Declares an operation. */
export function operation<const R extends Route, Result, Query = undefined, Body = undefined>(
  spec: OperationSpec<R, Query, Body, Result>,
): Operation {
  const [method, path] = spec.route.split(' ') as [HttpMethod, string];
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] as string);
  return {
    ...spec,
    method,
    path,
    isStoreScoped: names.includes('alias'),
    pathParams: names.filter((name) => name !== 'alias'),
    // `runOperation` passes exactly the results of this operation's schemas, and `db` or `account`
    // by its path.
    run: spec.run as unknown as Operation['run'],
    reply: spec.reply as Reply<unknown>,
  };
}

/** Whether an operation shows one record, which has an entity tag. */
export const showsRecord = ({ method, reply }: Pick<Operation, 'method' | 'reply'>) =>
  method === 'GET' && reply.single !== undefined;

/**
 * Gives each change of a record the operation that shows it. A tag has all operations of its paths.
 */
export function pairWithShows(operations: readonly Operation[]): Operation[] {
  const shows = new Map(operations.filter(showsRecord).map((show) => [show.path, show]));
  return operations.map((operation) => {
    const show = operation.method === 'GET' ? undefined : shows.get(operation.path);
    return show && operation.method !== 'POST' ? { ...operation, show } : operation;
  });
}

/**
 * Whether the operation evaluates `If-Match` and `If-None-Match`: it shows a record, or changes one
 * that can be shown.
 */
export const takesPreconditions = (operation: Operation) =>
  showsRecord(operation) || operation.show !== undefined;

/** Whether the reply to a change is the record as the operation that shows it would answer. */
export const repliesAsShown = ({ show, reply }: Operation) =>
  show?.reply.single !== undefined && show.reply.single.record === reply.single?.record;

/** Whether a GET of the operation has a tag that `If-None-Match` may name. */
export const isTagged = (operation: Operation) =>
  showsRecord(operation) || operation.hasListTag === true;

/** The operations under one heading of the specification, which is their tag. */
export interface OperationGroup {
  tag: string;
  operations: readonly Operation[];
}

/** Whether the body may be absent. An absent body then differs from `{}`. */
export const isBodyOptional = ({ body }: Pick<Operation, 'body'>) =>
  body?.safeParse(undefined).success === true;

/** The status of an invalid body: 400 if the operation lists 400 and not 422, else 422. */
export function invalidBodyStatus({ errors }: Operation): 400 | 422 {
  return errors.includes(422) || !errors.includes(400) ? 422 : 400;
}

/** Whether the operation accepts the header `Idempotency-Key`: it can change data of a store. */
export const acceptsIdempotencyKey = ({
  method,
  isStoreScoped,
}: Pick<Operation, 'method' | 'isStoreScoped'>) => isStoreScoped && method !== 'GET';

/**
 * Whether a change can be tried without storing anything: it is one batch, which can undo itself.
 * Long work, bulk changes and what reaches beyond the database cannot.
 */
export const canDryRun = (operation: Operation): boolean =>
  acceptsIdempotencyKey(operation) &&
  !operation.upload &&
  operation.weight === undefined &&
  operation.reply.status !== 202 &&
  operation.isSeveralSteps !== true;

/** Error statuses of a wrong idempotency key. */
export const idempotencyStatuses = [400, 409, 422] as const;

/** All error statuses of an operation, except 401, 429, 5xx and those of idempotency keys. */
export function operationErrorStatuses(operation: Operation): number[] {
  // A strict request with an unknown query parameter is 400.
  const statuses = new Set<number>([...operation.errors, 400]);
  if (operation.isStoreScoped || operation.access === 'operator') statuses.add(403);
  if (operation.pathParams.length > 0 || operation.reply.emptySchema) statuses.add(404);
  if (takesPreconditions(operation)) statuses.add(412);
  if (operation.body || operation.upload) {
    for (const status of [413, 415, invalidBodyStatus(operation)]) statuses.add(status);
  }
  return [...statuses];
}

/** All error statuses of an operation, except 401, 429 and 5xx, which every operation has. */
export const errorStatuses = (operation: Operation): number[] =>
  [
    ...new Set([
      ...operationErrorStatuses(operation),
      ...(acceptsIdempotencyKey(operation) ? idempotencyStatuses : []),
    ]),
  ].sort((a, b) => a - b);

/**
 * Path parameters that are no positive integers, by name: how to parse and how to document them.
 */
const specialPathParams = {
  event_id: {
    schema: pathEventId,
    description: 'Id of the event, as in the header webhook-id.',
    published: { type: 'string', pattern: eventIdPattern },
    example: eventIdExample,
  },
  number: {
    schema: pathNumber,
    description: 'Number of the database, from 0 on.',
    published: { type: 'integer', format: 'int64', minimum: 0 },
    example: 0,
  },
} as const;

interface SpecialPathParam {
  schema: z.ZodType<string | number>;
  description: string;
  published: { type: 'string'; pattern: string } | { type: 'integer'; minimum: number };
  example: string | number;
}

/**
 * Returns the definition of a path parameter that is no positive integer; `undefined` for the
 * others.
 */
export const specialPathParam = (name: string): SpecialPathParam | undefined =>
  (specialPathParams as Readonly<Record<string, SpecialPathParam>>)[name];

/**
 * The path of an operation of a store under another alias, or under what is the same for each
 * alias.
 */
export const pathUnder = (path: string, alias: string | number): string =>
  path.replace(/^(\/[^/]+\/)[^/]+/, `$1${alias}`);

/** Converts a path to Hono's syntax: `{id}` becomes `:id`. */
export const toHonoPath = (base: string, path: string): string =>
  base + path.replaceAll(/\{(\w+)\}/g, ':$1');
