import { optionOf, type Argument, type OperatorCommand } from './commands.ts';

const program = 'npm run operator --';

const optionLine = (argument: Argument) => {
  const value = argument.type === 'boolean' ? '' : argument.type === 'number' ? ' NUMBER' : ' TEXT';
  const option = `--${optionOf(argument)}${value}`;
  return `  ${option.padEnd(24)} ${argument.about}${argument.isRequired ? ' Required.' : ''}`;
};

/** How an id is named instead of by its number. */
export const alternatives: Readonly<Record<string, string>> = {
  stores: 'alias',
  users: 'email',
  apps: 'client_id',
};

/** The collection that the first id of a path is of, such as `stores`. */
export const collectionOf = ({ path }: OperatorCommand) => path.split('/')[3] ?? '';

/** Returns the help of one command. */
export function commandHelp(command: OperatorCommand): string {
  const { name, summary, description, ids, query, body, method, path, changesRecord } = command;
  const words = ids.map((id) => id.name.toUpperCase()).join(' ');
  const alternative = alternatives[collectionOf(command)];
  return [
    `${program} ${name} ${words}`.trimEnd(),
    '',
    `${summary}. ${description}`,
    ...(ids.length > 0 && alternative !== undefined
      ? ['', `ID is a number, or the ${alternative.replace('_', ' ')}.`]
      : []),
    '',
    'Options',
    ...[...query, ...body].map(optionLine),
    '  --url URL                the service; or OPERATOR_URL',
    ...(changesRecord
      ? ['  --dry-run                show what it is about, and change nothing']
      : []),
    '  --json                   print one JSON value a line, for programs',
    '',
    `Operation: ${method} ${path}`,
  ].join('\n');
}

/** Returns the list of all commands. */
export function overview(commands: ReadonlyMap<string, OperatorCommand>): string {
  const width = Math.max(...[...commands.keys()].map((name) => name.length));
  return [
    `${program} COMMAND [options]`,
    '',
    'Does what operators do, by the operations under /v2/operator.',
    '',
    'Commands',
    ...[...commands.values()].map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Credentials',
    '  OPERATOR_TOKEN and OPERATOR_SECRET of an API key that an operator made for operators.',
    '  Without them, a service on this machine is called with the key of its demo operator.',
    '',
    'Exit codes: 0 done, 1 refused by the service or not reached, 2 wrong use.',
    `${program} COMMAND --help tells more about one command.`,
  ].join('\n');
}
