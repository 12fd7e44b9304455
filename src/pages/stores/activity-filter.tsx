import type { Messages } from '../../web/texts/en/messages.ts';

export interface ActivityFilterProps {
  action: string;
  kind: string | undefined;
  actorKind: string | undefined;
}

/** Chooses the actor and the target of the entries that the page shows. */
export const ActivityFilter = ({
  action,
  kind,
  actorKind,
  t,
}: ActivityFilterProps & { t: Messages['activity'] }) => (
  <form method="get" action={action} class="filter">
    <Select
      name="actor_kind"
      label={t.actorKind}
      any={t.anyone}
      texts={t.actors}
      chosen={actorKind}
    />
    <Select name="kind" label={t.kind} any={t.any} texts={t.kinds} chosen={kind} />
    <button class="plain">{t.filter}</button>
  </form>
);

const Select = ({
  name,
  label,
  any,
  texts,
  chosen,
}: {
  name: string;
  label: string;
  any: string;
  texts: Readonly<Record<string, string>>;
  chosen: string | undefined;
}) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <option value="">{any}</option>
      {Object.entries(texts).map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </div>
);
