/** Output of a command: results to stdout, so that they can be piped; everything for users to stderr. */
export interface Terminal {
  /** One record a line for programs, instead of indented text for users. */
  isJson: boolean;
  /** Whether a user watches; progress is shown only then. */
  isInteractive: boolean;
  /** Writes a result. */
  print: (value: unknown) => void;
  /** Writes a line to stdout as it is. */
  line: (text: string) => void;
  /** Writes a line for users. */
  say: (text: string) => void;
  /** Replaces the last line of progress, for a user who watches. An empty text removes it. */
  progress: (text: string) => void;
}

/** Returns the terminal of this process. */
export function processTerminal(isJson: boolean): Terminal {
  const isInteractive = process.stderr.isTTY;
  const line = (text: string) => void process.stdout.write(`${text}\n`);
  return {
    isJson,
    isInteractive,
    line,
    print: (value) => line(JSON.stringify(value, null, isJson ? 0 : 2)),
    say: (text) => void process.stderr.write(`${text}\n`),
    progress: (text) => {
      if (isInteractive) process.stderr.write(`\r\u001B[K${text}`);
    },
  };
}
