import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** Where an installed Chromium is, in place of the one that npm brings. */
const installed = process.env.CHROMIUM_PATH;

const isBrought = process.platform === 'linux' && process.arch === 'x64';

/** Whether there is a Chromium: the variable's, the one that npm brings (Linux on x64), or an installed Chrome. */
export const hasChromium =
  installed !== undefined || isBrought || existsSync(chromeOf(process.platform));

function chromeOf(platform: string): string {
  if (platform === 'darwin') return '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  if (platform === 'win32') return 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe';
  return '/usr/bin/google-chrome';
}

/** Chromium as people have it: nothing of what protects them is switched off but the sandbox, which needs no root. */
export async function launchChromium(): Promise<Browser> {
  const executablePath =
    installed ?? (isBrought ? await sparticuz.executablePath() : chromeOf(process.platform));
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
