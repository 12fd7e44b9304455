import { CodeBlock } from '../components/code-block.tsx';
import type { DocsPageProps } from './props.ts';

/** The base URL and the first three calls. */
export const StartSection = ({ baseUrl, hasWorkingExamples, alias, firstCalls }: DocsPageProps) => (
  <section id="start" aria-labelledby="start-title">
    <h2 id="start-title">Start</h2>
    <p>
      Base URL: <code>{baseUrl}</code>. Bodies are JSON. A store is addressed by its alias, the{' '}
      <code>{'{alias}'}</code> of a path.
    </p>
    <p>
      {hasWorkingExamples ? (
        <>
          This is a local deployment. The examples use the API key of the demo store{' '}
          <code>{alias}</code>, so you can run them unchanged.
        </>
      ) : (
        <>Replace the alias and the API key in the examples with your own.</>
      )}
    </p>
    {firstCalls.map((call) => (
      <CodeBlock {...call} />
    ))}
  </section>
);

/** API keys, OAuth 2.0 and the scopes. */
export const AuthenticationSection = ({ oauthCalls, scopes, authUrl }: DocsPageProps) => (
  <section id="authentication" aria-labelledby="authentication-title">
    <h2 id="authentication-title">Authentication</h2>
    <h3>API key</h3>
    <p>
      An API key has two parts, which each request sends in the headers <code>User-Token</code> and{' '}
      <code>User-Secret-Key</code>. The key belongs to a user, has access to all stores of that user
      and needs no scopes.
    </p>
    <h3>OAuth 2.0 for partner apps</h3>
    <p>
      Apps use the authorization code flow with PKCE (<code>S256</code>) and no client secret. The
      authorization server is at <code>{authUrl}</code>.
    </p>
    <ul>
      <li>
        Send the merchant to the first address below. The merchant returns to your redirect URI with{' '}
        <code>code</code>, <code>state</code> and <code>merchant</code>, the alias of the store.
      </li>
      <li>A code can be exchanged once and expires after one minute.</li>
      <li>
        Access tokens expire after 10 minutes, refresh tokens after 30 days. A refresh replaces
        both.
      </li>
      <li>
        If the response to a refresh is lost, send the same refresh token again within two minutes.
        A later second use counts as theft and may end the connection.
      </li>
      <li>
        <code>/oauth/revoke</code> ends a connection. When the last connection of an app to a store
        ends, the webhooks that the app created there are paused.
      </li>
    </ul>
    {oauthCalls.map((call) => (
      <CodeBlock {...call} />
    ))}
    <p>
      A token has access to the one store it was granted for, within its scopes. A request with both
      an API key and a token is rejected with 401.
    </p>
    <h3>Scopes</h3>
    <p>
      Some fields need a further scope, and say so. Without it they are left out or{' '}
      <code>null</code>, and an <code>include</code> or a body that names them is rejected with 403.
    </p>
    <table>
      <caption class="visually-hidden">Scopes</caption>
      <thead>
        <tr>
          <th scope="col">Scope</th>
          <th scope="col">Allows the app to</th>
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
