import type { Context } from 'hono';

/**
 * The resource that a credential opens: the API, or the same operations as tools of an assistant.
 */
export type Resource = 'api' | 'mcp';

/**
 * How an assistant makes a call of an operation. Only this service makes one, so no request can
 * claim to be one.
 */
export class AssistantCall {
  /** Whether the change is only tried. */
  readonly isTried: boolean;
  /** Another idempotency key of the same call. */
  readonly earlierKey: string | undefined;

  constructor({ isTried = false, earlierKey }: { isTried?: boolean; earlierKey?: string } = {}) {
    this.isTried = isTried;
    this.earlierKey = earlierKey;
  }
}

/** The context of a request to the service itself that makes a call of an assistant. */
export const contextOfCall = (
  context: Pick<ExecutionContext, 'waitUntil'>,
  call: AssistantCall,
): ExecutionContext =>
  ({
    waitUntil: (work: Promise<unknown>) => context.waitUntil(work),
    passThroughOnException: () => undefined,
    props: call,
  }) as unknown as ExecutionContext;

/** The context of a request, as far as this file reads it. */
type CallContext = Context<{ Variables: { assistantCall: AssistantCall } }>;

/** How an assistant made a request; `undefined` for one of another caller. */
export function assistantCallOf(
  c: Pick<CallContext, 'executionCtx' | 'get'>,
): AssistantCall | undefined {
  const { props } = c.executionCtx as { props?: unknown };
  return c.get('assistantCall') ?? (props instanceof AssistantCall ? props : undefined);
}

/** Returns over which door a request came. */
export const resourceOf = (c: Pick<CallContext, 'executionCtx' | 'get'>): Resource =>
  assistantCallOf(c) ? 'mcp' : 'api';
