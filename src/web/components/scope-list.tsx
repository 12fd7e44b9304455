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

interface AreaListProps extends RequestedScopes {
  messages: Messages;
  /** An item before the areas. */
  first: Child;
}

/**
 * The requested scopes by area, each marked as seeing or changing. The dangerous ones are explained in a list of
 * their own.
 */
export const AreaList = ({
  reads,
  writes,
  dangerous,
  personal,
  messages,
  first,
}: AreaListProps) => {
  const { scopes, consent } = messages;
  const requested: readonly ScopeName[] = [...reads, ...writes, ...dangerous];
  const areas = (Object.keys(scopes.areas) as AreaName[]).filter((area) =>
    requested.some((scope) => isOf(area, scope)),
  );
  return (
    <ul class="areas">
      {first}
      {areas.map((area) => {
        const ofArea = requested.filter((scope) => isOf(area, scope));
        const explained = [...reads, ...writes].filter((scope) => isOf(area, scope));
        return (
          <li>
            <strong>{scopes.areas[area]}</strong>
            <ScopeMark isShown={ofArea.some((scope) => scope.endsWith('.read'))}>
              {consent.see}
            </ScopeMark>
            <ScopeMark isShown={ofArea.some((scope) => scope.endsWith('.write'))} isChange>
              {consent.change}
            </ScopeMark>
            {personal.some((scope) => isOf(area, scope)) && (
              <span class="tag">{consent.personal}</span>
            )}
            {explained.map((scope) => (
              <p>{scopes.meanings[scope]}</p>
            ))}
          </li>
        );
      })}
    </ul>
  );
};

const isOf = (area: AreaName, scope: ScopeName) => scope.startsWith(`${area}.`);

/** Says whether an app may see or change the records of an area. */
const ScopeMark = ({
  isShown,
  isChange = false,
  children,
}: {
  isShown: boolean;
  isChange?: boolean;
  children: Child;
}) => (isShown ? <span class={isChange ? 'mark change' : 'mark'}>{children}</span> : null);

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
