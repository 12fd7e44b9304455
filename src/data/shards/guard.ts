import { abortWith } from '../core/data-errors.ts';
import { preparable } from '../core/drizzle-adapter.ts';
import { prepareText, textStatement, type Database } from '../core/open-database.ts';
import {
  prepareStatement,
  typedStatement,
  type RecordSelect,
  type TotalSelect,
  type TypedStatement,
} from '../core/statement.ts';
import { PlacementState } from '../schema/store/placement-tables.ts';

/** A condition of a grant, as text with its values. */
export interface GuardCondition {
  sql: string;
  params: readonly unknown[];
}

/** The requirements of a guard. */
export interface Guard {
  storeId: number;
  /** Reads are also allowed while the store is leaving the shard: the handle changes nothing. */
  isReadOnly: boolean;
  /** The facts of the store that the caller claims; `undefined` if the directory was asked. */
  facts?: string | undefined;
  /** The store must be at work: the caller knows it from a cache of the isolate. */
  mustWork?: boolean | undefined;
  /** The epoch that the store must still have. */
  epoch?: number | undefined;
  conditions: readonly GuardCondition[];
}

/** The row of a guard. `total` is null where the select of a total returns no row. */
export type GuardRow = { epoch: number; total?: number | null };

/** The expression that aborts for each cause of a guard, made once: each request has a guard. */
const aborting = {
  placement: abortWith('placement'),
  facts: abortWith('facts'),
  grant_live: abortWith('grant_live'),
};

/**
 * Aborts the batch unless the store is in this shard (`StoreElsewhere`). Then the conditions must
 * hold (`core/data-errors.ts`), and the claimed facts be right, or the store be at work
 * (`StoreElsewhere`). Reads one row by primary key for the store, and what the conditions and
 * `total` read; writes none.
 */
export function guardStatement(shard: Database, guard: Guard, total?: TotalSelect) {
  const { epoch, from, params } = guardParts(guard);
  const counted = total && prepareStatement(total).getQuery();
  const text = `select ${epoch} as epoch${counted ? `, (${counted.sql}) as total` : ''} from ${from}`;
  const values = [...params.epoch, ...(counted?.params ?? []), ...params.from];
  return textStatement<GuardRow>(shard, text, values);
}

/**
 * The guard and the select of one record in one statement: a statement takes a database longer than
 * its row. Returns what the select returns.
 */
export function guardedRecordStatement(shard: Database, guard: Guard, select: RecordSelect) {
  const { epoch, from, params } = guardParts(guard);
  const prepared = prepareStatement(select);
  const query = prepared.getQuery();
  const sql = `select ${epoch} as guard_epoch, record.* from ${from} left join (${query.sql}) as record`;
  const all = { sql, params: [...params.epoch, ...params.from, ...query.params] };
  return typedStatement<TypedStatement<unknown>>(
    preparable(() => ({
      stmt: prepareText(shard.$client, sql),
      getQuery: () => all,
      mapResult: (result) => {
        // The guard always returns one row, without a record with nulls.
        const [{ guard_epoch: _epoch, ...record } = {}] = result.results;
        const results = 'id' in record && record.id !== null ? [record] : [];
        return prepared.mapResult({ ...result, results });
      },
    })),
  );
}

/**
 * The epoch of the store, or why its batch aborts: as an expression, what it is selected from, and
 * the values of both.
 */
function guardParts({ storeId, isReadOnly, facts, mustWork, epoch, conditions }: Guard) {
  const causes = [
    `when placements.epoch is null then ${aborting.placement}`,
    ...conditions.map(({ sql }) => `when (${sql}) is not true then ${aborting.grant_live}`),
    ...(facts === undefined ? [] : [`when placements.facts is not ? then ${aborting.facts}`]),
    ...(mustWork ? [`when not placements.works then ${aborting.facts}`] : []),
  ];
  const params = {
    epoch: [
      ...conditions.flatMap((condition) => condition.params),
      ...(facts === undefined ? [] : [facts]),
    ],
    from: [
      storeId,
      isReadOnly ? PlacementState.leaving : PlacementState.here,
      ...(epoch === undefined ? [] : [epoch]),
    ],
  };
  const isHere = `placements.store_id = ? and placements.state <= ?${epoch === undefined ? '' : ' and placements.epoch = ?'}`;
  return {
    epoch: `case ${causes.join(' ')} else placements.epoch end`,
    from: `(select 1) left join placements on ${isHere}`,
    params,
  };
}

/**
 * Aborts a batch that changes data of a store outside a handle unless the store is in this shard.
 */
export const assertPlaced = (shard: Database, storeId: number) =>
  guardStatement(shard, { storeId, isReadOnly: false, conditions: [] });
