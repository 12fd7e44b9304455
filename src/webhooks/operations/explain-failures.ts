import type { SendError } from '../delivery/outcome.ts';
import type { EndpointState } from '../endpoints/endpoint-state.ts';
import type { loadFailures } from '../log/failures.ts';

/** The meaning of a failure, and its remedy. */
interface Explanation {
  meaning: string;
  advice: string;
}

const byError: Readonly<Record<SendError, Explanation>> = {
  timeout: {
    meaning: 'Your address did not answer in time.',
    advice:
      'Answer with 2xx as soon as the delivery is stored, and do the work afterwards. It may take 5 seconds.',
  },
  connect: {
    meaning: 'No connection to your address.',
    advice:
      'See that the server runs, listens on the port of the url, and that no firewall refuses requests from the internet.',
  },
  dns: {
    meaning: 'The host name of your address does not exist.',
    advice: 'Correct the url of the webhook, or the DNS record of its host.',
  },
  tls: {
    meaning: 'The certificate of your address is not valid.',
    advice:
      'Renew the certificate, and see that it names the host of the url and comes with its intermediate certificates.',
  },
  edge_52x: {
    meaning: 'The network in front of your server could not reach it.',
    advice: 'See that your server runs and accepts requests of the proxy or CDN in front of it.',
  },
  http_4xx: {
    meaning: 'Your address rejected the delivery.',
    advice: 'Read response_text and the log of your server for this request, and answer with 2xx.',
  },
  http_5xx: {
    meaning: 'Your server reported an error of its own.',
    advice: 'Look for this delivery in the log of your server: webhook-id has the id of the event.',
  },
  redirect: {
    meaning: 'Your address sent a redirect, and redirects are not followed.',
    advice: 'Set the url of the webhook to where the redirect leads; a slash at the end counts.',
  },
  blocked_url: {
    meaning: 'The address may not receive webhooks: its host is not public.',
    advice: 'Use a public https address. For a test at home, use listen of the command line.',
  },
  internal: {
    meaning: 'The request failed on its way.',
    advice:
      'Wait for the next attempt. If it goes on, send a ping and give its X-Request-Id to support.',
  },
};

/** Statuses that say more than their class. */
const byStatus: ReadonlyMap<number, Explanation> = new Map([
  [
    400,
    {
      meaning: 'Your address found the delivery malformed.',
      advice:
        'Verify the signature over the exact bytes of the body, before anything parses it, and read response_text.',
    },
  ],
  [
    401,
    {
      meaning: 'Your address asked for credentials, or refused the signature.',
      advice:
        'Let your server accept requests without a session, and verify the signature with the secret of this webhook. During a change of the secret accept both.',
    },
  ],
  [
    403,
    {
      meaning: 'Your address refused the request.',
      advice:
        'See that no firewall, bot protection or CSRF check stands before the address, and that the secret is that of this webhook.',
    },
  ],
  [
    404,
    {
      meaning: 'Your server has nothing at the path of the url.',
      advice: 'Correct the url of the webhook, or add the route to your server.',
    },
  ],
  [
    405,
    {
      meaning: 'Your server does not take POST at this path.',
      advice: 'Deliveries are sent with POST: add the route for it.',
    },
  ],
  [
    410,
    {
      meaning: 'Your server said that the address no longer exists.',
      advice: 'If the address is really gone, delete the webhook. If not, answer 2xx again.',
    },
  ],
  [
    413,
    {
      meaning: 'The body was too large for your server.',
      advice: 'Allow bodies of up to 1 MB at this path.',
    },
  ],
  [
    429,
    {
      meaning: 'Your server asked to slow down.',
      advice:
        'Nothing is lost: deliveries wait. Store them and answer at once; a Retry-After header says how long to wait.',
    },
  ],
  [
    503,
    {
      meaning: 'Your server was not available.',
      advice: 'See that it runs and is not overloaded. Deliveries wait and come again.',
    },
  ],
]);

/** Explains how an attempt failed. */
export const explainFailure = (error: SendError, status: number | null): Explanation =>
  (status === null ? undefined : byStatus.get(status)) ?? byError[error];

const summaries: Readonly<Record<EndpointState, string>> = {
  active: 'Events are sent to the webhook.',
  failing:
    'Your address does not accept what is sent. Attempts go on, and the webhook is switched off after five days without success.',
  paused: 'The webhook is paused: nothing is sent, and events are held until it is resumed.',
  disabled:
    'Nothing arrived for five days, so the webhook was switched off. Events are held until it is resumed.',
  gone: 'Your address answered 410, that it no longer exists, so the webhook was switched off. Events are held until it is resumed.',
};

type Failures = NonNullable<Awaited<ReturnType<typeof loadFailures>>>;

/** Says what to do first. */
function adviseOn({ state, kinds: [latest], isProven }: Failures): string {
  const cause = latest && explainFailure(latest.error, latest.status).advice;
  if (state === 'paused') return 'Resume the webhook when your address is ready.';
  if (state === 'disabled' || state === 'gone') {
    const release = 'send a ping, and resume the webhook: that releases what was held.';
    if (cause === undefined) return `When your address is ready, ${release}`;
    // The rest is for an address that is to stay, so it belongs to the same sentence.
    const isGone = latest?.status === 410;
    return isGone ? cause.replace(/\.$/, `, ${release}`) : `${cause} Then ${release}`;
  }
  if (state === 'failing') {
    const ping = 'a ping: if your address answers 2xx, what waits is sent at once.';
    return cause === undefined ? `Send ${ping}` : `${cause} Then send ${ping}`;
  }
  if (cause !== undefined) {
    return `Some deliveries failed although others arrive. ${cause}`;
  }
  return isProven
    ? 'Nothing: the newest attempts arrived.'
    : 'Send a ping: nothing has been accepted by this address yet.';
}

/** The longest part of a response that is shown. */
const maxShown = 300;

/** Converts what `loadFailures` found. */
export const serializeFailures = (found: Failures) => ({
  id: found.id,
  state: found.state,
  summary: summaries[found.state],
  advice: adviseOn(found),
  failing_since: found.failingSince,
  last_success_at: found.lastSuccessAt,
  next_attempt_at:
    found.state === 'active' || found.state === 'failing' ? found.nextAttemptAt : null,
  causes: found.kinds.map(({ status, response, ...kind }) => ({
    ...kind,
    code: status,
    ...explainFailure(kind.error, status),
    response_text:
      response?.encoding === 'utf-8' && response.text !== ''
        ? Array.from(response.text).slice(0, maxShown).join('')
        : null,
  })),
});
