/** The resource that a credential opens: the API, or the same operations as tools of an assistant. */
export type Resource = 'api' | 'mcp';

const mcpRequests = new WeakSet<Request>();

/** Marks a request that an assistant made over `/mcp`, and returns it. */
export const markMcpRequest = (request: Request): Request => {
  mcpRequests.add(request);
  return request;
};

const dryRuns = new WeakSet<Request>();

/** Marks a request whose change is only tried, and returns it. */
export const markDryRun = (request: Request): Request => {
  dryRuns.add(request);
  return request;
};

/** Whether the change of a request is only tried. */
export const isDryRun = (request: Request): boolean => dryRuns.has(request);

/** Returns over which door a request came. */
export const resourceOf = (request: Request): Resource =>
  mcpRequests.has(request) ? 'mcp' : 'api';
