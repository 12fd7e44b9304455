import { browserPaths, docsPaths } from '../../base/page-paths.ts';
import { openInBrowser } from './browser.ts';
import { connectionOptions, type Command } from './command.ts';
import { resolveOrigin } from './connection.ts';
import { UsageError } from './usage-error.ts';

const pages: Readonly<Record<string, string>> = {
  docs: docsPaths.home,
  reference: docsPaths.interactive,
  account: browserPaths.account,
  partners: browserPaths.partners,
  inbox: '/demo/inbox',
};

const names = Object.keys(pages).join(', ');

export const open: Command = {
  summary: `open a page in the browser: ${names}`,
  usage: 'PAGE [options]',
  details: `
Prints the address and opens it. BROWSER names the program to open it with.
The pages: ${names}. The inbox is that of the demo.`,
  options: {},
  run: (input) => {
    const [name = 'docs'] = input.positionals;
    const path = Object.hasOwn(pages, name) ? pages[name] : undefined;
    if (path === undefined)
      throw new UsageError(`There is no page ${name}. The pages are ${names}.`);
    const url = resolveOrigin(connectionOptions(input), input.environment) + path;
    input.terminal.line(input.terminal.isJson ? JSON.stringify({ url }) : url);
    openInBrowser(url, input.environment);
    return Promise.resolve();
  },
};
