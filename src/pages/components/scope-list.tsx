import type { PropsWithChildren } from 'hono/jsx';
import type { Messages } from '../i18n/en/messages.ts';

export type ScopeName = keyof Messages['scopes']['meanings'];
export type DangerousScopeName = keyof Messages['scopes']['consequences'];

/** The descriptions of scopes below a heading. `children` are extra items at the top. */
export const ScopeList = ({
  heading,
  scopes,
  messages,
  personal = [],
  children,
}: PropsWithChildren<{
  heading: string;
  scopes: readonly ScopeName[];
  messages: Messages;
  /** The scopes that give access to personal data of others. */
  personal?: readonly ScopeName[];
}>) => (
  <section>
    <h2>{heading}</h2>
    <ul class="scopes">
      {children}
      {scopes.map((scope) => (
        <li>
          {messages.scopes.meanings[scope]}
          {personal.includes(scope) && (
            <>
              {' '}
              <span class="tag">{messages.consent.personal}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  </section>
);

/** The dangerous scopes, set apart, each with its possible consequence. */
export const DangerousScopeList = ({
  scopes,
  messages,
}: {
  scopes: readonly DangerousScopeName[];
  messages: Messages;
}) => (
  <section class="notice danger">
    <h2>{messages.consent.careful}</h2>
    <p>{messages.consent.carefulLead}</p>
    <ul class="scopes">
      {scopes.map((scope) => (
        <li>
          <strong>{messages.scopes.meanings[scope]}</strong> {messages.scopes.consequences[scope]}
        </li>
      ))}
    </ul>
  </section>
);
