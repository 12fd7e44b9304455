import { Fill } from './fill.tsx';
import { Field, Problems, Ticket } from './form-fields.tsx';
import { Frame, type FrameProps } from './frame.tsx';
import { GivenName } from './given-name.tsx';
import { timeText } from './time-text.ts';
import { wordsOf } from './words/words-of.ts';

/** Why somebody is not signed in yet. */
export type SignInFault =
  | { kind: 'missing'; fields: readonly ('email' | 'password')[] }
  | { kind: 'wrong' }
  | { kind: 'wait'; seconds: number };

export interface SignInProps {
  frame: FrameProps;
  action: string;
  ticket: string;
  /** Name of the app that waits, if one does. */
  waitingApp?: string | undefined;
  /** What was typed before; a password is never sent back. */
  email?: string;
  fault?: SignInFault | undefined;
  /** What has just been done. */
  news?: 'signedOut' | 'signedOutEverywhere' | undefined;
}

/** E-mail and password. */
export const SignInPage = (props: SignInProps) => {
  const { frame, action, ticket, waitingApp, email = '', fault, news } = props;
  const words = wordsOf(frame.language);
  const said = words.signIn;
  const problems = fault ? problemsOf(fault, props) : [];
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.text;
  return (
    <Frame {...frame} title={said.title}>
      <h1>{said.title}</h1>
      {problems.length > 0 && <Problems title={words.problem} problems={problems} />}
      {news && (
        <p class="notice" role="status">
          {said[news]}
        </p>
      )}
      {waitingApp !== undefined && (
        <p>
          <Fill text={said.waiting} parts={{ app: <GivenName name={waitingApp} /> }} />
        </p>
      )}
      <form method="post" action={action} novalidate>
        <Ticket ticket={ticket} />
        <Field
          name="email"
          label={said.email}
          type="email"
          value={email}
          autocomplete="username"
          error={errorOf('email')}
        />
        <Field
          name="password"
          label={said.password}
          type="password"
          autocomplete="current-password"
          error={errorOf('password')}
        />
        <div class="actions wide">
          <button>{said.submit}</button>
        </div>
      </form>
    </Frame>
  );
};

function problemsOf(
  fault: SignInFault,
  { frame }: SignInProps,
): { field?: string; text: string }[] {
  const said = wordsOf(frame.language).signIn;
  if (fault.kind === 'wrong') return [{ text: said.wrong }];
  if (fault.kind === 'wait') {
    return [{ text: said.wait.replace('{time}', timeText(frame.language, fault.seconds)) }];
  }
  const texts = { email: said.emailMissing, password: said.passwordMissing };
  return fault.fields.map((field) => ({ field, text: texts[field] }));
}
