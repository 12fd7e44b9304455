import { eventMeaning } from './event-meaning.ts';
import { GivenName } from './given-name.tsx';
import { MomentText } from './moment-text.tsx';
import { NextAttemptText, type NextAttempt } from './next-attempt.tsx';
import type { Words } from './words/en.ts';
import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

export type WebhookStateName = keyof Words['webhooks']['states'];

/** A webhook as its merchant sees it; moments are epoch milliseconds. */
export interface ShownWebhook {
  name: string;
  /** Of its URL. */
  host: string;
  events: readonly string[];
  state: WebhookStateName;
  lastOkAt: number | null;
  failingSince: number | null;
  nextAt: NextAttempt | null;
  /** Name of the app that made it, or `null` for a program of the merchant's own. */
  app: string | null;
  createdAt: number;
  /** What the merchant was told, newest first. */
  notices: readonly { kind: string; at: number }[];
}

/** State, health, receiver and events of a webhook. */
export const WebhookFacts = ({
  webhook,
  language,
  zone,
}: {
  webhook: ShownWebhook;
  language: Language;
  zone: string;
}) => {
  const said = wordsOf(language).webhooks;
  const { state, failingSince, lastOkAt, nextAt } = webhook;
  return (
    <dl class="facts">
      <dt>{said.state}</dt>
      <dd>
        <span class={`state ${state}`}>{said.states[state]}</span>. {said.stateHints[state]}
      </dd>
      {failingSince !== null && (
        <>
          <dt>{said.failingSince}</dt>
          <dd>
            <MomentText {...{ language, zone }} at={failingSince} />
          </dd>
        </>
      )}
      <dt>{said.lastOk}</dt>
      <dd>
        {lastOkAt === null ? said.never : <MomentText {...{ language, zone }} at={lastOkAt} />}
      </dd>
      {nextAt !== null && (
        <>
          <dt>{said.nextAttempt}</dt>
          <dd>
            <NextAttemptText {...{ language, zone }} at={nextAt} />
          </dd>
        </>
      )}
      <dt>{said.host}</dt>
      <dd>
        <code>{webhook.host}</code>
      </dd>
      <dt>{said.events}</dt>
      <dd>{webhook.events.map((event) => eventMeaning(event, language)).join(' · ')}</dd>
      <dt>{said.madeBy}</dt>
      <dd>{webhook.app === null ? said.ownKey : <GivenName name={webhook.app} />}</dd>
      <dt>{said.created}</dt>
      <dd>
        <MomentText {...{ language, zone }} at={webhook.createdAt} />
      </dd>
    </dl>
  );
};
