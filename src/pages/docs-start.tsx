import { Code } from './docs-code.tsx';
import type { DocsProps } from './docs-props.ts';

/** Where the API is, and the first three calls. */
export const Start = ({ baseUrl, isLocal, alias, start }: DocsProps) => (
  <section id="start" aria-labelledby="start-title">
    <h2 id="start-title">Start</h2>
    <p>
      Base address: <code>{baseUrl}</code>. Bodies are JSON. Every store is addressed by its alias,
      the <code>{'{alias}'}</code> of a path.
    </p>
    <p>
      {isLocal ? (
        <>
          This is a local deployment: the credentials below are those of the demo store{' '}
          <code>{alias}</code>, so the lines work as they stand.
        </>
      ) : (
        <>Put your own alias and credentials where the lines below say so.</>
      )}
    </p>
    {start.map((step) => (
      <Code {...step} />
    ))}
  </section>
);

/** The two kinds of credentials, and the scopes. */
export const Authentication = ({ oauth, scopes, authUrl }: DocsProps) => (
  <section id="authentication" aria-labelledby="authentication-title">
    <h2 id="authentication-title">Authentication</h2>
    <h3>Header pair</h3>
    <p>
      Each request carries <code>User-Token</code> and <code>User-Secret-Key</code>. The pair
      belongs to a user and reaches all stores of that user; it needs no scopes.
    </p>
    <h3>OAuth 2.0 for partner apps</h3>
    <p>
      Authorization code with PKCE (<code>S256</code>), no client secret. The authorization server
      is at <code>{authUrl}</code>. Send the merchant to the first address; she returns to your
      redirect URI with <code>code</code>, <code>state</code> and <code>merchant</code>, the alias
      of the store. A code works once and lives a minute. Access tokens live 10 minutes, refresh
      tokens 30 days; a refresh replaces both. When its answer was lost, send the same refresh token
      again within two minutes; later a second use counts as theft and may end the connection. The
      address <code>/oauth/revoke</code> ends it on purpose. With the last connection of an app with
      a store the webhooks that it made there are paused.
    </p>
    {oauth.map((step) => (
      <Code {...step} />
    ))}
    <p>
      A token reaches the one store it was granted for, within its scopes. Both kinds of credentials
      in one request are refused with 401.
    </p>
    <h3>Scopes</h3>
    <table>
      <caption class="visually-hidden">Scopes</caption>
      <thead>
        <tr>
          <th scope="col">Scope</th>
          <th scope="col">Allows to</th>
        </tr>
      </thead>
      <tbody>
        {scopes.map(({ name, meaning }) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
