import type { Settings } from '../../base/settings.ts';
import type { Database } from '../core/open-database.ts';

/** The author of a change. `id` is that of the user, API key or app. */
export interface AuditActor {
  kind: 'user' | 'operator' | 'api_key' | 'app' | 'system';
  id: string;
  /**
   * For an app its client id: readers look its name up. For an agent, see {@link formatAgentName}.
   */
  name: string;
  /** The user behind the actor; `null` for apps and the system. */
  userId: number | null;
}

/** The author of a change, and where the request came from, as the audit stores it. */
export interface Doer {
  actor: AuditActor;
  /**
   * The country (ISO 3166-1 alpha-2) and the network, a /24 of IPv4 or a /48 of IPv6, which names
   * no device; null if unknown.
   */
  from: { country: string | null; network: string | null };
}

/** The service itself, such as a timer. */
export const systemDoer: Doer = {
  actor: { kind: 'system', id: 'service', name: '', userId: null },
  from: { country: null, network: null },
};

/** The kinds of things that an audit has lines about. */
export const auditTargetKinds = [
  'api_key',
  'app',
  'email_configuration',
  'host',
  'invitation',
  'payment_configuration',
  'record',
  'settings',
  'shard',
  'store',
  'user',
  'webhook',
] as const;

export type AuditTargetKind = (typeof auditTargetKinds)[number];

/**
 * The context of every action: a change to users, members, stores, keys or apps of the directory.
 * Pages, operations and the command line call the same function.
 */
export interface ActionContext {
  env: Env;
  settings: Settings;
  directory: Database;
  /** Epoch milliseconds. */
  now: number;
  actor: AuditActor;
  /** Where the request came from. */
  from: Doer['from'];
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
}

/**
 * The name of an agent as an actor: what it is called, where it comes from, and the person for whom
 * it works. That one is a number, whose name readers look up, so that it can be erased.
 */
export const formatAgentName = (agent: string, userId: number) => `${agent}, for user ${userId}`;

/** Reverses {@link formatAgentName} for the actor of a line; `undefined` if it is no agent. */
export function parseAgentName(line: { actor_kind: AuditActor['kind']; actor_name: string }) {
  if (line.actor_kind !== 'app') return undefined;
  const [, agent, host, userId] = /^(.*) at (\S+), for user (\d+)$/.exec(line.actor_name) ?? [];
  if (agent === undefined || host === undefined) return undefined;
  return { agent, host, userId: Number(userId) };
}
