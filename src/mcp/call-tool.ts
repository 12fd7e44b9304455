import {
  acceptedContent,
  inputRequired,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {
  calledById,
  calledByRecord,
  type Called,
  confirmationRequired,
  declined,
  isConfirmed,
  needsConfirmation,
  questionOf,
} from './confirmation.ts';
import { toolPath, toolRequest, type Arguments, type ToolRequest } from './tool-request.ts';
import { errorResult, resultOf } from './tool-result.ts';
import type { Tool } from './tool.ts';

/** The dependencies of a call. */
export interface ToolCaller {
  alias: string;
  /** Sends a request with the credentials of the caller through the API. */
  send: (request: ToolRequest) => Promise<Response>;
  /** Whether the caller has the scope of a tool. */
  mayCall: (tool: Tool) => Promise<boolean>;
  /** The client's statements about itself and this call. */
  context: ServerContext;
}

/**
 * Calls a tool: sends one request to its operation, after the consent of the person where it needs that. All checks are
 * those of the operation.
 */
export async function callTool(
  tool: Tool,
  sent: Arguments,
  caller: ToolCaller,
): Promise<CallToolResult | InputRequiredResult> {
  const request = toolRequest(tool, caller.alias, sent);
  // No person is asked about what the operation would refuse.
  if (!request.isTried && needsConfirmation(tool, sent) && (await caller.mayCall(tool))) {
    const called = await readCalled(tool, sent, caller);
    if ('content' in called) return called;
    const question = isConfirmed(called, sent) ? undefined : ask(tool, called, caller);
    if (question) return question;
  }
  return resultOf(tool, sent, await caller.send(request));
}

/** Finds what the record of a call is called, from its operation; the result of that if it fails. */
async function readCalled(
  tool: Tool,
  sent: Arguments,
  { alias, send }: ToolCaller,
): Promise<Called | CallToolResult> {
  const { shownAt } = tool.confirmation ?? {};
  if (shownAt === undefined) return calledById(tool, sent);
  const response = await send({ method: 'GET', path: toolPath(shownAt, alias, sent) });
  // Who may not see the record says its id.
  if (response.status === 403) return calledById(tool, sent);
  const body = await response.json();
  if (response.ok) return calledByRecord(tool, sent, body);
  return errorResult(body as object, response.headers.get('Retry-After'));
}

/** Asks the person through the client, if that can; `undefined` once they agreed. Else throws what the assistant must send. */
function ask(
  tool: Tool,
  called: Called,
  { context: { mcpReq } }: ToolCaller,
): InputRequiredResult | undefined {
  if (!showsForms(mcpReq.envelope)) throw confirmationRequired(tool, called);
  const { inputResponses } = mcpReq;
  if (acceptedContent(inputResponses, 'confirm')?.confirm === true) return undefined;
  // The person is asked once.
  if (inputResponses && 'confirm' in inputResponses) throw declined(tool, called);
  return inputRequired({
    inputRequests: {
      confirm: inputRequired.elicit({
        message: questionOf(tool, called),
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: tool.title } },
          required: ['confirm'],
        },
      }),
    },
  });
}

/** Whether the client declares that it shows forms to the person. One that names no mode shows forms. */
function showsForms(envelope: ServerContext['mcpReq']['envelope']): boolean {
  const declared = envelope as Record<string, ClientCapabilities | undefined> | undefined;
  const elicitation = declared?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation;
  return elicitation !== undefined && (elicitation.form ?? !elicitation.url) !== false;
}
