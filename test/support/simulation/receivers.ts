import { keyOf } from '../invariants.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** How a receiver is. `picky` refuses the payload of every fifth event, `poisoned` fails on it. */
export type Mood =
  | 'well'
  | 'failing'
  | 'hanging'
  | 'flaky'
  | 'busy'
  | 'gone'
  | 'picky'
  | 'poisoned';

export const moods: readonly Mood[] = [
  'well',
  'well',
  'failing',
  'hanging',
  'flaky',
  'busy',
  'gone',
  'picky',
  'poisoned',
];

/** What a receiver answers to a request, which it then has. */
export function receive(world: World, process: Process, init: RequestInit): Promise<Response> {
  const headers = Object.fromEntries(
    Object.entries(init.headers as Record<string, string>).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const key = keyOf(headers);
  const [id = 0, seq = 0] = key.split('-').map(Number);
  const mood = world.endpoints.find((endpoint) => endpoint.id === id)?.mood ?? 'well';
  const status = statusOf(mood, seq, world.random);
  const isAccepted = status === 200;
  const body = new TextDecoder().decode(init.body as Uint8Array);
  world.arrivals.push({ headers, body, isAccepted });
  process.sent(key);
  if (status === undefined) return new Promise(() => undefined);
  const answer = status === 429 ? { 'retry-after': '120' } : undefined;
  return Promise.resolve(new Response(null, { status, ...(answer && { headers: answer }) }));
}

/** `undefined` for no answer at all. */
function statusOf(mood: Mood, seq: number, random: () => number): number | undefined {
  const isFifth = seq % 5 === 0;
  switch (mood) {
    case 'failing':
      return 500;
    case 'hanging':
      return undefined;
    case 'flaky':
      return random() < 0.5 ? 503 : 200;
    case 'busy':
      return 429;
    case 'gone':
      return 410;
    case 'picky':
      return isFifth ? 422 : 200;
    case 'poisoned':
      return isFifth ? 500 : 200;
    default:
      return 200;
  }
}
