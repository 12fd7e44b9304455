import type { PropsWithChildren } from 'hono/jsx';
import type { Words } from './words/en.ts';

export type ScopeName = keyof Words['scopes']['meanings'];
export type DangerousName = keyof Words['scopes']['consequences'];

interface Props {
  words: Words;
  /** Those that open personal data of others. */
  personal: readonly ScopeName[];
}

/** Scopes in words, below a heading; `children` are further lines. */
export const Scopes = ({
  heading,
  scopes,
  words,
  personal,
  children,
}: PropsWithChildren<Props & { heading: string; scopes: readonly ScopeName[] }>) => (
  <section>
    <h2>{heading}</h2>
    <ul class="scopes">
      {children}
      {scopes.map((scope) => (
        <li>
          {words.scopes.meanings[scope]}
          {personal.includes(scope) && <PersonalData words={words} />}
        </li>
      ))}
    </ul>
  </section>
);

/** The dangerous ones, set apart, each with what may come of it. */
export const CarefulScopes = ({
  scopes,
  words,
  personal,
}: Props & { scopes: readonly DangerousName[] }) => (
  <section class="notice danger">
    <h2>{words.consent.careful}</h2>
    <p>{words.consent.carefulLead}</p>
    <ul class="scopes">
      {scopes.map((scope) => (
        <li>
          <strong>{words.scopes.meanings[scope]}</strong> {words.scopes.consequences[scope]}
          {personal.includes(scope) && <PersonalData words={words} />}
        </li>
      ))}
    </ul>
  </section>
);

const PersonalData = ({ words }: { words: Words }) => (
  <>
    {' '}
    <span class="tag">{words.consent.personal}</span>
  </>
);
