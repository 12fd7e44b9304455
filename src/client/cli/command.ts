import type { ConnectionOptions, EnvironmentVariables } from './connection.ts';
import type { Terminal } from './terminal.ts';

/** An option as `parseArgs` takes it, with its text in the help. */
export interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
  /** Name of the value in the help, such as `URL`. */
  value?: string;
  about: string;
}

/** The input of a command. */
export interface CommandInput {
  positionals: string[];
  values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  environment: EnvironmentVariables;
  terminal: Terminal;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
}

export interface Command {
  /** In the list of all commands. */
  summary: string;
  /** The line after the name, such as `PATH [options]`. */
  usage: string;
  /** Further lines of its help: its effect, and examples. */
  details: string;
  options: Readonly<Record<string, Option>>;
  /** Rejects with a `UsageError` (exit code 2), or with any other error (exit code 1). */
  run: (input: CommandInput) => Promise<void>;
}

/** The options of every command. */
export const commonOptions = {
  url: { type: 'string', value: 'URL', about: 'the service; or STORE_API_URL' },
  store: { type: 'string', value: 'ALIAS', about: 'the store; or STORE_API_STORE' },
  profile: { type: 'string', value: 'NAME', about: 'the login of that name, with its service' },
  json: { type: 'boolean', about: 'print one JSON value a line, for programs' },
  help: { type: 'boolean', about: 'print this help' },
} satisfies Record<string, Option>;

/** Returns the value of an option that takes a text. */
export const textOption = ({ values }: CommandInput, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

/** Returns the options that say which service and store a command calls, and as whom. */
export const connectionOptions = (input: CommandInput): ConnectionOptions => ({
  url: textOption(input, 'url'),
  store: textOption(input, 'store'),
  profile: textOption(input, 'profile'),
});

/** Returns the texts of an option that may be repeated. */
export const textsOf = ({ values }: CommandInput, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};
