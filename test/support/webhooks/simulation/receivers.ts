import { deliveryKey } from '../invariants.ts';
import type { SimulatedProcess } from './process.ts';
import type { ReceiverBehaviour, SimulationState } from './state.ts';

export const receiverBehaviours: readonly ReceiverBehaviour[] = [
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

/** Records a request and responds to it by the behaviour of its endpoint. */
export function respondAs(
  state: SimulationState,
  process: SimulatedProcess,
  init: RequestInit,
): Promise<Response> {
  const headers = Object.fromEntries(
    Object.entries(init.headers as Record<string, string>).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const key = deliveryKey(headers);
  const [id = 0, seq = 0] = key.split('-').map(Number);
  const behaviour = state.endpoints.find((endpoint) => endpoint.id === id)?.behaviour ?? 'well';
  const status = statusOf(behaviour, seq, state.random);
  const isAccepted = status === 200;
  const body = new TextDecoder().decode(init.body as Uint8Array);
  state.arrivals.push({ headers, body, isAccepted });
  process.onSent(key);
  if (status === undefined) return new Promise(() => undefined);
  const headersOfResponse = status === 429 ? { 'retry-after': '120' } : undefined;
  return Promise.resolve(
    new Response(null, { status, ...(headersOfResponse && { headers: headersOfResponse }) }),
  );
}

/** The response status; `undefined` for no response. */
function statusOf(
  behaviour: ReceiverBehaviour,
  seq: number,
  random: () => number,
): number | undefined {
  const isFifth = seq % 5 === 0;
  switch (behaviour) {
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
