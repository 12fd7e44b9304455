/**
 * Output of a command: results to stdout, so that they can be piped; everything for users to
 * stderr.
 */
export interface Terminal {
  /** One record a line for programs, instead of indented text for users. */
  isJson: boolean;
  /** Whether a user watches; progress is shown only then. */
  isInteractive: boolean;
  /** Writes a result. */
  print: (value: unknown) => void;
  /** Writes a line to stdout. */
  line: (text: string) => void;
  /** Writes a line for users. */
  say: (text: string) => void;
  /** Replaces the last line of progress, for a user who watches. An empty text removes it. */
  progress: (text: string) => void;
}

// Control characters except tab and line feed, marks of direction, and invisible characters.
const controls = /(?![\t\n])\p{Cc}|[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Escapes what would command the terminal instead of being shown. Answers hold texts of strangers,
 * such as the body that a receiver returned. JSON stays the same JSON.
 */
export const escapeControls = (text: string): string =>
  text.replaceAll(
    controls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the terminal of this process. */
export function processTerminal(isJson: boolean): Terminal {
  const isInteractive = process.stderr.isTTY;
  const line = (text: string) => void process.stdout.write(`${escapeControls(text)}\n`);
  return {
    isJson,
    isInteractive,
    line,
    print: (value) => line(JSON.stringify(value, null, isJson ? 0 : 2)),
    say: (text) => void process.stderr.write(`${escapeControls(text)}\n`),
    progress: (text) => {
      if (isInteractive) process.stderr.write(`\r\u001B[K${escapeControls(text)}`);
    },
  };
}
