import { markMcpRequest } from '../../../src/http/access/resource.ts';

/** A request as the tools for assistants make it. */
export const markedAsMcp = (url: string, headers: Record<string, string>): Request =>
  markMcpRequest(new Request(url, { headers }));
