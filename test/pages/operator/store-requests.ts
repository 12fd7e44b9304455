import { env } from 'cloudflare:workers';
import { createTestOperator } from '../../support/fixtures/operator.ts';

/** The operator of a file. */
export const operator = await createTestOperator();

export interface OperatedStore {
  id: number;
  owner_state: string;
  alias: string;
  shard: number;
  state: string;
  members: { email: string; role: string }[];
}

/** The body of a request for a store that does not exist. */
export const newStore = (alias = `s${crypto.randomUUID().slice(0, 10)}`) => ({
  alias,
  name: 'Loja Nova',
  timezone: 'America/Sao_Paulo',
  owner_email: `${alias}@loja.test`,
});

/** Asks as the operator. */
export async function ask(request: string, body?: object) {
  const response = await operator.api(request, body);
  const { data } = response.body as { data: OperatedStore };
  return { status: response.status, data, body: response.body as { code: string; errors: object } };
}

export const makeStore = async (store = newStore()) =>
  (await ask('POST /operator/stores', store)).data;

/** The lines of the audit of a store, oldest first. */
export async function auditOfStore(storeId: number) {
  const { results } = await env.DIRECTORY.prepare(
    'select action, reason, actor_id, by_operator from audit where store_id = ? order by id',
  )
    .bind(storeId)
    .all<{ action: string; reason: string | null; actor_id: string; by_operator: number }>();
  return results;
}

export const actionsOf = async (storeId: number) =>
  (await auditOfStore(storeId)).map(({ action }) => action);
