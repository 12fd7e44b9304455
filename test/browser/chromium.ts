import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';
import { makeOnce } from '../support/node/runtime/make-once.ts';

/** Path of an installed Chromium that replaces the one from npm. */
const customPath = process.env.CHROMIUM_PATH;

const hasNpmChromium = process.platform === 'linux' && process.arch === 'x64';

/**
 * Whether Chromium is available: from `CHROMIUM_PATH`, from npm (Linux on x64) or an installed
 * Chrome.
 */
export const hasChromium =
  customPath !== undefined || hasNpmChromium || existsSync(chromePath(process.platform));

function chromePath(platform: string): string {
  if (platform === 'darwin') return '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  if (platform === 'win32') return 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe';
  return '/usr/bin/google-chrome';
}

/**
 * Unpacks the Chromium from npm, once for all files of a run: one that another file still writes
 * cannot be started.
 */
async function unpackChromium(): Promise<string> {
  await makeOnce('chromium', async () => void (await sparticuz.executablePath()));
  return sparticuz.executablePath();
}

/**
 * Launches Chromium with its usual security features; only the process sandbox is off, because it
 * may need root.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath =
    customPath ?? (hasNpmChromium ? await unpackChromium() : chromePath(process.platform));
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--in-process-gpu',
      '--disable-background-networking',
      // A page lives for a second: to compile its scripts once, without threads beside, costs the
      // least.
      '--js-flags=--single-threaded,--always-sparkplug',
    ],
  });
}
