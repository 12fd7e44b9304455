import { answerText, type Answer } from './answer-text.ts';
import { Fill } from './fill.tsx';
import { FieldError, Problems, Ticket } from './form-fields.tsx';
import { GivenName } from './given-name.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

/** What may go out of what is held. */
export const resumeChoices = ['72h', 'all', 'none'] as const;

export type ResumeChoice = (typeof resumeChoices)[number];

/** Why a webhook stays as it is. */
export type ResumeFault =
  | { kind: 'notChosen' }
  | { kind: 'urlRefused' }
  | { kind: 'tooSoon' }
  | { kind: 'parted' }
  | ({ kind: 'unanswered' } & Answer);

export interface ResumeProps {
  panel: PanelProps;
  name: string;
  host: string;
  /** Name of the app that made it, if that may not use the store any more: then there is nothing to choose. */
  partedApp: string | undefined;
  /** How many deliveries are held, and whether there may be more than were counted. */
  held: number;
  mayBeMore: boolean;
  /** Whether its receiver must answer a ping first. */
  isPinged: boolean;
  chosen: ResumeChoice;
  fault?: ResumeFault | undefined;
  action: string;
  ticket: string;
  back: string;
}

/** Asks what a webhook is to get of what it missed. */
export const ResumePage = ({ panel, held, mayBeMore, fault, ...props }: ResumeProps) => {
  const { language } = panel.frame;
  const words = wordsOf(language);
  const said = words.webhooks.resume;
  const problem =
    fault === undefined || fault.kind === 'parted'
      ? undefined
      : said.faults[fault.kind].replace('{answer}', () =>
          fault.kind === 'unanswered' ? answerText(fault, language) : '',
        );
  const ofChoice = fault?.kind === 'notChosen' ? problem : undefined;
  if (props.partedApp !== undefined)
    return <Parted {...{ panel, ...props }} app={props.partedApp} />;
  return (
    <Panel {...panel} title={said.title}>
      <h1>
        <Fill text={said.question} parts={{ name: <GivenName name={props.name} /> }} />
      </h1>
      {problem && (
        <Problems
          title={words.problem}
          problems={[{ text: problem, ...(ofChoice && { field: 'resume-72h' }) }]}
        />
      )}
      {props.isPinged && (
        <p>
          <Fill text={said.pinged} parts={{ host: <code>{props.host}</code> }} />
        </p>
      )}
      <p>
        {said[mayBeMore ? 'heldMany' : 'held'].replace('{count}', held.toLocaleString(language))}
      </p>
      <form method="post" action={props.action} class="narrow">
        <Ticket ticket={props.ticket} />
        <fieldset aria-describedby={ofChoice && 'resume-error'}>
          <legend>{said.choose}</legend>
          {resumeChoices.map((choice) => (
            <label class="check" for={`resume-${choice}`}>
              <input
                id={`resume-${choice}`}
                type="radio"
                name="resume"
                value={choice}
                checked={choice === props.chosen}
              />
              {said.choices[choice]}
            </label>
          ))}
          <FieldError name="resume" error={ofChoice} />
        </fieldset>
        <p class="muted">{said.pace}</p>
        <div class="actions">
          <a class="button plain" href={props.back}>
            {words.account.cancel}
          </a>
          <button>{said.submit}</button>
        </div>
      </form>
    </Panel>
  );
};

/** Says why there is nothing to resume. */
const Parted = ({ panel, name, app, back }: PartedProps) => {
  const { webhooks } = wordsOf(panel.frame.language);
  return (
    <Panel {...panel} title={webhooks.resume.title}>
      <h1>
        <Fill text={webhooks.resume.question} parts={{ name: <GivenName name={name} /> }} />
      </h1>
      <p class="notice danger" role="alert">
        <Fill text={webhooks.resume.parted} parts={{ app: <GivenName name={app} /> }} />
      </p>
      <div class="actions">
        <a class="button plain" href={back}>
          {webhooks.ping.back}
        </a>
      </div>
    </Panel>
  );
};

type PartedProps = Pick<ResumeProps, 'panel' | 'name' | 'back'> & { app: string };
