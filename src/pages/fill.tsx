import type { Child } from 'hono/jsx';

/** A sentence of a dictionary, with what stands for each `{name}` in it. */
export const Fill = ({ text, parts }: { text: string; parts: Record<string, Child> }) => (
  // What is split at a group alternates: text, name, text.
  <>{text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : parts[piece]))}</>
);
