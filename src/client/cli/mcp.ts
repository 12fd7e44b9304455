import { Buffer } from 'node:buffer';
import { ApiError } from '../core/api-error.ts';
import { withQuery } from '../core/encode.ts';
import type { ServiceAnswer } from '../core/sender.ts';
import { Transport } from '../core/transport.ts';
import { connectionOptions, textOption, type Command, type CommandInput } from './command.ts';
import { resolveConnection, toolsPath, type Connection } from './connection.ts';
import { configOf } from './session.ts';
import { UsageError } from './usage-error.ts';

export const mcp: Command = {
  summary: 'the tools of /mcp, for assistants that start a program',
  usage: '[--toolsets NAMES] [--read-only] [options]',
  details: `
Hands the messages of an assistant (Model Context Protocol, on stdin and stdout) to the tools of the service, with
your credentials. The assistant starts it itself, so sign in before. It ends when the assistant closes stdin.

  store-api login --mcp
  store-api mcp --toolsets catalog,orders`,
  options: {
    toolsets: { type: 'string', value: 'NAMES', about: 'only these areas, such as catalog,orders' },
    'read-only': { type: 'boolean', about: 'no tool that changes the store' },
  },
  run: async (input) => {
    const bridge = new Bridge(input);
    const forwarded = new Set<Promise<void>>();
    for await (const line of linesOfInput(input.signal)) {
      const done = bridge.forward(line).finally(() => forwarded.delete(done));
      forwarded.add(done);
    }
    await Promise.all(forwarded);
  },
};

/** A message of JSON-RPC, as far as this program reads it. */
interface Message {
  jsonrpc?: unknown;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: { protocolVersion?: unknown };
}

/** The longest time of a call, in milliseconds. */
const callTimeoutMs = 120_000;

/** How to sign in, with the profile of the command. */
const loginOf = (input: CommandInput) => {
  const profile = textOption(input, 'profile');
  return `store-api login --mcp${profile === undefined ? '' : ` --profile ${profile}`}`;
};

const signInAgain = (input: CommandInput) =>
  `The access of this assistant has ended. Sign in again: ${loginOf(input)}`;

const [parseFailed, internalFault] = [-32_700, -32_603];

/**
 * Sends messages of a client to the service, and writes each answer as a line. Nothing else goes to
 * stdout.
 */
class Bridge {
  readonly #input: CommandInput;
  /** The requests that have no answer yet, by their ids. */
  readonly #pending = new Map<unknown, AbortController>();
  #connection: Connection;
  #service: Transport;
  /** The revision of a client that began with `initialize`; others name theirs in each message. */
  #revision: string | undefined;

  constructor(input: CommandInput) {
    this.#input = input;
    this.#connection = this.#findConnection(input.terminal);
    this.#service = new Transport(configOf(input, this.#connection), this.#connection.origin);
  }

  /**
   * Forwards one line. Never rejects: a failure is the answer to its request, and else a line for
   * the user.
   */
  async forward(line: string): Promise<void> {
    const message = parseMessage(line);
    if (!message) return this.#fail(null, parseFailed, 'The line is no message of JSON-RPC.');
    const { method, id, params } = message;
    if (method === 'notifications/cancelled') {
      // The service keeps nothing between requests, so a request ends with its connection.
      this.#pending.get(params?.requestId)?.abort();
      return;
    }
    const ending = new AbortController();
    if (id !== undefined) this.#pending.set(id, ending);
    try {
      const answer = await this.#send(line, message, ending.signal);
      for (const text of messagesOf(answer)) this.#write(text, method);
    } catch (error) {
      if (ending.signal.aborted || this.#input.signal.aborted) return;
      const text = this.#explain(error);
      if (method !== undefined && id !== undefined) this.#fail(id, internalFault, text, error);
      else this.#input.terminal.say(text);
    } finally {
      this.#pending.delete(id);
    }
  }

  #send(line: string, message: Message, signal: AbortSignal): Promise<ServiceAnswer> {
    this.#readLogin();
    const { login } = this.#connection;
    const { values } = this.#input;
    const path = withQuery(toolsPath, {
      // Tokens are of one store, and an API key may open several.
      store: 'apiKey' in login ? login.store : undefined,
      toolsets: textOption(this.#input, 'toolsets'),
      read_only: values['read-only'] === true ? 1 : undefined,
    });
    return this.#service.send({
      method: 'POST',
      path,
      body: { bytes: line, contentType: 'application/json' },
      headers: {
        Accept: 'application/json, text/event-stream',
        ...headersOf(message, this.#revision),
      },
      signal,
      timeoutMs: callTimeoutMs,
      // Errors of the protocol have statuses as well; the client gets them as they are.
      isExpected: (status, text) => status !== 401 && parseMessage(text)?.jsonrpc === '2.0',
    });
  }

  /**
   * Takes the credentials of now: in the days of this process, others refresh tokens and the user
   * signs in again.
   */
  #readLogin() {
    const connection = this.#findConnection({ ...this.#input.terminal, say: () => undefined });
    if (JSON.stringify(connection) === JSON.stringify(this.#connection)) return;
    // A key may do more than the user allowed the assistant.
    if ('oauth' in this.#connection.login && !('oauth' in connection.login)) {
      throw new UsageError(signInAgain(this.#input));
    }
    this.#connection = connection;
    this.#service = new Transport(configOf(this.#input, connection), connection.origin);
  }

  #findConnection(terminal: CommandInput['terminal']): Connection {
    const options = connectionOptions(this.#input);
    return resolveConnection(options, this.#input.environment, terminal, toolsPath);
  }

  #write(text: string, method: string | undefined) {
    const message = parseMessage(text);
    const revision = message?.result?.protocolVersion;
    if (method === 'initialize' && typeof revision === 'string') this.#revision = revision;
    if (message) this.#input.terminal.line(JSON.stringify(message));
  }

  #fail(id: string | number | null, code: number, message: string, cause?: unknown) {
    const data = cause instanceof ApiError && {
      status: cause.status,
      code: cause.code,
      request_id: cause.requestId,
    };
    const error = { code, message, ...(data && { data }) };
    this.#input.terminal.line(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }

  /** Says what happened, and the next step. */
  #explain(error: unknown): string {
    if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
    const { origin, login } = this.#connection;
    const code: string = error.code;
    if (code === 'network') return `No answer came from ${origin}. Is the service running?`;
    const isRefused = error.status === 401 || code === 'invalid_grant';
    if (!isRefused) return error.message;
    return 'oauth' in login
      ? signInAgain(this.#input)
      : `${error.message}\nSet another key, or sign in: ${loginOf(this.#input)}`;
  }
}

/** The message of a text; `undefined` for one that is no object of JSON. */
function parseMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The parameter of a request that is its name for proxies (revision 2026-07-28, Standard Request
 * Headers).
 */
const nameParameters: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The headers of Streamable HTTP, which repeat a part of the message. */
function headersOf({ method = '', params = {} }: Message, revision: string | undefined) {
  const { 'io.modelcontextprotocol/protocolVersion': own } = Object(params._meta) as Message &
    Record<string, unknown>;
  if (typeof own !== 'string') {
    return method !== 'initialize' && revision !== undefined
      ? { 'Mcp-Protocol-Version': revision }
      : {};
  }
  const name = params[nameParameters[method] ?? ''];
  return {
    'Mcp-Protocol-Version': own,
    'Mcp-Method': method,
    ...(typeof name === 'string' && { 'Mcp-Name': headerText(name) }),
  };
}

/** A text as a header can hold it: other than printable ASCII as Base64, between marks. */
const headerText = (text: string) =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/**
 * The messages of an answer: those of a stream of events, or the only one; none for a notification.
 */
function messagesOf({ headers, text }: ServiceAnswer): string[] {
  if (!headers.get('Content-Type')?.startsWith('text/event-stream')) return [text];
  const events = text.split(/\r?\n\r?\n/);
  return events.map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).trimStart())
      .join('\n'),
  );
}

/**
 * Yields the lines of stdin until it or the command ends. Only line feeds end a line: JSON may hold
 * other separators.
 */
async function* linesOfInput(signal: AbortSignal): AsyncGenerator<string, void> {
  const { stdin } = process;
  signal.addEventListener('abort', () => stdin.destroy());
  let rest = '';
  try {
    for await (const chunk of stdin.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines.filter((line) => line.trim() !== '');
    }
    if (rest.trim() !== '') yield rest;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
