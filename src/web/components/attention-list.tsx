import type { Child } from 'hono/jsx';
import { StateBadge } from './state-badge.tsx';

/** Something that waits for the reader: what it is, and the page that settles it. */
export interface AttentionItem {
  text: Child;
  action: { href: string; text: string };
}

/** Lists what waits for the reader, each with one action. */
export const AttentionList = ({
  title,
  items,
}: {
  title: string;
  items: readonly AttentionItem[];
}) => (
  <section class="needs" aria-labelledby="needs">
    <h2 id="needs">{title}</h2>
    <ul>
      {items.map(({ text, action }, index) => (
        <li>
          <StateBadge tone="warn" text="" />
          <span id={`need-${index}`}>{text}</span>
          <a class="button plain" href={action.href} aria-describedby={`need-${index}`}>
            {action.text}
          </a>
        </li>
      ))}
    </ul>
  </section>
);
