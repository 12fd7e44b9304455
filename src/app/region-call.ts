/** A request on its way to the Worker of a region. */
interface RegionCall {
  /** The answer, whenever it comes. */
  response: Promise<Response>;
  /** Resolves once the Worker has owed something for longer than the limit. */
  silence: Promise<undefined>;
  /** Ends it: nobody waits for it any more. */
  end: () => void;
}

/** The bytes of a body that pass at once, at most. */
const chunkBytes = 65_536;

/**
 * Sends a request to the Worker of a region, unchanged. The Worker owes the head of an answer, and before it that it takes
 * each part of the body. While the caller sends nothing, and once the head is here, no time counts.
 */
export function callRegion(worker: Fetcher, request: Request, limitMs: number): RegionCall {
  const ended = new AbortController();
  const silence = Promise.withResolvers<undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAnswered = false;
  const rest = () => clearTimeout(timer);
  const wait = () => {
    rest();
    if (!isAnswered) timer = setTimeout(() => silence.resolve(undefined), limitMs);
  };
  const { body, method } = request;
  if (!body) wait();
  const sent = body
    ? new Request(request, { method, body: passOn(request, body, { wait, rest }) })
    : request;
  const response = worker.fetch(sent, { signal: ended.signal }).finally(() => {
    isAnswered = true;
    rest();
  });
  response.catch(() => undefined);
  return { response, silence: silence.promise, end: () => ended.abort() };
}

/** Returns the body that the Worker of a region gets. Says when the Worker is waited for, and when the caller is. */
function passOn(
  { headers }: Request,
  body: ReadableStream<Uint8Array>,
  { wait, rest }: { wait: () => void; rest: () => void },
): ReadableStream {
  const length = headers.get('Content-Length');
  const { readable, writable } =
    length === null ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
  const [reader, writer] = [body.getReader({ mode: 'byob' }), writable.getWriter()];
  const pass = async () => {
    let buffer = new ArrayBuffer(chunkBytes);
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      wait();
      if (done) return await writer.close();
      await writer.write(value);
      rest();
      buffer = value.buffer;
    }
  };
  // A body that was cut, or that the Worker does not want: each side learns it, and the answer says the rest.
  pass().catch((error: unknown) => Promise.allSettled([reader.cancel(error), writer.abort(error)]));
  return readable;
}
