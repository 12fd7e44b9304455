import type { DocsProps } from './docs-props.ts';

/** When deliveries come again, what duplicates look like, what the sequence is for, and how to replay. */
export const Receiving = ({ retries, sequenceHeader, attemptHeader }: DocsProps) => (
  <>
    <h3 id="retries">Retries</h3>
    <p>
      What is not answered with 2xx in time is tried again, each step up to 20 % later than listed.
      A redirect is not followed. <code>429</code> and <code>503</code> may say when in{' '}
      <code>Retry-After</code>, up to 12 hours. A status that refuses this one body (400, 405, 409,
      413, 415, 422) holds up nothing else; any other failure makes the webhook wait as a whole and
      probe with one delivery. <code>410</code> switches it off at once, five days without a 2xx do
      too; what comes then is held and <a href="#resumeWebhook">resumed</a> when you like.
    </p>
    <table>
      <caption class="visually-hidden">The tries of a delivery</caption>
      <thead>
        <tr>
          <th scope="col">Try</th>
          <th scope="col">After the one before</th>
          <th scope="col">After the first</th>
        </tr>
      </thead>
      <tbody>
        {retries.map(({ attempt, wait, since }) => (
          <tr>
            <th scope="row">{attempt}</th>
            <td data-label="After the one before">{wait}</td>
            <td data-label="After the first">{since}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <h3 id="duplicates">Duplicates and order</h3>
    <p>
      An event may come more than once: when your 2xx was too late or got lost, and when it is
      replayed. A duplicate has the same <code>webhook-id</code> and the same bytes;{' '}
      <code>{attemptHeader}</code>, <code>webhook-timestamp</code> and{' '}
      <code>webhook-signature</code> differ, and a replay has a sequence number of its own. Store{' '}
      <code>webhook-id</code> in the transaction that does the work, under a unique key, and answer
      2xx to one that is there.
    </p>
    <p>
      <code>{sequenceHeader}</code> is an epoch and a number, such as <code>1.42</code>. Each
      webhook counts its deliveries without gaps. Deliveries may overtake each other; a number that
      is still missing when later ones have come is under way, and{' '}
      <a href="#showWebhookDelivery">its delivery</a> says how far it is. A higher epoch means that
      numbers begin anew. Of two events of one record the one with the later number is the newer,
      replays apart.
    </p>
    <h3 id="replay">Send again</h3>
    <p>
      Repair the receiver, then ask for one delivery, one event or a range of time with a{' '}
      <a href="#createWebhookReplay">replay</a>; <a href="#showWebhookReplay">it</a> tells how far
      it is. One event goes again to <a href="#replayEvent">all webhooks</a> that it was meant for.
      Events stay for 30 days, and longer while a delivery of them is open.
    </p>
  </>
);
