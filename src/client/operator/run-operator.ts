import { processTerminal, type Terminal } from '../cli/terminal.ts';
import { didYouMean, UsageError } from '../cli/usage-error.ts';
import {
  callService,
  findService,
  RefusedCall,
  type Environment,
  type Service,
} from './call-service.ts';
import { loadCommands, type OperatorCommand } from './commands.ts';
import { alternatives, collectionOf, commandHelp, overview } from './operator-help.ts';
import { parseWords, type ParsedWords } from './words.ts';

/** Exit codes, for scripts. */
const [done, refused, wrongUse] = [0, 1, 2];

let loaded: ReturnType<typeof loadCommands> | undefined;

/** Runs one command line without the program's name. Returns the exit code; never rejects. */
export async function runOperatorCommand(
  words: readonly string[],
  environment: Environment,
  terminalOf = processTerminal,
): Promise<number> {
  const [name = '', ...rest] = words;
  const terminal = terminalOf(rest.includes('--json'));
  const commands = await (loaded ??= loadCommands());
  const command = commands.get(name);
  if (!command) {
    if (['', 'help', '--help', '-h'].includes(name)) {
      terminal.line(overview(commands));
      return name === '' ? wrongUse : done;
    }
    const meant = didYouMean(name, commands.keys());
    terminal.say(`There is no command ${name}.${meant} npm run operator -- --help lists them.`);
    return wrongUse;
  }
  try {
    const parsed = parseWords(command, rest);
    if (parsed.isHelp) terminal.line(commandHelp(command));
    else await runCommand(command, parsed, findService(environment, parsed.url), terminal);
    return done;
  } catch (error) {
    return report(error, name, terminal);
  }
}

async function runCommand(
  command: OperatorCommand,
  { ids, query, body, isDryRun }: ParsedWords,
  service: Service,
  terminal: Terminal,
) {
  const path = await fillPath(command, ids, service);
  if (isDryRun) {
    // The record that the command changes: the first two segments after /v2/operator.
    const about = path.split('/').slice(0, 5).join('/');
    const shown = ids.length > 0 ? await callService(service, 'GET', about) : undefined;
    terminal.say(`Would ask for ${command.method} ${path}. Nothing was changed.`);
    terminal.print({ would: { method: command.method, path, body }, about: dataOf(shown) });
    return;
  }
  const search = new URLSearchParams(query).toString();
  const address = search === '' ? path : `${path}?${search}`;
  const answer = await callService(service, command.method, address, body);
  if (answer instanceof ReadableStream) {
    for await (const bytes of answer as ReadableStream<Uint8Array>) process.stdout.write(bytes);
    return;
  }
  const data = dataOf(answer);
  if (terminal.isJson && Array.isArray(data)) for (const record of data) terminal.print(record);
  else terminal.print(data);
  const next = nextOf(answer);
  if (next !== '') terminal.say(`More: --cursor ${next}`);
}

/**
 * Fills the ids into the path. The first one may be an alias, an address or a client id instead of
 * a number.
 */
async function fillPath(
  command: OperatorCommand,
  ids: readonly string[],
  service: Service,
): Promise<string> {
  let path = command.path;
  for (const [index, { name }] of command.ids.entries()) {
    const sent = ids[index] ?? '';
    const id = /^\d+$/.test(sent) || index > 0 ? sent : await findId(command, sent, service);
    path = path.replace(`{${name}}`, encodeURIComponent(id));
  }
  return path;
}

async function findId(command: OperatorCommand, sent: string, service: Service): Promise<string> {
  const collection = collectionOf(command);
  const key = alternatives[collection];
  if (key === undefined) throw new UsageError(`Takes a number, not "${sent}".`);
  const query = new URLSearchParams({ [key]: sent }).toString();
  const [found] = dataOf(
    await callService(service, 'GET', `/v2/operator/${collection}?${query}`),
  ) as { id: number }[];
  if (!found) throw new Error(`There is none with the ${key.replace('_', ' ')} ${sent}.`);
  return String(found.id);
}

/** Returns the value under `data`; the body itself without that. */
const dataOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'data' in body ? body.data : body;

/** The cursor of the next page; `''` at the end. */
function nextOf(body: unknown): string {
  const { meta } = (body ?? {}) as { meta?: { cursor?: { next?: string } } };
  return meta?.cursor?.next ?? '';
}

function report(error: unknown, name: string, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.say(`${error.message}\nnpm run operator -- ${name} --help tells more.`);
    return wrongUse;
  }
  if (error instanceof RefusedCall && terminal.isJson) terminal.say(JSON.stringify(error.body));
  else if (error instanceof TypeError && error.message === 'fetch failed') {
    terminal.say('No answer came. Is the service running? --url or OPERATOR_URL names another.');
  } else terminal.say(error instanceof Error ? error.message : String(error));
  return refused;
}
