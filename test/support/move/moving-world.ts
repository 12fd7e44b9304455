import { defaultZone } from '../../../src/base/codecs/fields/zone.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { StoreDb } from '../../../src/data/core/store-db.ts';
import { PlacementState } from '../../../src/data/schema/store/placement-tables.ts';
import { numberShardStatements } from '../../../src/data/shards/shard-numbers.ts';
import { createInvocation, type Invocation } from '../webhooks/simulation/invocation.ts';
import type { SimulatedProcess } from '../webhooks/simulation/process.ts';
import { directorySchema, shardSchema } from '../webhooks/simulation/schema.ts';
import { createSqliteD1 } from '../webhooks/simulation/sqlite-d1.ts';
import { SimulatedWorld } from '../webhooks/simulation/world.ts';

const connectionLost = 'Network connection lost.';

/** A world of two shards and a directory, in which the only store (`s`, id 1) begins in shard 0. */
export class MovingWorld extends SimulatedWorld {
  readonly shards: readonly [D1Database, D1Database];
  readonly directory: D1Database;
  /** Moments at which two shards owned the store. */
  readonly violations: string[] = [];

  /** `rewrite` can break a statement to show that the simulation detects it. */
  constructor(random: () => number, rewrite?: (sql: string) => string) {
    const shards = [0, 1].map((shard) =>
      createSqliteD1([...shardSchema, ...numberShardStatements(shard)], rewrite),
    ) as [D1Database, D1Database];
    super(shards[0], random);
    this.shards = shards;
    this.directory = createSqliteD1(
      [
        ...directorySchema,
        `insert into users (id, email, name, created_at, updated_at) values (1, 'o@x.test', 'o', 0, 0)`,
        `insert into stores (id, alias, name, owner_id, shard, base_url, created_at, updated_at)
        values (1, 's', 's', 1, 0, 'https://s.test', 0, 0)`,
        `insert into memberships (user_id, store_id, role, created_at) values (1, 1, 'owner', 0)`,
        `insert into shards (number) values (0), (1)`,
      ],
      rewrite,
    );
  }

  /** The shard that the directory names. */
  home = async (): Promise<number> =>
    (await this.directory.prepare('select shard from stores').first<number>('shard')) ?? 0;

  protected override createInvocation(process: SimulatedProcess): Invocation {
    const base = createInvocation(this, process);
    const [one, other] = this.shards.map((db) => this.#guarded(process, db));
    const env = {
      ...base.env,
      STORE_0: one,
      STORE_1: other,
      DIRECTORY: this.#guarded(process, this.directory),
    } as unknown as Env;
    // The isolate may have old facts of the store.
    const shard = this.random() < 0.5 ? 0 : 1;
    const store = {
      id: 1,
      alias: 's',
      shard,
      zone: defaultZone,
      base_url: '',
      active: true,
      test: false,
    };
    const openStore = () =>
      new StoreDb(store, openDatabase(shard === 0 ? env.STORE_0 : env.STORE_1), {
        now: this.now,
        wakeEndpoints: () => undefined,
      });
    return { ...base, env, openStore };
  }

  /** Makes every call of a database a failpoint, and looks for a second owner after each. */
  #guarded(process: SimulatedProcess, db: D1Database): D1Database {
    const reach = <T>(action: () => Promise<T>) =>
      process.reachFailpoint('database', connectionLost, async () => {
        const result = await action();
        await this.#checkOwners();
        return result;
      });
    const prepared = (statement: D1PreparedStatement): D1PreparedStatement => {
      const { all, run, first, raw, bind } = {
        all: statement.all.bind(statement),
        run: statement.run.bind(statement),
        first: statement.first.bind(statement),
        raw: statement.raw.bind(statement),
        bind: statement.bind.bind(statement),
      };
      return Object.assign(statement, {
        bind: (...values: unknown[]) => prepared(bind(...values)),
        all: () => reach(all),
        run: () => reach(run),
        first: (column: string) => reach(() => first(column)),
        raw: () => reach(raw),
      });
    };
    return {
      prepare: (sql: string) => prepared(db.prepare(sql)),
      batch: (statements: D1PreparedStatement[]) =>
        reach(async () => {
          const results = await db.batch(statements);
          process.onCommitted(statements);
          return results;
        }),
    } as unknown as D1Database;
  }

  async #checkOwners(): Promise<void> {
    const query = `select count(*) as n from placements where store_id = 1 and state <> ${PlacementState.gone}`;
    const owners = await Promise.all(this.shards.map((db) => db.prepare(query).first<number>('n')));
    if (Number(owners[0]) + Number(owners[1]) > 1) this.violations.push('two owners');
  }
}
