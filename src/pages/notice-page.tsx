import { Frame, type FrameProps } from './frame.tsx';

export interface NoticeProps {
  frame: FrameProps;
  title: string;
  /** What happened, whose fault it is, what can be done. */
  paragraphs: readonly string[];
  /** A line for those who know what it is about. */
  small?: string;
  link?: { href: string; text: string };
}

/** A page that says one thing: a refusal, an error, something that is over. */
export const NoticePage = ({ frame, title, paragraphs, small, link }: NoticeProps) => (
  <Frame {...frame} title={title}>
    <h1>{title}</h1>
    {paragraphs.map((text) => (
      <p>{text}</p>
    ))}
    {small !== undefined && <p class="muted">{small}</p>}
    {link && (
      <p class="actions wide">
        <a class="button" href={link.href}>
          {link.text}
        </a>
      </p>
    )}
  </Frame>
);
