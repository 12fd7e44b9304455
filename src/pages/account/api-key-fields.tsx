import type { Child } from 'hono/jsx';
import { Group } from '../../web/components/choice-fields.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';

type AreaName = keyof Messages['scopes']['areas'];
type AreaPower = keyof Messages['apiKeys']['areaPowers'];

interface ChoiceProps {
  messages: Messages;
  /** `all`, or `chosen` below. */
  value: string;
  error: string | undefined;
}

/** All stores, or those that are ticked. */
export const StoreChoice = ({
  messages: { apiKeys: t },
  stores,
  chosen,
  ...field
}: ChoiceProps & {
  stores: readonly { id: number; name: string; alias: string }[];
  chosen: readonly string[];
}) => (
  <Choice {...field} name="stores" label={t.stores} all={t.allStores} chosen={t.chosenStores}>
    {stores.map(({ id, name, alias }) => (
      <label class="check">
        <input
          type="checkbox"
          name="store_ids"
          value={String(id)}
          checked={chosen.includes(String(id))}
        />
        <span>
          <bdi>{name}</bdi> <code>{alias}</code>
        </span>
      </label>
    ))}
  </Choice>
);

/** Everything, or a choice for each area. */
export const PowerChoice = ({
  messages: { apiKeys: t, scopes },
  areas,
  onlyReads,
  ...field
}: ChoiceProps & {
  areas: readonly { area: AreaName; chosen: string }[];
  /** Whether the user is a viewer wherever they are a member, so that a key only reads. */
  onlyReads: boolean;
}) => {
  const powers: readonly AreaPower[] = onlyReads ? ['none', 'read'] : ['none', 'read', 'write'];
  return (
    <Choice
      {...field}
      name="powers"
      label={t.powers}
      hint={onlyReads ? t.onlyReads : t.powersHint}
      all={onlyReads ? t.allReads : t.allPowers}
      chosen={t.chosenPowers}
    >
      {areas.map(({ area, chosen }) => (
        <div class="area">
          <label for={`area_${area}`}>{scopes.areas[area]}</label>
          <select id={`area_${area}`} name={`area_${area}`}>
            {powers.map((power) => (
              <option value={power} selected={power === chosen}>
                {t.areaPowers[power]}
              </option>
            ))}
          </select>
        </div>
      ))}
    </Choice>
  );
};

/** Everything, or what is chosen below. */
const Choice = ({
  value,
  all,
  chosen,
  children,
  ...field
}: {
  name: string;
  label: string;
  hint?: string;
  value: string;
  all: string;
  chosen: string;
  error: string | undefined;
  children?: Child;
}) => (
  <Group {...field}>
    {Object.entries({ all, chosen }).map(([choice, text]) => (
      <label class="check">
        <input type="radio" name={field.name} value={choice} checked={value === choice} />
        <span>{text}</span>
      </label>
    ))}
    <div class="chosen">{children}</div>
  </Group>
);
