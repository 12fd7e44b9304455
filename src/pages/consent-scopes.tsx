import type { PropsWithChildren } from 'hono/jsx';
import type { Words } from './words/en.ts';

export type ScopeName = keyof Words['scopes']['meanings'];
export type DangerousName = keyof Words['scopes']['consequences'];

/** Scopes in words, below a heading; `children` are further lines. */
export const Scopes = ({
  heading,
  scopes,
  words,
  personal = [],
  children,
}: PropsWithChildren<{
  heading: string;
  scopes: readonly ScopeName[];
  words: Words;
  /** Those that open personal data of others. */
  personal?: readonly ScopeName[];
}>) => (
  <section>
    <h2>{heading}</h2>
    <ul class="scopes">
      {children}
      {scopes.map((scope) => (
        <li>
          {words.scopes.meanings[scope]}
          {personal.includes(scope) && (
            <>
              {' '}
              <span class="tag">{words.consent.personal}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  </section>
);

/** The dangerous ones, set apart, each with what may come of it. */
export const CarefulScopes = ({
  scopes,
  words,
}: {
  scopes: readonly DangerousName[];
  words: Words;
}) => (
  <section class="notice danger">
    <h2>{words.consent.careful}</h2>
    <p>{words.consent.carefulLead}</p>
    <ul class="scopes">
      {scopes.map((scope) => (
        <li>
          <strong>{words.scopes.meanings[scope]}</strong> {words.scopes.consequences[scope]}
        </li>
      ))}
    </ul>
  </section>
);
