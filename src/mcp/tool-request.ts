import { HttpError } from '../base/errors.ts';
import { ownNames } from './own-arguments.ts';
import { defaultLimit, withoutMarks } from './shown.ts';
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
}

const nameInPath = /\{(\w+)\}/g;

/**
 * Sorts the arguments of a call into path, query and body. The operation checks them: an unknown one goes to the body, or
 * to the query of an operation without one, whose error then names it. Throws a 400 for an id that no path can have.
 */
export function toolRequest(tool: Tool, alias: string, args: Arguments): ToolRequest {
  const sent = withoutMarks(args) as Arguments;
  const path = toolPath(tool.path, alias, sent);
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    if ((ownNames as readonly string[]).includes(name) || isInPath(tool.path, name)) continue;
    if (tool.body === 'lines' && name === 'lines') continue;
    const isQuery = Object.hasOwn(tool.query, name) || tool.body !== 'json';
    if (!isQuery) body[name] = value;
    else if (value !== null && value !== undefined) query.set(name, queryText(value));
  }
  if (Object.hasOwn(tool.query, 'limit') && !query.has('limit')) {
    query.set('limit', String(defaultLimit));
  }
  const address = query.size > 0 ? `${path}?${query.toString()}` : path;
  const isTried = readsDryRun(tool, sent);
  return { method: tool.method, path: address, isTried, ...bodyOf(tool, body, sent) };
}

/** Whether a call is only tried. Throws a 422 where that cannot be, so that no such call changes anything. */
function readsDryRun({ canTry }: Tool, { dry_run: sent = false }: Arguments): boolean {
  if (sent === false || sent === null) return false;
  const problem = canTry ? 'Must be true or false.' : 'This call cannot be tried.';
  if (sent !== true || !canTry) {
    throw new HttpError('invalid_body', { errors: { dry_run: [problem] } });
  }
  return true;
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
