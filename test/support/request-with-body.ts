/** A request as other clients may make it: `fetch` sends no body with GET, so it is made as a POST and called a GET. */
export function requestWithBody(url: string, method: string, headers: HeadersInit, body: BodyInit) {
  if (method !== 'GET') return new Request(url, { method, headers, body });
  const request = new Request(url, { method: 'POST', headers, body });
  Object.defineProperty(request, 'method', { value: method });
  return request;
}
