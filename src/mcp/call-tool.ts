import {
  acceptedContent,
  inputRequired,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { canonicalJson } from '../base/codecs/canonical-json.ts';
import { cleanFormLine, removeInvisible } from '../base/codecs/fields/normalize-text.ts';
import { fromBase64, toBase64url } from '../base/crypto/base64.ts';
import { sha256 } from '../base/crypto/digest.ts';
import { computeMac, verifyMac } from '../base/crypto/hmac.ts';
import { type KeyRing, deriveKey, rootsOf } from '../base/crypto/keys.ts';
import { randomBase64url } from '../base/crypto/random.ts';
import { minuteMs } from '../base/durations.ts';
import { HttpError } from '../base/errors.ts';
import type { Principal } from '../http/access/principal.ts';
import { showAnswer } from './shown.ts';
import {
  readArguments,
  toolPath,
  toolRequest,
  type ToolRequest,
  countOf,
  isOwnName,
  isTried,
} from './tool-request.ts';
import type { Arguments, Tool } from './tool.ts';

/** The dependencies of a call. */
export interface ToolCaller {
  alias: string;
  /** The root keys, which sign the words of consent. */
  keys: KeyRing;
  /** Sends a request with the credentials of the caller through the API. */
  send: (request: ToolRequest) => Promise<Response>;
  /** Checks the credentials of the caller. */
  admit: () => Promise<Principal>;
  /** The client's statements about itself and this call. */
  context: ServerContext;
}

/**
 * Calls a tool: sends one request to its operation, after the consent of the person where it needs
 * that. All checks are those of the operation.
 */
export async function callTool(
  tool: Tool,
  raw: Arguments,
  caller: ToolCaller,
): Promise<CallToolResult | InputRequiredResult> {
  const sent = readArguments(tool, raw);
  const request = toolRequest(tool, caller.alias, sent);
  const send = async (keys: RequestKeys) =>
    resultOf(tool, sent, await caller.send({ ...request, ...keys }));
  if (request.isTried) return send({});
  // No person is asked about what the operation would refuse.
  if (needsConfirmation(tool, sent) && (await mayCall(tool, caller))) {
    const agreed = await askPerson(tool, sent, caller);
    return typeof agreed === 'string' ? send({ idempotencyKey: agreed }) : agreed;
  }
  return send(isMadeOnce(tool, sent) ? await keysOfMinutes(tool, sent) : {});
}

type RequestKeys = Pick<ToolRequest, 'idempotencyKey' | 'earlierKey'>;

const mayCall = async ({ scope }: Tool, { admit }: ToolCaller) =>
  scope === null || (await admit()).hasScope(scope);

/** Whether a second call would create, or add, once more. */
const isMadeOnce = ({ method, inputSchema: { properties = {} } }: Tool, sent: Arguments) =>
  method === 'POST' ||
  ('again' in properties &&
    sent.dry_run !== true &&
    /"(?:delta|percent)":/.test(JSON.stringify(sent)));

/** For how long the same call is the same change: hosts repeat a call whose answer was lost. */
const sameCallMs = 10 * minuteMs;

/**
 * The idempotency keys of a call in this span of time and the one before. The service adds the
 * caller and the store to them.
 */
async function keysOfMinutes(tool: Tool, sent: Arguments): Promise<RequestKeys> {
  const span = Math.floor(Date.now() / sameCallMs);
  const call = await sha256(callText(String(sent.again ?? 1), tool, sent));
  return { idempotencyKey: `${span} ${call}`, earlierKey: `${span - 1} ${call}` };
}

/**
 * Returns the word of a call that the person agreed to. A host that shows forms is asked, and
 * nothing that its model writes counts; elsewhere the model sends the word of the refusal. Throws
 * that refusal.
 */
async function askPerson(
  tool: Tool,
  sent: Arguments,
  caller: ToolCaller,
): Promise<string | CallToolResult | InputRequiredResult> {
  const { keys, alias, admit, context } = caller;
  const { envelope, inputResponses, requestState } = context.mcpReq;
  const call = callText(`${(await admit()).key} ${alias}`, tool, sent);
  const canAsk = showsForms(envelope);
  const word: unknown = canAsk ? requestState() : sent.confirm;
  const isOfCall = await isWordOf(keys, word, call, Date.now());
  const isAgreed = !canAsk || acceptedContent(inputResponses, 'confirm')?.confirm === true;
  if (isOfCall && isAgreed) return String(word).trim();
  const called = await readCalled(tool, sent, caller);
  if (typeof called !== 'string') return called;
  const question = questionOf(tool, called, sent);
  if (isOfCall) throw declined(question);
  const next = await makeWord(keys, call, Date.now());
  if (!canAsk) throw confirmationRequired(question, next);
  return inputRequired({
    requestState: next,
    inputRequests: {
      confirm: inputRequired.elicit({
        message: question,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: tool.title } },
          required: ['confirm'],
        },
      }),
    },
  });
}

/**
 * Finds what the record of a call is called, from its operation; the result of that if it fails.
 */
async function readCalled(
  tool: Tool,
  sent: Arguments,
  { alias, send }: ToolCaller,
): Promise<string | CallToolResult> {
  const { shownAt } = tool.confirmation ?? {};
  if (shownAt === undefined) return calledById(tool, sent);
  const response = await send({ method: 'GET', path: toolPath(shownAt, alias, sent) });
  // Who may not see the record says its id.
  if (response.status === 403) return calledById(tool, sent);
  const body = await response.json();
  if (response.ok) return calledByRecord(tool, sent, body);
  return errorResult(body as object, response.headers.get('Retry-After'));
}

/**
 * Whether the client declares that it shows forms to the person. One that names no mode shows
 * forms.
 */
function showsForms(envelope: ServerContext['mcpReq']['envelope']): boolean {
  const declared = envelope as Record<string, ClientCapabilities | undefined> | undefined;
  const elicitation = declared?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation;
  return elicitation !== undefined && (elicitation.form ?? !elicitation.url) !== false;
}

/** The longest text that an operation may read as a word, in characters. */
const maxWord = 255;

/**
 * Whether a call needs the person's consent: a deletion, or one that moves money or releases goods.
 */
const needsConfirmation = ({ confirmation }: Tool, sent: Arguments): boolean =>
  confirmation !== undefined &&
  (confirmation.unless === undefined ||
    Object.entries(confirmation.unless).some(([name, values]) => {
      const value = sent[name] ?? undefined;
      // An operation reads a word without the blanks and marks around it.
      const read = typeof value === 'string' ? cleanFormLine(value, maxWord) : value;
      return read !== undefined && !values.includes(read);
    }));

/** The last id of the path, where the record itself is not read. */
function calledById({ path }: Tool, sent: Arguments): string {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return String(sent[names.at(-1) ?? ''] ?? '');
}

/**
 * The name of a record as its operation shows it, else its number or its id. No question repeats
 * what strangers wrote.
 */
function calledByRecord(tool: Tool, sent: Arguments, shown: unknown): string {
  const { data = shown } = shown as { data?: unknown };
  const { name, number } = ([data].flat()[0] ?? {}) as Record<string, unknown>;
  if (typeof name === 'string' && name !== '' && !tool.confirmation?.isNameForeign) return name;
  return typeof number === 'number' ? String(number) : calledById(tool, sent);
}

/** The longest arguments of a question, in characters. */
const maxAsked = 200;

/** The question to the person: what is done, to what, and with what. */
function questionOf(tool: Tool, called: string, sent: Arguments): string {
  const { title, path } = tool;
  const others = Object.entries(sent)
    .filter(([name]) => !isOwnName(tool, name) && !path.includes(`{${name}}`))
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${countOf(name, value) ?? name}: ${text}`;
    })
    .join(', ');
  return `${title}: ${called}${others === '' ? '' : ` (${others.slice(0, maxAsked)})`}?`;
}

/** A call that needs consent: nothing else is consented to. */
const callText = (caller: string, tool: Tool, sent: Arguments): string => {
  const taken = Object.entries(sent).filter(([argument]) => !isOwnName(tool, argument));
  return canonicalJson(JSON.stringify([caller, tool.name, Object.fromEntries(taken)]));
};

const keyLabel = 'assistant-consent/v1';

/** How long a person may think, in minutes. */
const lifetimeMinutes = 10;

const encoder = new TextEncoder();

const signed = (ends: string, nonce: string, call: string) =>
  encoder.encode(`${ends}.${nonce}.${call}`);

/**
 * Makes the word that stands for the consent to one call. It is also the idempotency key of that
 * call, so it works once.
 */
async function makeWord(keys: KeyRing, call: string, now: number): Promise<string> {
  const ends = Math.ceil(now / minuteMs + lifetimeMinutes).toString(36);
  const nonce = randomBase64url(3);
  const key = await deriveKey(keys.current, keyLabel, 'sign');
  return `${ends}.${nonce}.${toBase64url(await computeMac(key, signed(ends, nonce, call), 9))}`;
}

/** Whether a text is the word of this very call, and not too old. */
async function isWordOf(keys: KeyRing, word: unknown, call: string, now: number): Promise<boolean> {
  const [, ends = '', nonce = '', tag = ''] =
    /^([0-9a-z]{1,8})\.([\w-]{4})\.([\w-]{12})$/.exec(String(word).trim()) ?? [];
  if (tag === '' || Number.parseInt(ends, 36) * minuteMs < now) return false;
  const checks = rootsOf(keys).map(async (root) =>
    verifyMac(await deriveKey(root, keyLabel, 'sign'), signed(ends, nonce, call), fromBase64(tag)),
  );
  return (await Promise.all(checks)).includes(true);
}

/**
 * The refusal of an unconfirmed call where the host shows no forms. It says what to send after the
 * person's yes.
 */
const confirmationRequired = (question: string, word: string): HttpError =>
  new HttpError('confirmation_required', {
    errors: { confirm: [`Must be ${JSON.stringify(word)}, after the consent of the person.`] },
    hint: `Ask the person: "${question}" After a yes, repeat this very call with confirm: "${word}", within ten minutes. It works once.`,
  });

/** The refusal of a call to which the person said no. */
const declined = (question: string): HttpError =>
  new HttpError('confirmation_required', {
    hint: `Do not repeat the call: the person was asked ("${question}") and did not agree.`,
  });

/** How much of a file of lines a result has. */
const maxFileBytes = 10_000;

const repeatedNote = 'The same call was made before, and was not made again: this is its answer.';

/** Codes of a repeated request whose answer is not kept. */
const repeatedCodes: ReadonlySet<unknown> = new Set(['answer_lost', 'request_under_way']);

const repeatedHint =
  'The same call was made minutes ago, and was not made again. Read what it made; to make it once more, add again: 2.';

/** Makes the result of a tool from the answer of its operation. */
async function resultOf(tool: Tool, sent: Arguments, response: Response): Promise<CallToolResult> {
  const { headers } = response;
  const type = headers.get('Content-Type') ?? '';
  if (!type.startsWith('application/json')) return resultOfFile(await readStart(response));
  const body = readVisible(await response.text()) as Record<string, unknown>;
  if (!response.ok) {
    const isRepeated = repeatedCodes.has(body.code);
    return errorResult(
      isRepeated ? { ...body, hint: repeatedHint } : body,
      headers.get('Retry-After'),
    );
  }
  const warnings = headers.get('X-Warning');
  const { value, text } = showAnswer(tool, body, sent, [
    ...(warnings === null ? [] : [warnings]),
    ...(headers.has('Idempotent-Replayed') ? [repeatedNote] : []),
    ...progressOf(tool, body),
    ...triedOf(tool, sent),
  ]);
  return { content: [{ type: 'text', text }], structuredContent: value };
}

/** How many seconds a model waits before it looks at long work again. */
const [shortestWait, usualWait, longestWait] = [5, 10, 60];

/**
 * How far an import or an export is, and when to look again: an answer ends before the work does.
 */
function progressOf({ name }: Tool, { data }: Record<string, unknown>): string[] {
  const { id, done, total, finished_at, seconds_left } = (data ?? {}) as Record<string, unknown>;
  if (finished_at !== null || typeof done !== 'number') return [];
  const left = typeof seconds_left === 'number' ? seconds_left : usualWait;
  const wait = Math.min(Math.max(left, shortestWait), longestWait);
  const shown = name.replace(/^[a-z]+/, 'show');
  return [
    `Not finished: ${done} of ${String(total)} are done. Call ${shown} with id ${String(id)} again in ${wait} seconds.`,
  ];
}

/**
 * Characters that people do not see, but a model reads: a text in tags, or between marks of the
 * direction.
 */
const unseen = /[\p{DI}\p{NChar}\ufff9-\ufffb]/u;

/** Reads JSON without texts that only programs read. Most have none. */
export const readVisible = (json: string): unknown =>
  JSON.parse(
    json,
    unseen.test(json)
      ? (_, value: unknown) => (typeof value === 'string' ? (removeInvisible(value) ?? '') : value)
      : undefined,
  );

/**
 * How many records a change that was tried names: its answer is the same for one and for a
 * thousand.
 */
function triedOf(tool: Tool, sent: Arguments): string[] {
  if (!isTried(tool, sent)) return [];
  const counts = Object.entries(sent).flatMap(([name, value]) =>
    isOwnName(tool, name) || Object.hasOwn(tool.query, name) ? [] : (countOf(name, value) ?? []),
  );
  return counts.length === 0 ? [] : [`The change takes ${counts.join(', ')}.`];
}

/**
 * The result of a call that failed: the body of the error, and how many seconds to wait, where its
 * operation says so.
 */
export const errorResult = (body: object, retryAfter?: string | null): CallToolResult => ({
  ...ownResult({ ...body, ...(retryAfter != null && { retry_after: Number(retryAfter) }) }),
  isError: true,
});

/**
 * The result of what this server answers itself. A model reads the same whichever part its host
 * shows.
 */
export const ownResult = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
});

/** The start of a body as text, and whether there is more. */
async function readStart(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return { text, isWhole: true };
    text += decoder.decode(value, { stream: true });
    if (text.length > maxFileBytes) {
      await reader?.cancel();
      return { text, isWhole: false };
    }
  }
}

/** The first lines of a file, as far as they are whole. */
function resultOfFile({ text, isWhole }: { text: string; isWhole: boolean }): CallToolResult {
  const start = isWhole ? text : text.slice(0, maxFileBytes);
  const whole = isWhole ? start : start.slice(0, start.lastIndexOf('\n') + 1);
  const lines = whole
    .split('\n')
    .filter((line) => line !== '')
    .map(readVisible);
  const note = `Shows the first ${lines.length} lines. Programs get the whole file over HTTP.`;
  return ownResult({ lines, ...(!isWhole && { notes: [note] }) });
}
