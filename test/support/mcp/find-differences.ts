import { withoutMark } from '../../../src/mcp/shown.ts';

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The local time of a text in ISO 8601, as a DateTime object has it. */
const localOf = (text: string) =>
  text
    .slice(0, 19)
    .replace('T', ' ')
    .replace(/ 0(\d:)/, ' $1');

/** Finds where what a model sees says something else than the answer over HTTP. It may say less. */
export function findDifferences(
  shown: unknown,
  answer: unknown,
  ignored: ReadonlySet<string>,
  path = '',
): string[] {
  if (typeof shown === 'string' && isObject(answer) && 'timezone_type' in answer) {
    const isSame = String(answer.date).startsWith(localOf(shown));
    return isSame ? [] : [`${path}: ${shown} for ${String(answer.date)}`];
  }
  if (Array.isArray(shown) && Array.isArray(answer)) {
    if (shown.length !== answer.length) return [`${path}: ${shown.length} of ${answer.length}`];
    return shown.flatMap((item, at) => findDifferences(item, answer[at], ignored, `${path}.${at}`));
  }
  if (isObject(shown) && isObject(answer)) {
    return Object.entries(shown).flatMap(([name, inner]) =>
      ignored.has(name) ? [] : findDifferences(inner, answer[name], ignored, `${path}.${name}`),
    );
  }
  const value = typeof shown === 'string' ? withoutMark(shown) : shown;
  return Object.is(value, answer) ? [] : [`${path}: ${JSON.stringify([shown, answer])}`];
}
