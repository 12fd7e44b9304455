import { answerText, type Answer } from './answer-text.ts';
import { Fill } from './fill.tsx';
import { Ticket } from './form-fields.tsx';
import { GivenName } from './given-name.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

/** What came of a ping, or why none was sent. */
export type PingResult = Answer | 'urlRefused' | 'tooSoon';

export interface PingProps {
  panel: PanelProps;
  name: string;
  host: string;
  /** Of the ping that was just sent. */
  result?: PingResult | undefined;
  action: string;
  ticket: string;
  back: string;
}

/** Offers to send a ping, and says what came of the last one. */
export const PingPage = ({ panel, result, ...props }: PingProps) => {
  const { language } = panel.frame;
  const words = wordsOf(language);
  const said = words.webhooks.ping;
  const isGood = typeof result === 'object' && result.error === null;
  return (
    <Panel {...panel} title={said.title}>
      <h1>{said.title}</h1>
      {result !== undefined && (
        <p class={isGood ? 'notice' : 'notice danger'} role={isGood ? 'status' : 'alert'}>
          {typeof result === 'string'
            ? said[result]
            : said[isGood ? 'delivered' : 'failed'].replace('{answer}', () =>
                answerText(result, language),
              )}
        </p>
      )}
      <p>
        <strong>
          <GivenName name={props.name} />
        </strong>
      </p>
      <p>
        <Fill text={said.lead} parts={{ host: <code>{props.host}</code> }} />
      </p>
      <p class="muted">{said.wait}</p>
      <form method="post" action={props.action} class="actions">
        <Ticket ticket={props.ticket} />
        <a class="button plain" href={props.back}>
          {result === undefined ? words.account.cancel : said.back}
        </a>
        <button>{result === undefined ? said.submit : said.again}</button>
      </form>
    </Panel>
  );
};
