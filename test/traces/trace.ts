/** A call of a function of `src`, and where it stands. */
interface Entry {
  file: string;
  /** Where the function begins and ends in its file. */
  start: number;
  end: number;
  /** The files of the functions that led to the call, the nearest first. */
  callers: readonly string[];
}

declare global {
  var entered: ((file: string, start: number, end: number) => void) | undefined;
}

/**
 * Vocabulary: small values, codecs, tables, texts, components, and the adapters of libraries, which
 * a reader takes for granted. Functions of the libraries themselves are not recorded either.
 */
const isVocabulary = (file: string) =>
  /^(?:base|data\/schema|web\/(?:texts|components|assets)|mail\/templates)\/|-adapter\.ts$/.test(
    file,
  );

/** Records the calls of functions of `src` while `work` runs, without vocabulary. */
export async function record(work: () => Promise<unknown>): Promise<Entry[]> {
  const entries: Entry[] = [];
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 200;
  globalThis.entered = (path, start, end) => {
    const file = path.replace(/^src\//, '');
    if (isVocabulary(file)) return;
    // The first frame is of this function, the second of the one that was entered.
    const frames = (new Error('entered').stack ?? '').split('\n').slice(3);
    const callers = frames
      .flatMap((frame) => /\/src\/([\w/.-]+\.tsx?)/.exec(frame)?.[1] ?? [])
      .filter((caller) => !isVocabulary(caller));
    entries.push({ file, start, end, callers });
  };
  try {
    await work();
  } finally {
    globalThis.entered = undefined;
    Error.stackTraceLimit = limit;
  }
  return entries;
}

/** Whether a function was read already: it ran before, or stands within one that did. */
const isRead = (before: readonly Entry[], { start, end }: Entry) =>
  before.some((entry) => entry.start <= start && entry.end >= end);

/**
 * A story as somebody reads it who opens the file of each function that is called, and reads it
 * once.
 */
export function summarize(entries: readonly Entry[]) {
  const files = new Map<string, Entry[]>();
  const jumps: string[] = [];
  let secondLooks = 0;
  for (const entry of entries) {
    const { file, callers } = entry;
    const before = files.get(file) ?? [];
    files.set(file, [...before, entry]);
    const isElsewhere = before.length > 0 && callers[0] !== file && !isRead(before, entry);
    if (!isElsewhere) continue;
    const depth = callers.indexOf(file);
    if (depth < 0) secondLooks += 1;
    else jumps.push([...callers.slice(0, depth + 1).toReversed(), file].join(' > '));
  }
  const opened = [...files].map(([file, found]) => {
    const functions = new Set(found.map(({ start }) => start)).size;
    return `${file} (${found.length} entries, ${functions} functions)`;
  });
  return { opened, jumps, secondLooks };
}
