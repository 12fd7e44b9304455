/**
 * The meaning of a state for the reader: all is well, look at it, it is over or wrong, or neither.
 */
export type Tone = 'good' | 'warn' | 'danger' | 'neutral';

/**
 * Drawn on a grid of 16. Each has a shape of its own, so that states do not differ by colour only.
 */
const shapes: Readonly<Record<Tone, string>> = {
  good: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM6.9 11.4 3.7 8.2 5 6.9l1.9 1.9 4.2-4.2 1.3 1.3Z',
  warn: 'M8 1.2 15.5 14.5H.5ZM7.1 6v4.2h1.8V6Zm0 5.2V13h1.8v-1.8Z',
  danger:
    'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.3 9L10 11.3l-2-2-2 2L4.7 10l2-2-2-2L6 4.7l2 2 2-2L11.3 6l-2 2Z',
  neutral: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3Zm0 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z',
};

/** A state, as an icon and a word. */
export const StateBadge = ({ tone, text }: { tone: Tone; text: string }) => (
  <span class={`state ${tone}`}>
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={shapes[tone]} fill="currentColor" fill-rule="evenodd" />
    </svg>{' '}
    {text}
  </span>
);
