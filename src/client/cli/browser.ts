import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Programs that take the URL as one argument. None is a shell, which would read `&` in a URL as its
 * own.
 */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Returns the program that opens a URL, and its arguments: that in `BROWSER`, else that of the
 * system. `undefined` for what is no web address, which the system could open with any program.
 */
export function browserCommand(
  url: string,
  environment: Environment,
  platform: NodeJS.Platform,
): readonly [program: string, args: readonly string[]] | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
  const [program, ...before] = environment.BROWSER
    ? ([environment.BROWSER] as const)
    : (openers[platform] ?? (['xdg-open'] as const));
  // As parsed: without blanks and quotes.
  return [program, [...before, parsed.href]];
}

/**
 * Opens a URL in the browser of the user. Does not wait, and does not fail where there is none:
 * callers print the URL as well.
 */
export function openInBrowser(url: string, environment: Environment) {
  const command = browserCommand(url, environment, process.platform);
  if (!command) return;
  const child = spawn(...command, { stdio: 'ignore', detached: true, shell: false });
  child.on('error', () => undefined);
  child.unref();
}
