/** Longer texts are not searched for their error. */
const maxLength = 200_000;

const space = /[ \t\r\n]*/y;

/** A number, a word or a complete text of JSON. */
const scalar =
  /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;

/** The number of characters that match at a place. */
function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/**
 * Says where a text stops being JSON, and what is probably wrong there, without repeating any of
 * it.
 */
export function locateJsonError(text: string): string | undefined {
  const found = text.length > maxLength ? undefined : findError(text);
  if (!found) return undefined;
  const lines = text.slice(0, found.at).split('\n');
  const column = `column ${(lines.at(-1)?.length ?? 0) + 1}`;
  const place = text.includes('\n') ? `line ${lines.length}, ${column}` : column;
  return `At ${place}: ${found.problem}.`;
}

/** Walks through a text once, and returns the first place where no JSON can go on. */
function findError(text: string): { at: number; problem: string } | undefined {
  const open: string[] = [];
  let at = 0;
  let wanted: 'value' | 'name' | 'colon' | 'comma' = 'value';
  let isFirst = true;
  for (;;) {
    at += lengthAt(space, text, at);
    const next = text[at];
    const parent = open.at(-1);
    if (wanted === 'comma' && parent === undefined && next === undefined) return undefined;
    if (next === undefined) return { at, problem: 'the text ends too early' };
    const isEnd = next === (parent === '{' ? '}' : parent === '[' ? ']' : '');
    if (isEnd && (wanted === 'comma' || isFirst)) {
      open.pop();
      at += 1;
      [wanted, isFirst] = ['comma', false];
    } else if (wanted === 'comma') {
      if (parent === undefined) return { at, problem: 'something follows the end' };
      if (next !== ',') return { at, problem: 'a comma or a closing bracket is missing' };
      at += 1;
      [wanted, isFirst] = [parent === '{' ? 'name' : 'value', false];
    } else if (wanted === 'colon') {
      if (next !== ':') return { at, problem: 'a colon is missing' };
      at += 1;
      wanted = 'value';
    } else if (wanted === 'value' && (next === '{' || next === '[')) {
      open.push(next);
      at += 1;
      [wanted, isFirst] = [next === '{' ? 'name' : 'value', true];
    } else {
      const length = wanted === 'name' && next !== '"' ? 0 : lengthAt(scalar, text, at);
      if (length === 0) return { at, problem: problemOf(next, isEnd, wanted) };
      at += length;
      [wanted, isFirst] = [wanted === 'name' ? 'colon' : 'comma', false];
    }
  }
}

function problemOf(next: string, isEnd: boolean, wanted: 'value' | 'name'): string {
  if (isEnd || next === ',')
    return wanted === 'value' && isEnd ? 'a value is missing' : 'there is a comma too many';
  if (next === '"') return 'a text does not end, or has a line break or a wrong escape';
  if (next === "'" || wanted === 'name') return 'names and texts need double quotes';
  return 'the value is no JSON, which has true, false, null, numbers, and texts in double quotes';
}

/** Says which byte is no UTF-8. */
export function locateWrongByte(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  const parts = decoder.decode(bytes).split('\uFFFD');
  const encoder = new TextEncoder();
  let at = 0;
  for (const part of parts) {
    at += encoder.encode(part).length;
    // The replacement character itself may have been sent.
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) break;
    at += 3;
  }
  return `Byte ${at + 1} is no UTF-8.`;
}
