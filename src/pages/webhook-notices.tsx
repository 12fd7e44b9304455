import { MomentText } from './moment-text.tsx';
import type { Words } from './words/en.ts';
import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** What a merchant was told of a webhook, newest first. */
export const WebhookNotices = ({
  notices,
  language,
  zone,
}: {
  notices: readonly { kind: string; at: number }[];
  language: Language;
  zone: string;
}) => {
  const { noticeKinds: kinds, noNotices } = wordsOf(language).webhooks;
  if (notices.length === 0) return <p>{noNotices}</p>;
  return (
    <ul class="stores measure">
      {notices.map(({ kind, at }) => (
        <li>
          {kinds[isKnown(kind, kinds) ? kind : 'other']}{' '}
          <span class="muted">
            <MomentText {...{ language, zone, at }} />
          </span>
        </li>
      ))}
    </ul>
  );
};

type Kinds = Words['webhooks']['noticeKinds'];

const isKnown = (kind: string, kinds: Kinds): kind is keyof Kinds => Object.hasOwn(kinds, kind);
