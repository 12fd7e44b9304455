import { vi } from 'vitest';

/** Answers every request that the program sends with `receive`, and keeps what was asked, until the disposal. */
export function network(receive: (request: Request) => Response | Promise<Response>) {
  // Read at once: the body of a request belongs to whoever is served when it is made.
  const requests: { url: string; headers: Headers; text: string }[] = [];
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { url, headers } = request;
    requests.push({ url, headers: new Headers(headers), text: await request.clone().text() });
    return receive(request);
  });
  return { requests, [Symbol.dispose]: () => spy.mockRestore() };
}

/** A resolver that knows these names; any other does not exist. */
export function resolver(names: Record<string, string[]>) {
  return (request: Request): Response => {
    const { searchParams } = new URL(request.url);
    const addresses = names[searchParams.get('name') ?? ''];
    const isFour = searchParams.get('type') === 'A';
    const found = (addresses ?? []).filter((address) => address.includes('.') === isFour);
    return Response.json({
      Status: addresses ? 0 : 3,
      Answer: [
        // An alias on the way is no address.
        { name: 'x', type: 5, TTL: 1, data: 'alias.example.' },
        ...found.map((data) => ({ name: 'x', type: isFour ? 1 : 28, TTL: 1, data })),
      ],
    });
  };
}
