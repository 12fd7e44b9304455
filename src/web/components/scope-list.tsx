import type { Child } from 'hono/jsx';
import type { Messages } from '../texts/en/messages.ts';

export type ScopeName = keyof Messages['scopes']['meanings'];
export type DangerousScopeName = keyof Messages['scopes']['consequences'];

type AreaName = keyof Messages['scopes']['areas'];

/** The scopes that an app requests. */
export interface RequestedScopes {
  reads: readonly ScopeName[];
  writes: readonly ScopeName[];
  dangerous: readonly DangerousScopeName[];
  /** The scopes of `reads` that give access to personal data of others. */
  personal: readonly ScopeName[];
}

/** Scopes of one kind, each with its area and its meaning; `first` comes before them. */
export const ScopeList = ({
  scopes,
  personal = [],
  messages,
  first,
}: {
  scopes: readonly ScopeName[];
  personal?: readonly ScopeName[];
  messages: Messages;
  first?: Child;
}) => (
  <ul class="areas">
    {first}
    {scopes.map((scope) => (
      <li>
        <strong>{messages.scopes.areas[areaOf(scope)]}</strong>
        {personal.includes(scope) && <span class="tag">{messages.consent.personal}</span>}
        <p>{messages.scopes.meanings[scope]}</p>
      </li>
    ))}
  </ul>
);

// Every scope is an area and a kind.
const areaOf = (scope: ScopeName) => scope.split('.')[0] as AreaName;

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
