const mcpRequests = new WeakSet<Request>();

/** Marks a request that an assistant made over `/mcp`, and returns it. */
export const markMcpRequest = (request: Request): Request => {
  mcpRequests.add(request);
  return request;
};
