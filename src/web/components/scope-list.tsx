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

interface ScopeListProps {
  scopes: readonly ScopeName[];
  messages: Messages;
}

/** The meanings of scopes, a sentence each; `first` comes before them. */
export const ScopeList = ({ scopes, messages, first }: ScopeListProps & { first?: Child }) => (
  <ul class="scopes">
    {first}
    {scopes.map((scope) => (
      <li>{messages.scopes.meanings[scope]}</li>
    ))}
  </ul>
);

/** The most scopes that are shown with their meanings where their areas would do. */
const maxOpenScopes = 3;

/** Scopes without a risk: the areas of many in one line, which opens to their meanings. */
export const CondensedScopeList = ({ scopes, messages }: ScopeListProps) => {
  if (scopes.length <= maxOpenScopes) return <ScopeList {...{ scopes, messages }} />;
  const areas = scopes.map((scope) => messages.scopes.areas[areaOf(scope)]).join(', ');
  return (
    <details>
      <summary>{messages.consent.also.replace('{areas}', () => areas)}</summary>
      <ScopeList {...{ scopes, messages }} />
    </details>
  );
};

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
