import { ApiError } from './api-error.ts';
import { toJson } from './encode.ts';
import type { CallOptions, LinesInput } from './public.ts';
import type { Transport } from './transport.ts';

/**
 * Collects lines as one body. It is kept until the service has taken it, because a repetition must
 * send the same bytes. Each value becomes bytes at once, so that the values themselves can be
 * freed.
 */
export async function encodeLines(input: LinesInput): Promise<Blob> {
  if (input instanceof Blob || typeof input === 'string') return new Blob([input]);
  const parts: string[] = [];
  for await (const value of input) if (value !== undefined) parts.push(`${toJson(value)}\n`);
  return new Blob(parts);
}

/**
 * Yields the values of a file of JSON lines. If the connection is lost, the file is asked for
 * again, and the lines that were yielded are skipped: a file never changes.
 */
export async function* readLines(
  transport: Transport,
  path: string,
  options: CallOptions,
): AsyncGenerator<unknown, void> {
  let yielded = 0;
  for (let failures = 0; ; failures++) {
    try {
      let line = 0;
      for await (const value of linesOf(
        await transport.open({ ...options, method: 'GET', path }),
      )) {
        if (line++ < yielded) continue;
        yielded += 1;
        failures = 0;
        yield value;
      }
      return;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof ApiError || failures >= 3) throw error;
      await transport.pause(500 * 2 ** failures, options.signal);
    }
  }
}

async function* linesOf(response: Response): AsyncGenerator<unknown, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as unknown;
    if (done) break;
  }
  if (rest !== '') yield JSON.parse(rest) as unknown;
}
