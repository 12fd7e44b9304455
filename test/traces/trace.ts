/** A call of a function of `src`, by its file and its place in the file. */
interface Entry {
  file: string;
  place: number;
}

declare global {
  var entered: ((file: string, place: number) => void) | undefined;
}

/** Records the calls of functions of `src` while `work` runs. */
export async function record(work: () => Promise<unknown>): Promise<Entry[]> {
  const entries: Entry[] = [];
  globalThis.entered = (file, place) => entries.push({ file: file.replace(/^src\//, ''), place });
  try {
    await work();
  } finally {
    globalThis.entered = undefined;
  }
  return entries;
}

/** Vocabulary: small values, codecs, tables, texts and components, which a reader takes for granted. */
const isVocabulary = (file: string) =>
  /^(?:base|data\/schema|web\/(?:texts|components|assets)|mail\/templates)\//.test(file);

/** The files of a trace in the order of their first use, each with the number of its functions that ran. */
export function summarize(entries: readonly Entry[]): string[] {
  const files = new Map<string, Set<number>>();
  for (const { file, place } of entries) {
    if (isVocabulary(file)) continue;
    files.set(file, (files.get(file) ?? new Set()).add(place));
  }
  return [...files].map(([file, places]) => `${file} (${places.size})`);
}
