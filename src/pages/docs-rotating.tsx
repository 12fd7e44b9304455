import type { DocsProps } from './docs-props.ts';

/** How to change the secret of a webhook without a refused delivery. */
export const Rotating = ({ signatureHeader }: DocsProps) => (
  <>
    <h3 id="rotation">Change the secret</h3>
    <ol>
      <li>
        <a href="#rotateWebhookSecret">Rotate</a> and keep the new <code>secret_key</code> of the
        answer. The old secret still signs <code>{signatureHeader}</code>, the new one signs{' '}
        <code>{signatureHeader}-Next</code>; <code>webhook-signature</code> carries both.
      </li>
      <li>Let the receiver accept a delivery that either secret verifies.</li>
      <li>
        <a href="#commitWebhookSecret">Commit</a>, or wait for the end of the overlap. Now the new
        secret signs <code>{signatureHeader}</code> and the old one{' '}
        <code>{signatureHeader}-Previous</code>, for one more overlap.
      </li>
      <li>
        Drop the old secret. Check with a <a href="#pingWebhook">ping</a>.
      </li>
    </ol>
    <p>
      For a secret that leaked rotate with <code>immediate</code>: the old one is gone with the next
      delivery.
    </p>
  </>
);
