import type { Child } from 'hono/jsx';
import { Ticket } from './form-fields.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

export interface ConfirmProps {
  panel: PanelProps;
  /** The question as text, for the window. */
  title: string;
  question: Child;
  /** What comes of it. */
  paragraphs: readonly Child[];
  action: string;
  ticket: string;
  /** What the button says. */
  submit: string;
  isDangerous: boolean;
  /** Where somebody goes who would rather not. */
  back: string;
}

/** Asks before something is done that matters, and says what comes of it. */
export const ConfirmPage = (props: ConfirmProps) => (
  <Panel {...props.panel} title={props.title}>
    <h1>{props.question}</h1>
    {props.paragraphs.map((paragraph) => (
      <p>{paragraph}</p>
    ))}
    <form method="post" action={props.action} class="actions">
      <Ticket ticket={props.ticket} />
      <a class="button plain" href={props.back}>
        {wordsOf(props.panel.frame.language).account.cancel}
      </a>
      <button class={props.isDangerous ? 'danger' : undefined}>{props.submit}</button>
    </form>
  </Panel>
);
