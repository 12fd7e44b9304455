import { createExecutionContext } from 'cloudflare:test';
import { AssistantCall, contextOfCall } from '../../../src/http/access/resource.ts';

/** The context of a request as the tools for assistants make it. */
export const contextOfTool = (): ExecutionContext =>
  contextOfCall(createExecutionContext(), new AssistantCall());
