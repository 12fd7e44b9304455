import { HttpError } from '../base/errors.ts';
import { isOwnName } from './own-arguments.ts';
import type { Tool } from './tool.ts';

export type Arguments = Readonly<Record<string, unknown>>;

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
