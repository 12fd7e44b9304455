import { Field, Problems, Ticket } from './form-fields.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

/** Why no pair was made. */
export type NewKeyFault = 'nameMissing' | 'nameLong' | 'tooMany';

export interface NewKeyProps {
  panel: PanelProps;
  action: string;
  ticket: string;
  /** What was typed before. */
  name: string;
  fault?: NewKeyFault | undefined;
  back: string;
}

/** Asks for the name of a new header pair. */
export const NewKeyPage = ({ panel, action, ticket, name, fault, back }: NewKeyProps) => {
  const words = wordsOf(panel.frame.language);
  const said = words.account.keys;
  const isOfName = fault === 'nameMissing' || fault === 'nameLong';
  return (
    <Panel {...panel} title={said.create}>
      <h1>{said.create}</h1>
      {fault && (
        <Problems
          title={words.problem}
          problems={[{ text: said[fault], ...(isOfName && { field: 'name' }) }]}
        />
      )}
      <form method="post" action={action} class="narrow" novalidate>
        <Ticket ticket={ticket} />
        <Field
          name="name"
          label={said.name}
          hint={said.nameHint}
          type="text"
          value={name}
          autocomplete="off"
          error={isOfName ? said[fault] : undefined}
        />
        <div class="actions">
          <a class="button plain" href={back}>
            {words.account.cancel}
          </a>
          <button>{said.create}</button>
        </div>
      </form>
    </Panel>
  );
};
