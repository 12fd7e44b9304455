import type * as z from 'zod';
import type { Admitted } from '../access/admit.ts';
import type { Principal } from '../access/principal.ts';
import type { Access } from '../access/scopes.ts';
import type { FieldErrors } from '../problem.ts';
import type { Settings } from '../settings.ts';
import type { pathTexts } from './path-texts.ts';
import type { Reply } from './replies.ts';

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** `POST /{alias}/catalog/brands`: the verb and the path as the specification writes them. */
export type Route = `${Verb} /${string}`;

type Names<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

/** The ids of a path: every `{name}` but `alias` is a positive whole number, and those of `pathTexts` are texts. */
export type Ids<R extends Route> = {
  [Name in Exclude<Names<R>, 'alias'>]: Name extends keyof typeof pathTexts ? string : number;
};

type Reach<R extends Route> =
  'alias' extends Names<R> ? { db: NonNullable<Admitted['db']> } : { account: Admitted['account'] };

/** One query parameter as the document shows it. */
export interface Parameter {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

/** What a row reads from the query string (`wire/listing` makes the ones of lists). */
export interface QueryContract<Query> {
  schema: z.ZodType<Query>;
  /** Every parameter name it knows, to tell the unknown ones. */
  names: readonly string[];
  parameters: readonly Parameter[];
}

/** What a row's work is given. */
export type Input<R extends Route, Query, Body> = Reach<R> & {
  ids: Ids<R>;
  query: Query;
  body: Body;
  principal: Principal;
  settings: Settings;
};

/** One row of the specification's endpoint tables. */
export interface OperationSpec<R extends Route, Query, Body, Given> {
  /** Verb plus noun; the document's operationId. */
  id: string;
  route: R;
  /** What the caller must be allowed to do. */
  access: Access;
  query?: QueryContract<Query>;
  /** From what is sent to what is stored. One that takes `undefined` makes the body optional. */
  body?: z.ZodType<Body>;
  /** Problems of fields that the schema cannot know of; they are reported together with those it finds. */
  inspect?: (sent: Readonly<Record<string, unknown>>, settings: Settings) => Promise<FieldErrors>;
  reply: Reply<Given>;
  /** The statuses that the specification lists besides success, and no others. */
  rejects: readonly (400 | 401 | 404 | 409 | 410 | 422)[];
  /** What we chose where the specification is silent; shown in the document and the README. */
  note?: string;
  /** `undefined` means that the record of the path does not exist. */
  run: (input: Input<NoInfer<R>, Query, Body>) => Promise<Given | undefined>;
}

/** A row with its types folded away, as the machine walks it. */
export interface Operation extends Omit<OperationSpec<Route, unknown, unknown, unknown>, 'run'> {
  verb: Verb;
  path: string;
  idNames: readonly string[];
  isOfStore: boolean;
  run: (input: Admitted & Omit<Input<'GET /', unknown, unknown>, 'account'>) => Promise<unknown>;
}

/** Declares a row. */
export function operation<const R extends Route, Given, Query = undefined, Body = undefined>(
  spec: OperationSpec<R, Query, Body, Given>,
): Operation {
  const [verb, path] = spec.route.split(' ') as [Verb, string];
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] as string);
  return {
    ...spec,
    verb,
    path,
    isOfStore: names.includes('alias'),
    idNames: names.filter((name) => name !== 'alias'),
    // `http/mount` gives a row exactly what its own schemas made and the handle that its path calls for.
    run: spec.run as unknown as Operation['run'],
    reply: spec.reply as Reply<unknown>,
  };
}

/** The rows under one heading of the specification. */
export interface Section {
  heading: string;
  operations: readonly Operation[];
}

/** Whether a row does without a body, which is then not the same as an empty object. */
export const isBodyOptional = ({ body }: Pick<Operation, 'body'>) =>
  body?.safeParse(undefined).success === true;

/** The status that an invalid body answers: 422 where it is listed or nothing is, else 400. */
export function invalidBodyStatus({ rejects }: Operation): 400 | 422 {
  return rejects.includes(422) || !rejects.includes(400) ? 422 : 400;
}

/** Whether a row takes the header `Idempotency-Key`: it changes something of a store. */
export const takesKey = ({ verb, isOfStore }: Pick<Operation, 'verb' | 'isOfStore'>) =>
  isOfStore && verb !== 'GET';

/** The statuses of what may be wrong with an idempotency key. */
export const keyStatuses = [400, 409, 422] as const;

/** Every status a row may answer besides success, 5xx, those of all rows (401, 429) and those of an idempotency key. */
export function ownStatusesOf(row: Operation): number[] {
  const found = new Set<number>(row.rejects);
  if (row.isOfStore) found.add(403);
  if (row.query) found.add(400);
  if (row.idNames.length > 0 || row.reply.empty) found.add(404);
  if (row.body) for (const status of [400, 413, 415, invalidBodyStatus(row)]) found.add(status);
  return [...found];
}

/** Every status a row may answer besides success, 5xx and those of all rows (401, 429). */
export const statusesOf = (row: Operation): number[] =>
  [...new Set([...ownStatusesOf(row), ...(takesKey(row) ? keyStatuses : [])])].sort(
    (a, b) => a - b,
  );
