import { raw } from 'hono/html';
import { escapeCode } from '../build/escape.ts';

/** Words of code in a line of text. */
export const Code = ({ text }: { text: string }) => <code>{raw(escapeCode(text))}</code>;

/** A description, whose words in backticks are code. */
export const InlineCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <Code text={part} />))}</>
);
