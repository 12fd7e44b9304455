import { SwitchAccount, type SwitchAccountProps } from '../components/signed-in-user.tsx';
import { Interpolate, UntrustedName } from '../components/text.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { NarrowLayout, type LayoutProps } from '../layout/narrow-layout.tsx';

interface StoreChoice {
  alias: string;
  name: string;
  role: 'owner' | 'manager' | 'viewer';
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
