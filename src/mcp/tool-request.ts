import { HttpError, type FieldErrors } from '../base/errors.ts';
import { nearestOf } from '../base/nearest.ts';
import { decodeJson } from '../http/read-request.ts';
import { withoutMark } from './shown.ts';
import type { Confirmation, Tool, ToolSchema, Arguments } from './tool.ts';

/**
 * The arguments that this server adds to those of an operation. None of them reaches the operation.
 */
const ownNames: ReadonlySet<string> = new Set(['again', 'confirm', 'dry_run', 'fields']);

/** Bulk changes try themselves: their bodies have a `dry_run`, whose answer shows more. */
export const isOwnName = ({ canTry }: Tool, name: string): boolean =>
  ownNames.has(name) && (name !== 'dry_run' || canTry === true);

/** How many records a list names, such as `3 products_ids`; `undefined` for any other value. */
export const countOf = (name: string, value: unknown): string | undefined =>
  Array.isArray(value)
    ? `${new Set(value.map((one) => JSON.stringify(one))).size} ${name}`
    : undefined;

/** The schemas of these arguments, for a tool whose record has `fields`. */
export function ownArguments({
  fields,
  confirmation,
  isList,
  canTry,
  isRepeatable,
}: {
  fields: readonly string[];
  confirmation: Confirmation | undefined;
  isList: boolean;
  canTry: boolean;
  isRepeatable: boolean;
}): Record<string, ToolSchema> {
  const said = isList
    ? 'Fields to show of each record, in full; without it the main ones. Of'
    : 'Fields to show, in full. Of';
  return {
    ...(confirmation && {
      confirm: {
        type: 'string',
        description: `${confirmation.unless ? 'For a status that asks the person: the' : 'The'} word of the error confirmation_required, after the consent of the person.`,
      },
    }),
    ...(canTry && {
      dry_run: {
        type: 'boolean',
        description: 'true checks the call and changes nothing.',
      },
    }),
    ...(isRepeatable && {
      again: {
        type: 'integer',
        description: '2, 3 ... makes the same call once more within minutes.',
      },
    }),
    ...(fields.length > 0 && {
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: `${said}: ${fields.join(', ')}.`,
      },
    }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const notItsText = {
  object: 'Must be an object: send an object, not its text.',
  array: 'Must be a list: send a list, not its text.',
};

/**
 * Reads the arguments of a call once, before anything is decided by them. Models also send the JSON
 * of an object, a list, a number or a boolean as a string. Such a text is read where the schema of
 * the tool has no string. Marks of third parties go. Throws a 422 for an unknown argument, and for
 * the text of no object or list. What is written in a query may be any text, such as
 * `paid,refused`.
 */
export function readArguments(tool: Tool, sent: Arguments): Arguments {
  assertKnown(tool, sent);
  const errors: FieldErrors = {};
  const read = readValue(sent, [tool.inputSchema], (path, kind) => {
    // Names of fields may stand between commas, as in a query.
    const [name = ''] = path;
    if (path.length > 1 || !(name === 'fields' || Object.hasOwn(tool.query, name))) {
      errors[path.join('.')] = [notItsText[kind]];
    }
  }) as Arguments;
  const [wrong] = Object.keys(errors);
  if (wrong === undefined) return read;
  const [name = ''] = wrong.split('.');
  const isList = tool.inputSchema.properties?.[name]?.type === 'array';
  const example = JSON.stringify({ [name]: tool.example[name] ?? (isList ? [] : {}) });
  throw new HttpError('invalid_body', { errors, hint: `Send for example ${example}.` });
}

/**
 * Refuses arguments that the tool does not have (422), with the nearest that it has: one that is
 * ignored would mislead.
 */
function assertKnown({ inputSchema: { properties = {} }, example }: Tool, sent: Arguments): void {
  const names = Object.keys(properties);
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length === 0) return;
  const errors = unknown
    .slice(0, 10)
    .map((name) => [
      name,
      [`Unknown argument. The nearest: ${nearestOf(name, names).join(', ')}.`],
    ]);
  throw new HttpError('invalid_body', {
    errors: Object.fromEntries(errors) as FieldErrors,
    hint: `Send only arguments of the tool, for example ${JSON.stringify(example).slice(0, 500)}.`,
  });
}

/** A longer list is refused by every operation, so its items are not read. */
const maxItems = 10_000;

/** Takes the place and the kind of a value that is the text of something else. */
type Report = (path: readonly string[], kind: 'object' | 'array') => void;

/** Reads a value that is as one of `options` says; of no option, as it is. */
function readValue(
  value: unknown,
  options: readonly ToolSchema[],
  report: Report,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return readText(withoutMark(value), options, report, path);
  if (Array.isArray(value)) {
    if (value.length > maxItems) return value;
    const inItems = options.flatMap(({ items }) => optionsOf(items));
    return value.map((item, at) => readValue(item, inItems, report, [...path, String(at)]));
  }
  if (!isObject(value)) return value;
  const read = Object.entries(value).map(([name, member]) => {
    const ofName = options.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? optionsOf(properties[name]) : [],
    );
    return [name, readValue(member, ofName, report, [...path, name])] as const;
  });
  return Object.fromEntries(read);
}

const optionsOf = (schema: ToolSchema | undefined): readonly ToolSchema[] =>
  schema === undefined ? [] : (schema.anyOf?.flatMap(optionsOf) ?? [schema]);

/** Reads a text, which stays one wherever the schema allows a string or says nothing. */
function readText(
  text: string,
  options: readonly ToolSchema[],
  report: Report,
  path: readonly string[],
): unknown {
  const types = options.flatMap(({ type = 'string' }) => type);
  if (types.length === 0 || types.includes('string')) return text;
  const value = parse(text);
  if (typeof value === 'string' || types.some((type) => isOfType(value, type, text))) {
    return readValue(value, options, report, path);
  }
  const kind = (['object', 'array'] as const).find((one) => types.includes(one));
  if (kind) report(path, kind);
  return text;
}

const encoder = new TextEncoder();

/** Parses JSON under the limits of a body; `undefined` if it is none. */
function parse(text: string): unknown {
  try {
    return decodeJson(encoder.encode(text), 'application/json');
  } catch {
    return undefined;
  }
}

/** Digits that every number keeps. */
const exactDigits = 15;

/**
 * Whether a value that was parsed from `text` has a type of JSON schema. A number that lost digits
 * has none.
 */
function isOfType(value: unknown, type: string, text: string): boolean {
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && text.replaceAll(/\D/g, '').length <= exactDigits;
    return isExact && (type === 'number' || (type === 'integer' && Number.isInteger(value)));
  }
  if (value === null) return type === 'null';
  return Array.isArray(value) ? type === 'array' : typeof value === type;
}

/**
 * Reads what should be named arguments: also their text, nothing, or the empty list that PHP makes
 * of nothing. Throws a 400.
 */
export function argumentsOf(sent: unknown): Arguments {
  const value = typeof sent === 'string' ? parse(sent) : (sent ?? {});
  if (isObject(value)) return value;
  if (Array.isArray(value) && value.length === 0) return {};
  const message = typeof sent === 'string' ? notItsText.object : 'Must be an object.';
  throw new HttpError('malformed_body', {
    errors: { arguments: [message] },
    hint: 'Send for example "arguments": {"limit": 5}.',
  });
}

/** The request of a tool to its operation. */
export interface ToolRequest {
  method: Tool['method'];
  /** Below the base path. */
  path: string;
  body?: string;
  mediaType?: string;
  /** Whether the change is only tried. */
  isTried?: boolean;
  /** A repetition with this key, or with the earlier one, is the same change. */
  idempotencyKey?: string | undefined;
  earlierKey?: string | undefined;
}

/** How many records of a list an assistant gets when it names no `limit`. */
const defaultLimit = 10;

const nameInPath = /\{(\w+)\}/g;

/**
 * Sorts the arguments of a call into path, query and body, whose values the operation checks.
 * Throws a 400 for an id that no path can have.
 */
export function toolRequest(tool: Tool, alias: string, sent: Arguments): ToolRequest {
  const path = toolPath(tool.path, alias, sent);
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (isOwnName(tool, name) || isInPath(tool.path, name)) continue;
    if (tool.body === 'lines' && name === 'lines') continue;
    const isQuery = Object.hasOwn(tool.query, name) || tool.body !== 'json';
    if (!isQuery) body[name] = value;
    else if (value !== null && value !== undefined) query.set(name, queryText(value));
  }
  if (Object.hasOwn(tool.query, 'limit') && !query.has('limit')) {
    query.set('limit', String(defaultLimit));
  }
  const address = query.size > 0 ? `${path}?${query.toString()}` : path;
  return {
    method: tool.method,
    path: address,
    isTried: isTried(tool, sent),
    ...bodyOf(tool, body, sent),
  };
}

/**
 * Whether this server tries a call. Throws a 422 for another value, so that no such call changes
 * anything.
 */
export function isTried({ canTry }: Tool, { dry_run: sent = false }: Arguments): boolean {
  if (!canTry || sent === null || typeof sent === 'boolean')
    return canTry === true && sent === true;
  throw new HttpError('invalid_body', { errors: { dry_run: ['Must be true or false.'] } });
}

const isInPath = (path: string, name: string) => path.includes(`{${name}}`);

/** Fills the ids of a call into a path. Throws a 400 for an id that no path can have. */
export function toolPath(path: string, alias: string, sent: Arguments): string {
  return path.replaceAll(nameInPath, (_, name: string) => {
    const value = name === 'alias' ? alias : sent[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    // So no id can lead to another path.
    if (!/^[\w-]+$/.test(text)) {
      const message = value === undefined ? 'Required.' : 'Must be the id of a record.';
      throw new HttpError('invalid_id', { errors: { [name]: [message] } });
    }
    return text;
  });
}

function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.map(queryText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function bodyOf(tool: Tool, body: Record<string, unknown>, sent: Arguments) {
  if (tool.body === 'lines') {
    const { lines } = sent;
    const sentLines: readonly unknown[] = Array.isArray(lines) ? lines : [];
    return {
      body: sentLines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      mediaType: 'application/x-ndjson',
    };
  }
  if (tool.body !== 'json' || Object.keys(body).length === 0) return {};
  return { body: JSON.stringify(body), mediaType: 'application/json' };
}
