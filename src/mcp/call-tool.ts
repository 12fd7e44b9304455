import {
  acceptedContent,
  inputRequired,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { sha256 } from '../base/crypto/digest.ts';
import type { KeyRing } from '../base/crypto/keys.ts';
import { minuteMs } from '../base/durations.ts';
import type { Principal } from '../http/access/principal.ts';
import {
  calledById,
  calledByRecord,
  callText,
  confirmationRequired,
  declined,
  isWordOf,
  makeWord,
  needsConfirmation,
  questionOf,
} from './confirmation.ts';
import { readArguments } from './read-arguments.ts';
import { toolPath, toolRequest, type Arguments, type ToolRequest } from './tool-request.ts';
import { errorResult, resultOf } from './tool-result.ts';
import type { Tool } from './tool.ts';

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
