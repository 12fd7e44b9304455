import { parseArgs } from 'node:util';
import { UsageError } from '../cli/usage-error.ts';
import { optionOf, type Argument, type OperatorCommand } from './commands.ts';

/** The content of a command line. */
export interface ParsedWords {
  ids: readonly string[];
  query: Readonly<Record<string, string>>;
  /** `undefined` for an operation without a body. */
  body: Readonly<Record<string, unknown>> | undefined;
  url: string | undefined;
  isDryRun: boolean;
  isHelp: boolean;
}

/** The options of every command. */
const commonOptions = ['url', 'json', 'help', 'dry-run'];

/**
 * Parses the words after the name of a command. Options may be cut while they are unique. Throws a
 * `UsageError`.
 */
export function parseWords(command: OperatorCommand, words: readonly string[]): ParsedWords {
  const taken = [...command.query, ...command.body];
  const known = [...taken.map(optionOf), ...commonOptions];
  const isFlag = (name: string) =>
    ['json', 'help', 'dry-run'].includes(name) ||
    taken.some((argument) => argument.type === 'boolean' && optionOf(argument) === name);
  const options = Object.fromEntries(
    known.map((name) => [
      name,
      { type: isFlag(name) ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { values, positionals } = parse(
    words.map((word) => completeOption(word, known)),
    options,
  );
  const isHelp = values['help'] === true;
  const valuesOf = (list: readonly Argument[]) =>
    list.flatMap((argument) => {
      const value = values[optionOf(argument)];
      return value === undefined ? [] : [[argument.name, readValue(argument, value)] as const];
    });
  if (!isHelp) {
    assertComplete(command, positionals, values);
    if (values['dry-run'] === true && !command.changesRecord) {
      throw new UsageError('--dry-run is for commands that change a record.');
    }
  }
  return {
    ids: positionals,
    query: Object.fromEntries(
      valuesOf(command.query).map(([name, value]) => [name, String(value)]),
    ),
    body: command.body.length === 0 ? undefined : Object.fromEntries(valuesOf(command.body)),
    url: typeof values['url'] === 'string' ? values['url'] : undefined,
    isDryRun: values['dry-run'] === true,
    isHelp,
  };
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function parse(args: string[], options: Record<string, { type: 'boolean' | 'string' }>) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Completes `--owner` to `--owner-email` where no other option begins so. */
function completeOption(word: string, known: readonly string[]): string {
  const [, name = '', value = ''] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? [];
  if (name === '' || known.includes(name)) return word;
  const matches = known.filter((option) => option.startsWith(name));
  if (matches.length > 1) {
    throw new UsageError(`--${name} may be ${matches.map((match) => `--${match}`).join(' or ')}.`);
  }
  return matches.length === 1 ? `--${matches[0]}${value}` : word;
}

function assertComplete(
  { ids, query, body }: OperatorCommand,
  positionals: string[],
  values: Values,
) {
  if (positionals.length !== ids.length) {
    const wanted = ids.map(({ name }) => name.toUpperCase()).join(' ');
    throw new UsageError(
      ids.length === 0
        ? `Takes no words but options, not "${positionals[0]}".`
        : `Takes ${wanted}.`,
    );
  }
  const missing = [...query, ...body].filter(
    (argument) => argument.isRequired && values[optionOf(argument)] === undefined,
  );
  if (missing.length > 0) {
    throw new UsageError(`Needs ${missing.map((one) => `--${optionOf(one)}`).join(', ')}.`);
  }
}

function readValue({ type, ...argument }: Argument, value: string | boolean) {
  if (type !== 'number') return value;
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) {
    throw new UsageError(`--${optionOf(argument)} takes a whole number.`);
  }
  return Number(value);
}
