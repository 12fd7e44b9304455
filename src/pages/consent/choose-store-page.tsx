import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { NarrowLayout, type LayoutProps } from '../../web/components/narrow-layout.tsx';
import { SwitchAccount, type SwitchAccountProps } from '../../web/components/signed-in-user.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

interface StoreChoice {
  alias: string;
  name: string;
  role: keyof Messages['members']['roles']['names'];
  href: string;
}

interface ChooseStorePageProps {
  layout: LayoutProps;
  app: { name: string; isDraft: boolean };
  /** If empty, the page says that there is no store to connect. */
  stores: readonly StoreChoice[];
  switchAccount: SwitchAccountProps;
}

/** The stores that the user can connect to the app, as links to the consent page. */
export const ChooseStorePage = ({ layout, app, stores, switchAccount }: ChooseStorePageProps) => {
  const t = messagesFor(layout.language).store;
  const name = { app: <UntrustedName name={app.name} /> };
  const title = stores.length > 0 ? t.title : t.none;
  return (
    <NarrowLayout {...layout} title={title}>
      <h1>{title}</h1>
      <p>
        <Interpolate text={stores.length > 0 ? t.lead : t.noneLead} parts={name} />
      </p>
      {app.isDraft && (
        <p class="notice">
          <Interpolate text={t.noneDraft} parts={name} />
        </p>
      )}
      {stores.length > 0 && (
        <ul class="choices">
          {stores.map((store) => (
            <li>
              <a href={store.href}>
                <strong>
                  <bdi>{store.name}</bdi>
                </strong>
                <span class="muted">
                  {store.alias} · {t[store.role]}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <SwitchAccount {...switchAccount} />
    </NarrowLayout>
  );
};
