import type { Child } from 'hono/jsx';
import { splitAddress } from '../../base/page-paths.ts';

/** A message whose placeholders (`{name}`) are replaced by `parts`. */
export const Interpolate = ({ text, parts }: { text: string; parts: Record<string, Child> }) => (
  // `split` with a capture group alternates text and placeholder names.
  <>{text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : parts[piece]))}</>
);

/** An address whose lines end behind a slash where they can. */
export const Address = ({ url }: { url: string }) => (
  <code>
    {splitAddress(url).map((part) => (
      <>
        {part}
        <wbr />
      </>
    ))}
  </code>
);

const maxCharacters = 80;

/**
 * A name that another party chose, such as the name of an app. It is plain text of at most 80
 * characters, and `bdi` keeps it from changing the writing direction of the text around it.
 */
export const UntrustedName = ({ name }: { name: string }) => {
  const characters = Array.from(name);
  const isCut = characters.length > maxCharacters;
  return (
    <bdi class="name">{isCut ? `${characters.slice(0, maxCharacters - 1).join('')}…` : name}</bdi>
  );
};

/** The result of the previous form, shown once at the top of the next page. */
export const FlashMessage = ({
  text,
  isProblem = false,
}: {
  text?: string | undefined;
  isProblem?: boolean;
}) =>
  text ? (
    <p class={isProblem ? 'notice danger' : 'notice'} role={isProblem ? 'alert' : 'status'}>
      {text}
    </p>
  ) : null;
