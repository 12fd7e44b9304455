import { MomentText } from './moment-text.tsx';
import type { Words } from './words/en.ts';
import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** What happened to a connection of an app. */
export interface ShownEvent {
  kind: string;
  /** Alias of the store, while it is known. */
  merchant: string | null;
  /** Epoch milliseconds. */
  at: number;
}

/** The latest events of an app. */
export const AppEvents = ({
  events,
  language,
  zone,
}: {
  events: readonly ShownEvent[];
  language: Language;
  zone: string;
}) => {
  const { app: said, kinds } = wordsOf(language).partners;
  if (events.length === 0) return <p>{said.noEvents}</p>;
  return (
    <table>
      <caption>{said.eventsCaption}</caption>
      <thead>
        <tr>
          <th scope="col">{said.event}</th>
          <th scope="col">{said.merchant}</th>
          <th scope="col">{said.at}</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ kind, merchant, at }) => (
          <tr>
            <td>{kinds[isKnown(kind, kinds) ? kind : 'other']}</td>
            <td data-label={said.merchant}>{merchant ?? '–'}</td>
            <td data-label={said.at}>
              <MomentText {...{ language, zone, at }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

type Kinds = Words['partners']['kinds'];

const isKnown = (kind: string, kinds: Kinds): kind is keyof Kinds => Object.hasOwn(kinds, kind);
