import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * Opens a URL in the browser of the user: the program in `BROWSER`, else that of the system. Does not wait, and does not
 * fail where there is none: callers print the URL as well.
 */
export function openInBrowser(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const [program, ...before] = environment.BROWSER
    ? ([environment.BROWSER] as const)
    : (openers[process.platform] ?? (['xdg-open'] as const));
  const child = spawn(program, [...before, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
