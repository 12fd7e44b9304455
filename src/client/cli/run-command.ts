import { parseArgs } from 'node:util';
import { ApiError } from '../core/api-error.ts';
import { requestCommands } from './call.ts';
import { commonOptions, type Command, type Option } from './command.ts';
import { completionOf } from './completion.ts';
import type { EnvironmentVariables } from './connection.ts';
import { listen } from './listen.ts';
import { login, logout } from './login.ts';
import { logs } from './logs.ts';
import { mcp } from './mcp.ts';
import { open } from './open.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { trigger } from './trigger.ts';
import { didYouMean, UsageError } from './usage-error.ts';
import { whoami } from './whoami.ts';

declare const VERSION: string | undefined;

const commands: Readonly<Record<string, Command>> = {
  login,
  logout,
  ...requestCommands,
  listen,
  trigger,
  logs,
  mcp,
  open,
  whoami,
  completion: completionOf(() => commands),
};

/** Exit codes, for scripts. */
const [done, refused, wrongUse] = [0, 1, 2];

/** Runs one command line without the program's name. Returns the exit code; never rejects. */
export async function runCommandLine(
  words: readonly string[],
  environment: EnvironmentVariables,
  signal: AbortSignal,
): Promise<number> {
  const [name = '', ...rest] = words;
  // Before anything is parsed, so that a wrong option is reported in the asked form, too.
  const terminal = processTerminal(rest.includes('--json'));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    if (['', 'help', '--help', '-h'].includes(name)) {
      terminal.line(listCommands(commands));
      return name === '' ? wrongUse : done;
    }
    if (name === '--version') {
      terminal.line(typeof VERSION === 'undefined' ? 'not built' : VERSION);
      return done;
    }
    const meant = didYouMean(name, Object.keys(commands));
    terminal.say(`There is no command ${name}.${meant} store-api --help lists them.`);
    return wrongUse;
  }
  try {
    const { values, positionals } = parseWords(command, rest);
    if (values.help === true) terminal.line(describeCommand(name, command));
    else await command.run({ positionals, values, environment, terminal, signal });
    return done;
  } catch (error) {
    terminal.progress('');
    return report(error, name, terminal);
  }
}

function parseWords({ options }: Command, words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: { ...options, ...commonOptions },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function report(error: unknown, name: string, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.say(`${error.message}\nstore-api ${name} --help tells more.`);
    return wrongUse;
  }
  if (isUnreachable(error)) {
    terminal.say('No answer came. Is the service running? --url or STORE_API_URL names another.');
  } else if (error instanceof ApiError) describeRefusal(error, terminal);
  else terminal.say(error instanceof Error ? error.message : String(error));
  return refused;
}

/** Whether no service answered: the client reports it by a code, `fetch` by a `TypeError`. */
const isUnreachable = (error: unknown) =>
  error instanceof ApiError
    ? error.code === 'network'
    : error instanceof TypeError && error.message === 'fetch failed';

/** Prints the message of the service, the next step, and the address of the explanation. */
function describeRefusal(error: ApiError, terminal: Terminal) {
  const { status, code, errors, hint, requestId, documentationUrl } = error;
  if (terminal.isJson) {
    const ids = { request_id: requestId, documentation_url: documentationUrl };
    terminal.say(JSON.stringify({ status, code, errors, hint, ...ids }));
    return;
  }
  terminal.say(error.message);
  if (requestId !== undefined) terminal.say(`Request ${requestId}`);
  if (documentationUrl !== undefined) terminal.say(documentationUrl);
}

/** Returns the help of one command. */
function describeCommand(name: string, { usage, details, options }: Command): string {
  return [
    `store-api ${name} ${usage}`.trimEnd(),
    '',
    details.trim(),
    '',
    'Options',
    ...Object.entries({ ...options, ...commonOptions }).map(optionLine),
  ].join('\n');
}

function optionLine([name, { value, about }]: [string, Option]): string {
  const option = `--${name}${value === undefined ? '' : ` ${value}`}`;
  return `  ${option.padEnd(24)} ${about}`;
}

/** Returns the list of all commands. */
function listCommands(commands: Readonly<Record<string, Command>>): string {
  return [
    'store-api COMMAND [options]',
    '',
    'Calls the Online Store Administration API, and brings its webhooks to your machine.',
    '',
    'Commands',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'Credentials',
    '  STORE_API_TOKEN and STORE_API_SECRET of an API key, or store-api login.',
    '  --profile NAME takes the login of that name: store-api login --profile NAME.',
    '  Without any, a service on this machine is called with the key of its demo store.',
    '',
    'Exit codes: 0 done, 1 refused by the service or not reached, 2 wrong use.',
    'store-api COMMAND --help tells more about one command; store-api --version prints the version.',
  ].join('\n');
}
