import { browserPaths, webhookPaths } from '../../base/page-paths.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import type { StoreFigures } from '../../stores/store-figures.ts';
import type { AttentionItem } from '../../web/components/attention-list.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';

/**
 * The webhooks of a store that fail, by the host they go to. A last entry counts those that are not
 * named.
 */
export function failingNeeds(
  { name, alias }: Pick<ManagedStore, 'name' | 'alias'>,
  figures: Pick<StoreFigures, 'failingWebhooks' | 'longestFailing'> | undefined,
  { account, common }: Messages,
): AttentionItem[] {
  const { webhookFails, webhookIsOff, webhooksFail } = account.start;
  const store = <bdi>{name}</bdi>;
  const { failingWebhooks = 0, longestFailing = [] } = figures ?? {};
  const others = failingWebhooks - longestFailing.length;
  const named = longestFailing.map(({ id, host, isSwitchedOff }) => ({
    action: { href: webhookPaths.details(alias, id), text: common.look },
    text: (
      <Interpolate
        text={isSwitchedOff ? webhookIsOff : webhookFails}
        parts={{ store, host: <bdi>{host}</bdi> }}
      />
    ),
  }));
  const rest = <Interpolate text={webhooksFail} parts={{ store, count: String(others) }} />;
  return others > 0
    ? [...named, { action: { href: browserPaths.webhooks, text: common.look }, text: rest }]
    : named;
}
