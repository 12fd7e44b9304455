import { NarrowLayout, type LayoutProps } from './narrow-layout.tsx';

interface InfoPageProps {
  layout: LayoutProps;
  title: string;
  /** What happened, who caused it, and what the user can do. */
  paragraphs: readonly string[];
  /** A line for developers. */
  technicalDetail?: string;
  link?: { href: string; text: string };
}

/** A page without a form, such as an error or an expired request. */
export const InfoPage = ({ layout, title, paragraphs, technicalDetail, link }: InfoPageProps) => (
  <NarrowLayout {...layout} title={title}>
    <h1>{title}</h1>
    {paragraphs.map((text) => (
      <p>{text}</p>
    ))}
    {technicalDetail !== undefined && <p class="muted">{technicalDetail}</p>}
    {link && (
      <p class="actions wide">
        <a class="button" href={link.href}>
          {link.text}
        </a>
      </p>
    )}
  </NarrowLayout>
);
