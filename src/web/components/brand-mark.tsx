import type { Messages } from '../texts/en/messages.ts';

/** Name and appearance of the service. */
export interface BrandProps {
  name: string;
  /** The public start page. */
  homeHref: string;
  /** A style sheet with the accent colour; absent for the usual one. */
  styleHref?: string | undefined;
  /** An image beside the name. */
  logoHref?: string | undefined;
  /** An empty image if absent, so that browsers ask for none. */
  iconHref?: string | undefined;
  /** The address for questions and support. */
  supportAddress?: string | undefined;
}

/** The logo and the name of the service. */
export const BrandName = ({ brand }: { brand: BrandProps }) => (
  <>
    {brand.logoHref !== undefined && (
      <img class="logo" src={brand.logoHref} alt="" width={28} height={28} />
    )}
    <span>{brand.name}</span>
  </>
);

/** A link to write for help; nothing without an address. */
export const SupportLink = ({
  brand: { supportAddress },
  messages,
}: {
  brand: BrandProps;
  messages: Messages;
}) =>
  supportAddress === undefined ? null : (
    <p class="support">
      {messages.common.help} <a href={`mailto:${supportAddress}`}>{supportAddress}</a>
    </p>
  );
