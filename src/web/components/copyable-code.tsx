import type { Language } from '../../base/languages.ts';
import { messagesFor } from '../texts/messages.ts';

/**
 * A value to copy, with its name. One of several lines is not wrapped, and the keyboard can scroll
 * it. The page must list `copyButtonScript`, which adds the button.
 */
export const CopyableCode = ({
  language,
  label,
  value,
}: {
  language: Language;
  label: string;
  value: string;
}) => {
  const { copy, copied, notCopied } = messagesFor(language).common;
  return (
    <figure class="code measure" data-copy={copy} data-copied={copied} data-not-copied={notCopied}>
      <figcaption>{label}</figcaption>
      <pre tabindex={value.includes('\n') ? 0 : undefined}>
        <code>{value}</code>
      </pre>
    </figure>
  );
};
