import { NoticeKind } from '../../data/schema/store/webhook-operations-tables.ts';
import { EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';

/**
 * How an endpoint does, in one word. `gone` was switched off by a 410, `disabled` by days without
 * success.
 */
export const endpointStates = ['active', 'failing', 'paused', 'disabled', 'gone'] as const;

export type EndpointState = (typeof endpointStates)[number];

/** Tells how an endpoint does. Its notices are sorted, newest first. */
export function endpointStateOf({
  status,
  failingSince,
  notices,
}: {
  /** `EndpointStatus` */
  status: number;
  /** No delivery has succeeded since; epoch milliseconds. */
  failingSince: number | null;
  notices: readonly { kind: string }[];
}): EndpointState {
  if (status === EndpointStatus.paused) return 'paused';
  if (status === EndpointStatus.autoDisabled) {
    const latest = notices.find(
      ({ kind }) => kind === NoticeKind.gone || kind === NoticeKind.disabled,
    );
    return latest?.kind === NoticeKind.gone ? 'gone' : 'disabled';
  }
  return failingSince === null ? 'active' : 'failing';
}
