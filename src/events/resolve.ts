import * as z from 'zod';
import type { Ports } from './clock.ts';

/** An answer of DNS over HTTPS in its JSON form. */
const Answer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});

const recordTypes = { A: 1, AAAA: 28 } as const;
const noError = 0;
const noSuchName = 3;
const timeoutMs = 2_000;

/**
 * Every address of a name, both families, by DNS over HTTPS; empty when the name has none. Rejects when the
 * resolver does not answer within 2 s or answers with a failure.
 */
export async function addressesOf(
  host: string,
  resolverUrl: string,
  ports: Pick<Ports, 'fetch'>,
): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(recordTypes).map(async ([name, type]) => {
      const url = new URL(resolverUrl);
      url.searchParams.set('name', host);
      url.searchParams.set('type', name);
      const response = await ports.fetch(url.href, {
        headers: { Accept: 'application/dns-json' },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer = Answer.parse(await response.json());
      if (answer.Status !== noError && answer.Status !== noSuchName) {
        throw new Error(`the resolver answered with status ${answer.Status}`);
      }
      return answer.Answer.filter((record) => record.type === type).map(({ data }) => data);
    }),
  );
  return found.flat();
}
