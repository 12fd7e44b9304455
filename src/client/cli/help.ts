import { commonOptions, type Command, type Option } from './command.ts';

/** Returns the help of one command. */
export function describeCommand(name: string, { usage, details, options }: Command): string {
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
export function listCommands(commands: Readonly<Record<string, Command>>): string {
  return [
    'store-api COMMAND [options]',
    '',
    'Calls the Online Store Administration API, and brings its webhooks to your machine.',
    '',
    'Commands',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`),
    '',
    'Credentials',
    '  STORE_API_TOKEN and STORE_API_SECRET of an API key, or store-api login.',
    '  Without any, a service on this machine is called with the key of its demo store.',
    '',
    'Exit codes: 0 done, 1 refused by the service or not reached, 2 wrong use.',
    'store-api COMMAND --help tells more about one command.',
  ].join('\n');
}
