import type { CallToolResult } from '@modelcontextprotocol/server';
import { showAnswer } from './shown.ts';
import type { Arguments } from './tool-request.ts';
import type { Tool } from './tool.ts';

/** How much of a file of lines a result has. */
const maxFileBytes = 10_000;

/** Makes the result of a tool from the answer of its operation. */
export async function resultOf(
  tool: Tool,
  sent: Arguments,
  response: Response,
): Promise<CallToolResult> {
  const type = response.headers.get('Content-Type') ?? '';
  if (!type.startsWith('application/json')) return resultOfFile(await readStart(response));
  const text = await response.text();
  const body = JSON.parse(text) as Record<string, unknown>;
  if (!response.ok) return errorResult(body, response.headers.get('Retry-After'));
  const fields = Array.isArray(sent.fields) ? sent.fields.map(String) : undefined;
  const shown = showAnswer(tool, { body, sent: text }, { fields, limit: sent.limit });
  const warnings = response.headers.get('X-Warning');
  const notes = [...shown.notes, ...(warnings === null ? [] : [warnings])];
  return {
    content: [{ type: 'text', text: shown.text }, ...(notes.length > 0 ? [note(notes)] : [])],
    structuredContent: shown.body,
  };
}

/** The result of a call that failed: the body of the error, and how many seconds to wait, where its operation says so. */
export const errorResult = (body: object, retryAfter?: string | null): CallToolResult => ({
  content: [
    textOf(body),
    ...(retryAfter == null ? [] : [note([`Retry-After: ${retryAfter} seconds.`])]),
  ],
  structuredContent: { ...body },
  isError: true,
});

/** The result of what this server answers itself. */
export const ownResult = (value: Record<string, unknown>): CallToolResult => ({
  content: [textOf(value)],
  structuredContent: value,
});

const textOf = (value: unknown) => ({ type: 'text' as const, text: JSON.stringify(value) });

const note = (notes: readonly string[]) => ({ type: 'text' as const, text: notes.join('\n') });

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
    .map((line): unknown => JSON.parse(line));
  const rest = note([
    `Shows the first ${lines.length} lines. Programs get the whole file over HTTP.`,
  ]);
  return {
    content: [textOf({ lines }), ...(isWhole ? [] : [rest])],
    structuredContent: { lines },
  };
}
