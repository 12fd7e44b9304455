import type { CallToolResult } from '@modelcontextprotocol/server';
import { removeInvisible } from '../base/codecs/fields/normalize-text.ts';
import { countOf, isOwnName } from './own-arguments.ts';
import { showAnswer } from './shown.ts';
import { isTried, type Arguments } from './tool-request.ts';
import type { Tool } from './tool.ts';

/** How much of a file of lines a result has. */
const maxFileBytes = 10_000;

const repeatedNote = 'The same call was made before, and was not made again: this is its answer.';

/** Codes of a repeated request whose answer is not kept. */
const repeatedCodes: ReadonlySet<unknown> = new Set(['answer_lost', 'request_under_way']);

const repeatedHint =
  'The same call was made minutes ago, and was not made again. Read what it made; to make it once more, add again: 2.';

/** Makes the result of a tool from the answer of its operation. */
export async function resultOf(
  tool: Tool,
  sent: Arguments,
  response: Response,
): Promise<CallToolResult> {
  const { headers } = response;
  const type = headers.get('Content-Type') ?? '';
  if (!type.startsWith('application/json')) return resultOfFile(await readStart(response));
  const body = readVisible(await response.text()) as Record<string, unknown>;
  if (!response.ok) {
    const isRepeated = repeatedCodes.has(body.code);
    return errorResult(
      isRepeated ? { ...body, hint: repeatedHint } : body,
      headers.get('Retry-After'),
    );
  }
  const warnings = headers.get('X-Warning');
  const { value, text } = showAnswer(tool, body, sent, [
    ...(warnings === null ? [] : [warnings]),
    ...(headers.has('Idempotent-Replayed') ? [repeatedNote] : []),
    ...progressOf(tool, body),
    ...triedOf(tool, sent),
  ]);
  return { content: [{ type: 'text', text }], structuredContent: value };
}

/** How many seconds a model waits before it looks at long work again. */
const [shortestWait, usualWait, longestWait] = [5, 10, 60];

/**
 * How far an import or an export is, and when to look again: an answer ends before the work does.
 */
function progressOf({ name }: Tool, { data }: Record<string, unknown>): string[] {
  const { id, done, total, finished_at, seconds_left } = (data ?? {}) as Record<string, unknown>;
  if (finished_at !== null || typeof done !== 'number') return [];
  const left = typeof seconds_left === 'number' ? seconds_left : usualWait;
  const wait = Math.min(Math.max(left, shortestWait), longestWait);
  const shown = name.replace(/^[a-z]+/, 'show');
  return [
    `Not finished: ${done} of ${String(total)} are done. Call ${shown} with id ${String(id)} again in ${wait} seconds.`,
  ];
}

/**
 * Characters that people do not see, but a model reads: a text in tags, or between marks of the
 * direction.
 */
const unseen = /[\p{DI}\p{NChar}\ufff9-\ufffb]/u;

/** Reads JSON without texts that only programs read. Most have none. */
export const readVisible = (json: string): unknown =>
  JSON.parse(
    json,
    unseen.test(json)
      ? (_, value: unknown) => (typeof value === 'string' ? (removeInvisible(value) ?? '') : value)
      : undefined,
  );

/**
 * How many records a change that was tried names: its answer is the same for one and for a
 * thousand.
 */
function triedOf(tool: Tool, sent: Arguments): string[] {
  if (!isTried(tool, sent)) return [];
  const counts = Object.entries(sent).flatMap(([name, value]) =>
    isOwnName(tool, name) || Object.hasOwn(tool.query, name) ? [] : (countOf(name, value) ?? []),
  );
  return counts.length === 0 ? [] : [`The change takes ${counts.join(', ')}.`];
}

/**
 * The result of a call that failed: the body of the error, and how many seconds to wait, where its
 * operation says so.
 */
export const errorResult = (body: object, retryAfter?: string | null): CallToolResult => ({
  ...ownResult({ ...body, ...(retryAfter != null && { retry_after: Number(retryAfter) }) }),
  isError: true,
});

/**
 * The result of what this server answers itself. A model reads the same whichever part its host
 * shows.
 */
export const ownResult = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

/** The start of a body as text, and whether there is more. */
async function readStart(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return { text, isWhole: true };
    text += decoder.decode(value, { stream: true });
    if (text.length > maxFileBytes) {
      await reader?.cancel();
      return { text, isWhole: false };
    }
  }
}

/** The first lines of a file, as far as they are whole. */
function resultOfFile({ text, isWhole }: { text: string; isWhole: boolean }): CallToolResult {
  const start = isWhole ? text : text.slice(0, maxFileBytes);
  const whole = isWhole ? start : start.slice(0, start.lastIndexOf('\n') + 1);
  const lines = whole
    .split('\n')
    .filter((line) => line !== '')
    .map(readVisible);
  const note = `Shows the first ${lines.length} lines. Programs get the whole file over HTTP.`;
  return ownResult({ lines, ...(!isWhole && { notes: [note] }) });
}
