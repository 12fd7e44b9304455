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

/** The meanings of scopes, a sentence each. */
export const ScopeList = ({
  scopes,
  messages,
}: {
  scopes: readonly ScopeName[];
  messages: Messages;
}) => (
  <ul class="scopes">
    {scopes.map((scope) => (
      <li>{messages.scopes.meanings[scope]}</li>
    ))}
  </ul>
);

/** The most areas that are shown with their meanings where their names would do. */
const maxOpenAreas = 3;

/**
 * Scopes without a risk, by their areas. Those of areas that an app only reads, and which hold no
 * personal data, are in one line, which opens to their meanings.
 */
export const AreaList = ({
  reads,
  writes,
  personal,
  messages,
}: Omit<RequestedScopes, 'dangerous'> & { messages: Messages }) => {
  const areas = [...Map.groupBy([...reads, ...writes], areaOf)];
  const [open, plain] =
    areas.length <= maxOpenAreas
      ? [areas, []]
      : [
          areas.filter(([, scopes]) =>
            scopes.some((scope) => writes.includes(scope) || personal.includes(scope)),
          ),
          areas.filter(
            ([, scopes]) =>
              !scopes.some((scope) => writes.includes(scope) || personal.includes(scope)),
          ),
        ];
  const names = plain.map(([area]) => messages.scopes.areas[area]).join(', ');
  return (
    <>
      <dl class="facts areas">
        {open.map(([area, scopes]) => (
          <>
            <dt>{messages.scopes.areas[area]}</dt>
            <dd>{scopes.map((scope) => messages.scopes.meanings[scope]).join(' ')}</dd>
          </>
        ))}
      </dl>
      {plain.length > 0 && (
        <details>
          <summary>{messages.consent.also.replace('{areas}', () => names)}</summary>
          <ScopeList {...{ messages }} scopes={plain.flatMap(([, scopes]) => scopes)} />
        </details>
      )}
    </>
  );
};

// Every scope is an area and a kind.
const areaOf = (scope: ScopeName) => scope.split('.')[0] as AreaName;

/** The dangerous scopes by their areas, set apart, each with its possible consequence. */
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
    <dl class="facts areas">
      {scopes.map((scope) => (
        <>
          <dt>{messages.scopes.areas[areaOf(scope)]}</dt>
          <dd>
            <strong>{messages.scopes.meanings[scope]}</strong> {messages.scopes.consequences[scope]}
          </dd>
        </>
      ))}
    </dl>
  </section>
);
