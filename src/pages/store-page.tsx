import { Fill } from './fill.tsx';
import { Frame, type FrameProps } from './frame.tsx';
import { GivenName } from './given-name.tsx';
import { OtherAccount, type OtherAccountProps } from './other-account.tsx';
import { wordsOf } from './words/words-of.ts';

export interface StoreChoice {
  alias: string;
  name: string;
  role: 'owner' | 'manager';
  href: string;
}

export interface StoreProps {
  frame: FrameProps;
  app: { name: string; isDraft: boolean };
  /** None: the page says that there is nothing to choose from. */
  stores: readonly StoreChoice[];
  other: OtherAccountProps;
}

/** The stores that a merchant may connect to an app, each a link that goes on. */
export const StorePage = ({ frame, app, stores, other }: StoreProps) => {
  const said = wordsOf(frame.language).store;
  const name = { app: <GivenName name={app.name} /> };
  const title = stores.length > 0 ? said.title : said.none;
  return (
    <Frame {...frame} title={title}>
      <h1>{title}</h1>
      <p>
        <Fill text={stores.length > 0 ? said.lead : said.noneLead} parts={name} />
      </p>
      {app.isDraft && (
        <p class="notice">
          <Fill text={said.noneDraft} parts={name} />
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
                  {store.alias} · {said[store.role]}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <OtherAccount {...other} />
    </Frame>
  );
};
