import type { Child } from 'hono/jsx';
import type { Language } from '../../base/languages.ts';
import { messagesFor } from '../texts/messages.ts';

export interface MenuAction {
  /** A link or a button. */
  control: Child;
  /** Says beneath it what it does. A button names it by `aria-describedby`. */
  hint?: { id?: string; text: string };
}

/**
 * The actions of a page besides its primary one, behind a button that opens without a script.
 * Nothing without any.
 */
export const ActionMenu = ({
  actions,
  language,
}: {
  actions: readonly (MenuAction | false | undefined)[];
  language: Language;
}) => {
  const shown = actions.filter((action) => action !== false && action !== undefined);
  return shown.length === 0 ? null : (
    <details class="more-actions">
      <summary class="button plain">{messagesFor(language).common.moreActions}</summary>
      <ul>
        {shown.map(({ control, hint }) => (
          <li>
            {control}
            {hint && (
              <p class="muted" id={hint.id}>
                {hint.text}
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
};
