import { vi } from 'vitest';

/** Replaces `fetch` with `receive` and records the requests, until it is disposed. */
export function mockNetwork(receive: (request: Request) => Response | Promise<Response>) {
  // Bodies are read at once: a body stream can only be read within the request that created it.
  const requests: { url: string; headers: Headers; text: string }[] = [];
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { url, headers } = request;
    requests.push({ url, headers: new Headers(headers), text: await request.clone().text() });
    return receive(request);
  });
  return { requests, [Symbol.dispose]: () => spy.mockRestore() };
}

/** Returns a DNS-over-HTTPS resolver that knows these names and returns NXDOMAIN for others. */
export function dnsResolver(names: Record<string, string[]>) {
  return (request: Request): Response => {
    const { searchParams } = new URL(request.url);
    const addresses = names[searchParams.get('name') ?? ''];
    const isIpv4 = searchParams.get('type') === 'A';
    const found = (addresses ?? []).filter((address) => address.includes('.') === isIpv4);
    return Response.json({
      Status: addresses ? 0 : 3,
      Answer: [
        // A CNAME record is not an address.
        { name: 'x', type: 5, TTL: 1, data: 'alias.example.' },
        ...found.map((data) => ({ name: 'x', type: isIpv4 ? 1 : 28, TTL: 1, data })),
      ],
    });
  };
}
