/** The resource that a credential opens: the API, or the same operations as tools of an assistant. */
export type Resource = 'api' | 'mcp';

/** How an assistant makes a call of an operation. */
interface AssistantCall {
  /** Whether the change is only tried. */
  isTried?: boolean | undefined;
  /** Another idempotency key of the same call. */
  earlierKey?: string | undefined;
}

const mcpRequests = new WeakMap<Request, AssistantCall>();

/** Marks a request that an assistant made over `/mcp`, and returns it. */
export const markMcpRequest = (request: Request, call: AssistantCall = {}): Request => {
  mcpRequests.set(request, call);
  return request;
};

/** How an assistant made a request; `undefined` for one of another caller. */
export const assistantCallOf = (request: Request) => mcpRequests.get(request);

/** Returns over which door a request came. */
export const resourceOf = (request: Request): Resource =>
  mcpRequests.has(request) ? 'mcp' : 'api';
