import type { Child, PropsWithChildren } from 'hono/jsx';
import { DashboardLayout, type DashboardProps } from './dashboard-layout.tsx';
import { Interpolate, UntrustedName } from './inline-text.tsx';
import { NarrowLayout, type LayoutProps } from './narrow-layout.tsx';

interface InfoPageProps {
  layout: LayoutProps;
  /** The navigation of a signed-in user; without it the page has one narrow column. */
  navigation?: Pick<DashboardProps, 'navigation' | 'storeNavigation'> | undefined;
  title: string;
  /** The event, its cause, and the possible actions of the user. */
  paragraphs: readonly string[];
  /** A list below them. */
  items?: readonly Child[];
  /** A line for developers; `{value}` stands for the value that was sent. */
  technicalDetail?: string;
  sent?: string | undefined;
  link?: { href: string; text: string };
}

/** A page without a form, such as an error or an expired request. */
export const InfoPage = ({
  layout,
  navigation,
  title,
  paragraphs,
  items = [],
  technicalDetail,
  sent = '',
  link,
}: InfoPageProps) => (
  <InfoLayout {...{ layout, navigation, title }}>
    <h1>{title}</h1>
    {paragraphs.map((text) => (
      <p>{text}</p>
    ))}
    {items.length > 0 && (
      <ul>
        {items.map((item) => (
          <li>{item}</li>
        ))}
      </ul>
    )}
    {technicalDetail !== undefined && (
      <p class="muted">
        <Interpolate text={technicalDetail} parts={{ value: <UntrustedName name={sent} /> }} />
      </p>
    )}
    {link && (
      <p class={navigation ? 'actions' : 'actions wide'}>
        <a class="button" href={link.href}>
          {link.text}
        </a>
      </p>
    )}
  </InfoLayout>
);

const InfoLayout = ({
  layout,
  navigation,
  title,
  children,
}: PropsWithChildren<Pick<InfoPageProps, 'layout' | 'navigation' | 'title'>>) =>
  navigation ? (
    <DashboardLayout {...{ layout, title }} {...navigation}>
      {children}
    </DashboardLayout>
  ) : (
    <NarrowLayout {...layout} title={title}>
      {children}
    </NarrowLayout>
  );
