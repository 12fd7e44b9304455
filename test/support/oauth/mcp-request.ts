import { createExecutionContext } from 'cloudflare:test';
import { contextOfCall } from '../../../src/http/access/admit.ts';

/** The context of a request as the tools for assistants make it. */
export const contextOfTool = (): ExecutionContext =>
  contextOfCall(createExecutionContext(), { isTried: false, earlierKey: undefined });
