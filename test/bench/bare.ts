/**
 * The baseline of `requests.ts`: a Worker that reads and writes the same rows as the three measured operations, guard included,
 * without a framework, authentication, validation, serialization or log. The guard is always a statement of its own, so that
 * figures compare with former ones.
 */
export default {
  async fetch(request: Request, { STORE_0 }: { STORE_0: D1Database }): Promise<Response> {
    const { pathname } = new URL(request.url);
    const id = Number(pathname.split('/')[5] ?? 0);
    /** The guard that runs first in every batch of a store. */
    const guard = (state: number) =>
      STORE_0.prepare(
        `select coalesce(r.epoch, json_extract('{}', 'placement')) as epoch from (select 1) left join placements r on r.store_id = ? and r.state <= ?`,
      ).bind(1, state);
    if (request.method === 'POST') {
      const { name } = await request.json<{ name: string }>();
      const now = Date.now();
      const folded = name.toLowerCase();
      const [, inserted] = await STORE_0.batch([
        guard(0),
        STORE_0.prepare(
          `insert into "brands" ("id", "store_id", "name", "name_key", "name_folded", "active", "featured", "description", "logo_url", "created_at", "updated_at")
           values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
        ).bind(1, name, folded, folded, 1, 0, null, null, now, now),
      ]);
      return Response.json({ data: inserted?.results[0] }, { status: 201 });
    }
    if (id > 0) {
      const [, found] = await STORE_0.batch([
        guard(1),
        STORE_0.prepare('select * from "brands" where ("store_id" = ? and "id" = ?)').bind(1, id),
      ]);
      return Response.json(found?.results[0]);
    }
    const [, rows, totals] = await STORE_0.batch([
      guard(1),
      STORE_0.prepare(
        'select * from "brands" where "store_id" = ? order by "id" asc limit ? offset ?',
      ).bind(1, 10, 0),
      STORE_0.prepare('select "total" from "totals" where ("store_id" = ? and "kind" = ?)').bind(
        1,
        'brands',
      ),
    ]);
    return Response.json({ data: rows?.results, total: totals?.results[0] });
  },
};
