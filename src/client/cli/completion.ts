import { type Command, commonOptions } from './command.ts';
import { UsageError } from './usage-error.ts';

type Commands = Readonly<Record<string, Command>>;

const shells: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish };

/** Makes the command that prints a script for a shell, from the commands there are. */
export const completionOf = (commands: () => Commands): Command => ({
  summary: 'a script for your shell that completes commands and options',
  usage: 'bash|zsh|fish',
  details: `
Prints a script. Load it where your shell starts:

  eval "$(store-api completion bash)"       # ~/.bashrc
  eval "$(store-api completion zsh)"        # ~/.zshrc, after compinit
  store-api completion fish | source        # ~/.config/fish/config.fish`,
  options: {},
  run: ({ positionals: [shell = ''], terminal }) => {
    const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
    if (!write) throw new UsageError(`Which shell? One of ${Object.keys(shells).join(', ')}.`);
    terminal.line(write(commands()));
    return Promise.resolve();
  },
});

const optionsOf = ({ options }: Command) =>
  Object.keys({ ...options, ...commonOptions }).map((name) => `--${name}`);

const namesIn = (commands: Commands) => Object.keys(commands).join(' ');

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) words='${optionsOf(command).join(' ')}' ;;`,
  );
  return [
    '_store_api() {',
    '  local words',
    '  case "${COMP_CWORD}:${COMP_WORDS[1]}" in',
    `    1:*) words='${namesIn(commands)}' ;;`,
    ...cases.map((line) => line.replace(/^ {4}/, '    *:')),
    '  esac',
    '  COMPREPLY=($(compgen -W "${words}" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _store_api store-api',
  ].join('\n');
}

/**
 * A text in single quotes, as zsh and fish read it. Both read what follows a colon as a
 * description.
 */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", '’')}'`;

function zsh(commands: Commands): string {
  const described = Object.entries(commands).map(
    ([name, { summary }]) => `    ${quoted(`${name}:${summary}`)}`,
  );
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) compadd -- ${optionsOf(command).join(' ')} ;;`,
  );
  return [
    '_store_api() {',
    '  local -a names',
    '  names=(',
    ...described,
    '  )',
    '  if (( CURRENT == 2 )); then _describe command names; return; fi',
    '  [[ $PREFIX == -* ]] || { _files; return; }',
    '  case $words[2] in',
    ...cases,
    '  esac',
    '}',
    'compdef _store_api store-api',
  ].join('\n');
}

function fish(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, command]) => [
    `complete -c store-api -f -n __fish_use_subcommand -a ${name} -d ${quoted(command.summary)}`,
    ...Object.entries({ ...command.options, ...commonOptions }).map(
      ([option, { about, type }]) =>
        `complete -c store-api -n '__fish_seen_subcommand_from ${name}' -l ${option}${type === 'string' ? ' -r' : ''} -d ${quoted(about)}`,
    ),
  ]);
  return lines.join('\n');
}
