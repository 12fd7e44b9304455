import { Interpolate } from '../../web/components/inline-text.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';

/** Whether there is a text for a name that the database stores. */
export const hasText = <Name extends string>(
  texts: Readonly<Record<Name, string>>,
  name: string,
): name is Name => Object.hasOwn(texts, name);

/** Fields that the sentence of the entry already contains. */
const hiddenFields: ReadonlySet<string> = new Set(['owner_id', 'job']);

/** The changes: before and after, by field. Of a secret, only that it changed. */
export const ActivityChanges = ({
  changes,
  messages,
}: {
  changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  messages: Messages;
}) => {
  const t = messages.activity;
  const fields = Object.entries(changes).filter(([name]) => !hiddenFields.has(name));
  if (fields.length === 0) return null;
  return (
    <ul class="lines muted">
      {fields.map(([name, [before, after]]) => {
        const field = hasText(t.fields, name) ? t.fields[name] : <code>{name}</code>;
        const isHidden = before === null && after === 'changed';
        return (
          <li>
            {isHidden ? (
              <Interpolate text={t.changed} parts={{ field }} />
            ) : (
              <Interpolate
                text={t.change}
                parts={{
                  field,
                  before: valueText(before, messages),
                  after: valueText(after, messages),
                }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
};

const maxCharacters = 120;

function valueText(value: unknown, messages: Messages) {
  const t = messages.activity;
  const roles = messages.members.roles.names;
  if (value === null || value === '') return t.nothing;
  if (typeof value === 'string' && hasText(roles, value)) return roles[value];
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  const text =
    typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : Array.isArray(value)
        ? value.join(', ')
        : JSON.stringify(value);
  const characters = Array.from(text);
  const isCut = characters.length > maxCharacters;
  return <bdi>{isCut ? `${characters.slice(0, maxCharacters).join('')}…` : text}</bdi>;
}
