const print = console.log.bind(console);

/**
 * Drops log lines of level `info`: a run has some 100,000, and passing one to the reporter costs as
 * much as a request. Warnings and errors stay. Tests of the log replace `console` themselves.
 */
function printAllButInfo(...parts: unknown[]) {
  const [line] = parts;
  if (typeof line !== 'string' || !line.startsWith('{"level":"info"')) print(...parts);
}

// Files share an isolate, and each loads this module again.
if (console.log.name !== printAllButInfo.name) console.log = printAllButInfo;
