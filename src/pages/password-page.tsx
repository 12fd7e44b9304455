import { Field, Problems, Ticket, type FormProblem } from './form-fields.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { timeText } from './time-text.ts';
import { wordsOf } from './words/words-of.ts';
import type { Words } from './words/en.ts';

/** What may be wrong with each field. */
export const passwordFaults = {
  currentMissing: 'current',
  currentWrong: 'current',
  freshShort: 'fresh',
  freshLong: 'fresh',
  freshSame: 'fresh',
  repeatedDiffers: 'repeated',
} as const satisfies Partial<Record<keyof Words['account']['password'], string>>;

export type PasswordFault = keyof typeof passwordFaults;

export interface PasswordProps {
  panel: PanelProps;
  action: string;
  ticket: string;
  /** For password managers. */
  email: string;
  faults?: readonly PasswordFault[];
  /** Seconds to wait after too many attempts. */
  wait?: number | undefined;
  back: string;
}

/** The current password and a new one. */
export const PasswordPage = ({ panel, action, ticket, ...props }: PasswordProps) => {
  const { language } = panel.frame;
  const words = wordsOf(language);
  const said = words.account.password;
  const { faults = [], wait } = props;
  const problems: FormProblem[] = faults.map((fault) => ({
    field: passwordFaults[fault],
    text: said[fault],
  }));
  if (wait !== undefined) {
    problems.push({ text: words.signIn.wait.replace('{time}', timeText(language, wait)) });
  }
  const field = (name: 'current' | 'fresh' | 'repeated') => ({
    name,
    label: said[name],
    type: 'password',
    error: problems.find((problem) => problem.field === name)?.text,
  });
  return (
    <Panel {...panel} title={said.title}>
      <h1>{said.title}</h1>
      {problems.length > 0 && <Problems title={words.problem} problems={problems} />}
      <p>{said.lead}</p>
      <form method="post" action={action} class="narrow" novalidate>
        <Ticket ticket={ticket} />
        <input
          type="text"
          class="visually-hidden"
          value={props.email}
          autocomplete="username"
          readonly
          tabindex={-1}
          aria-label={words.signIn.email}
        />
        <Field {...field('current')} autocomplete="current-password" />
        <Field {...field('fresh')} hint={said.freshHint} autocomplete="new-password" />
        <Field {...field('repeated')} autocomplete="new-password" />
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
