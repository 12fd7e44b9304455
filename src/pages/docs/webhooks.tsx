import { CodeBlock } from '../components/code-block.tsx';
import type { DocsPageProps } from './props.ts';

/** How to receive webhooks: headers, signature, retries, duplicates, replays, secrets and URLs. */
export const WebhooksSection = (props: DocsPageProps) => (
  <section id="webhooks" aria-labelledby="webhooks-title">
    <h2 id="webhooks-title">Receive webhooks</h2>
    <p>
      A webhook is a URL and the <a href="#events">events</a> it subscribes to. Each event is a POST
      with <code>event</code>, <code>time</code> (in the time zone of the store),{' '}
      <code>merchant</code> and <code>resource</code>. Reply with any 2xx status within 5 seconds
      and process the event afterwards.
    </p>
    <table>
      <caption>Headers of a delivery</caption>
      <thead>
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Meaning</th>
          <th scope="col">Example</th>
        </tr>
      </thead>
      <tbody>
        {props.deliveryHeaders.map(({ name, description, example }) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{description}</td>
            <td data-label="Example">
              <code>{example}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <Signature {...props} />
    <Retries {...props} />
    <DuplicatesAndOrder {...props} />
    <h3 id="replay">Send deliveries again</h3>
    <p>
      Repair the receiver, then <a href="#createWebhookReplay">replay</a> one delivery, one event or
      a time range. The <a href="#showWebhookReplay">replay</a> shows its progress. You can also
      send one event again to <a href="#replayEvent">all webhooks</a> that it was meant for. Events
      are stored for {props.eventDays} days, and longer while a delivery of them is open.
    </p>
    <SecretRotation {...props} />
    <h3 id="hearing">What an app may hear</h3>
    <p>
      A webhook of an app gets an event only while the app is connected to the store and one consent
      covers every scope of the <a href="#events">event</a>. When a consent ends, the webhooks of
      the app that it covered are paused, and events that they may not hear are not recorded for
      them. After a new consent, activate the webhook again; leave out the events that are no longer
      allowed. Webhooks made with an API key hear everything.
    </p>
    <h3 id="receiver-urls">URLs of receivers</h3>
    <p>
      A webhook needs an <code>https</code> URL on port 443 or 8443 with a public host name. IP
      addresses, host names without a dot, internal domains such as <code>.local</code>, user names
      and fragments are rejected. Every address of the host must be public.
    </p>
  </section>
);

const Signature = ({ signatureHeader, signatureExamples }: DocsPageProps) => (
  <>
    <h3 id="verify">Verify the signature</h3>
    <p>
      <code>{signatureHeader}</code> is the HMAC-SHA256 of the body, in Base64. The key is the whole
      secret, including <code>whsec_</code>, that the API returned when the webhook was created. Use
      the bytes of the body exactly as received. A parsed and reserialized body has other bytes,
      because spaces, slashes, accents and numbers may be written differently.
    </p>
    <p>
      The <code>webhook-*</code> headers follow Standard Webhooks, so its libraries work too. They
      also sign the time of the attempt, which protects you from replayed requests.
    </p>
    {signatureExamples.map((example) => (
      <CodeBlock {...example} />
    ))}
  </>
);

const responseEffects = [
  ['2xx', 'The event is delivered.'],
  ['400, 405, 409, 413, 415, 422', 'Only this event is retried later; other events continue.'],
  [
    '429, or 503 with Retry-After',
    'The webhook waits, at least as long as Retry-After asks (12 hours at most).',
  ],
  ['410', 'The webhook is switched off at once, and its open events are held.'],
  [
    'Any other status, a redirect or no response',
    'The webhook waits, then tries one event at a time until one is delivered.',
  ],
] as const;

const Retries = ({ retries }: DocsPageProps) => (
  <>
    <h3 id="retries">Retries</h3>
    <p>
      A delivery without a 2xx response in time is retried after the waits below, each up to 20 %
      longer. Redirects are not followed. After five days without a 2xx response the webhook is
      switched off. Its events are then held until you <a href="#resumeWebhook">resume</a> it.
    </p>
    <p>
      A URL that has never returned 2xx gets one event at a time, and after a failure one per wait
      below, whatever it responds. All such webhooks of a store with the same host share these
      waits. After the first 2xx, to an event or a <a href="#pingWebhook">ping</a>, everything that
      waits is sent at once.
    </p>
    <table>
      <caption>Effect of your response</caption>
      <thead>
        <tr>
          <th scope="col">Response</th>
          <th scope="col">Effect</th>
        </tr>
      </thead>
      <tbody>
        {responseEffects.map(([response, effect]) => (
          <tr>
            <th scope="row">{response}</th>
            <td>{effect}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <table>
      <caption>Attempts of a delivery</caption>
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">After the previous one</th>
          <th scope="col">After the first one</th>
        </tr>
      </thead>
      <tbody>
        {retries.map(({ attempt, wait, sinceFirst }) => (
          <tr>
            <th scope="row">{attempt}</th>
            <td data-label="After the previous one">{wait}</td>
            <td data-label="After the first one">{sinceFirst}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);

const DuplicatesAndOrder = ({ sequenceHeader, attemptHeader }: DocsPageProps) => (
  <>
    <h3 id="duplicates">Duplicates and order</h3>
    <p>
      An event may arrive more than once: if your 2xx was late or lost, or if the event is replayed.
      A duplicate has the same <code>webhook-id</code> and the same body. Its{' '}
      <code>{attemptHeader}</code>, <code>webhook-timestamp</code> and{' '}
      <code>webhook-signature</code> differ, and a replay has a new sequence number. Store{' '}
      <code>webhook-id</code> under a unique key in the transaction that processes the event. Reply
      with 2xx if it is already stored.
    </p>
    <p>
      <code>{sequenceHeader}</code> consists of an epoch and a number, such as <code>1.42</code>.
      Each webhook numbers its deliveries without gaps. Deliveries may arrive out of order; a
      missing number is still on its way, and <a href="#showWebhookDelivery">its delivery</a> shows
      the progress. Apart from replays, the event with the higher number is the newer state of a
      record.
    </p>
    <p>
      A higher epoch means that an earlier state of the database was restored and the numbers
      continue from there. Read the data that you keep a copy of again.
    </p>
  </>
);

const SecretRotation = ({ signatureHeader }: DocsPageProps) => (
  <>
    <h3 id="rotation">Change the secret</h3>
    <ol>
      <li>
        <a href="#rotateWebhookSecret">Rotate</a> the secret and store the new{' '}
        <code>secret_key</code> from the response. The old secret still signs{' '}
        <code>{signatureHeader}</code>, the new one signs <code>{signatureHeader}-Next</code>.{' '}
        <code>webhook-signature</code> contains both.
      </li>
      <li>Let the receiver accept deliveries that either secret verifies.</li>
      <li>
        <a href="#commitWebhookSecret">Commit</a> the new secret, or wait until the overlap ends.
        For one more overlap the new secret signs <code>{signatureHeader}</code> and the old one
        signs <code>{signatureHeader}-Previous</code>.
      </li>
      <li>
        Remove the old secret from the receiver. Check it with a <a href="#pingWebhook">ping</a>.
      </li>
    </ol>
    <p>
      If a secret has leaked, rotate it with <code>immediate</code>. The old secret stops working
      with the next delivery.
    </p>
  </>
);
