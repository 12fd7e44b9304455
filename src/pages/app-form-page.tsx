import { faultText, type AppFault } from './app-form-faults.ts';
import type { ScopeName } from './consent-scopes.tsx';
import { Fill } from './fill.tsx';
import { describedBy, Field, FieldError, Lines, Problems, Ticket } from './form-fields.tsx';
import { GivenName } from './given-name.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import type { Words } from './words/en.ts';
import { wordsOf } from './words/words-of.ts';

interface OfferedScope {
  scope: ScopeName;
  isChosen: boolean;
  isDangerous: boolean;
}

export interface AppFormProps {
  panel: PanelProps;
  action: string;
  ticket: string;
  /** Of an app that is edited. */
  appName?: string | undefined;
  /** What was typed before, or what is stored. */
  typed: { name: string; publisher: string; redirectUris: string };
  scopes: readonly OfferedScope[];
  faults: readonly AppFault[];
  back: string;
}

/** What a partner says of an app. */
export const AppFormPage = ({ panel, typed, faults, appName, ...props }: AppFormProps) => {
  const words = wordsOf(panel.frame.language);
  const said = words.partners.form;
  const problems = faults.map((fault) => faultText(fault, words.partners));
  const errorOf = (field: string) =>
    problems
      .filter((problem) => problem.field === field)
      .map(({ text }) => text)
      .join('\n') || undefined;
  const title =
    appName === undefined ? (
      said.register
    ) : (
      <Fill text={said.edit} parts={{ app: <GivenName name={appName} /> }} />
    );
  return (
    <Panel {...panel} title={appName ?? said.register}>
      <h1>{title}</h1>
      {problems.length > 0 && <Problems title={words.problem} problems={problems} />}
      <form method="post" action={props.action} novalidate>
        <Ticket ticket={props.ticket} />
        <Field
          name="name"
          label={said.name}
          hint={said.nameHint}
          type="text"
          value={typed.name}
          autocomplete="off"
          error={errorOf('name')}
        />
        <Field
          name="publisher"
          label={said.publisher}
          hint={said.publisherHint}
          type="text"
          value={typed.publisher}
          autocomplete="organization"
          error={errorOf('publisher')}
        />
        <Lines
          name="redirect_uris"
          label={said.uris}
          hint={said.urisHint}
          value={typed.redirectUris}
          error={errorOf('redirect_uris')}
        />
        <ScopeChoice offered={props.scopes} words={words} error={errorOf('scopes')} />
        <div class="actions">
          <a class="button plain" href={props.back}>
            {words.account.cancel}
          </a>
          <button>{appName === undefined ? said.register : said.save}</button>
        </div>
      </form>
    </Panel>
  );
};

const ScopeChoice = ({
  offered,
  words,
  error,
}: {
  offered: readonly OfferedScope[];
  words: Words;
  error: string | undefined;
}) => {
  const { scopes: legend, scopesHint: hint, careful } = words.partners.form;
  const name = 'scopes';
  return (
    <fieldset
      class="field"
      id={name}
      tabindex={-1}
      aria-describedby={describedBy({ name, hint, error })}
    >
      <legend>{legend}</legend>
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
      <FieldError name={name} error={error} />
      {offered.map(({ scope, isChosen, isDangerous }) => (
        <label class="check">
          <input type="checkbox" name={name} value={scope} checked={isChosen} />
          <span>
            {words.scopes.meanings[scope]} {isDangerous && <span class="tag">{careful}</span>}
            <code>{scope}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
