import { Code } from './docs-code.tsx';
import type { DocsProps } from './docs-props.ts';
import { Receiving } from './docs-receiving.tsx';
import { Rotating } from './docs-rotating.tsx';

/** What a receiver gets and how it knows who sent it. */
export const Webhooks = (props: DocsProps) => {
  const { signatureHeader, deliveryHeaders, verification } = props;
  return (
    <section id="webhooks" aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">How webhooks arrive</h2>
      <p>
        A webhook is an address and the <a href="#events">events</a> it wants. Each event is a POST
        with <code>event</code>, <code>time</code> (of the store's zone), <code>merchant</code> and{' '}
        <code>resource</code>. Answer with any 2xx within 5 seconds and work afterwards.
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
          {deliveryHeaders.map(({ name, description, example }) => (
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
      <h3 id="verify">Verify the signature</h3>
      <p>
        <code>{signatureHeader}</code> is the HMAC-SHA256 of the body, in Base64. The key is the
        whole text of the secret, <code>whsec_</code> included, that the creation of the webhook
        showed once. Always take the bytes of the body as they came: parsing and writing them again
        gives other bytes. The <code>webhook-*</code> headers follow Standard Webhooks, so its
        libraries work too; they also cover the moment, which stops old deliveries from being sent
        again.
      </p>
      {verification.map((sample) => (
        <Code {...sample} />
      ))}
      <Receiving {...props} />
      <Rotating {...props} />
    </section>
  );
};
