import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { sentMails } from '../../support/mail.ts';
import {
  actionsOf,
  ask,
  auditOfStore,
  makeStore,
  newStore,
  operator,
  type OperatedStore,
} from './store-requests.ts';

describe('the actions on a store', () => {
  it('deactivates and reactivates it once, however often they are asked', async () => {
    const { id, members } = await makeStore();
    const reason = 'Unpaid bills';
    const path = `POST /operator/stores/${id}`;
    const twice = (action: string, body?: object) =>
      Promise.all([ask(`${path}/${action}`, body), ask(`${path}/${action}`, body)]);
    for (const { status, data } of await twice('deactivate', { reason })) {
      expect(status).toBe(200);
      expect(data).toMatchObject({ state: 'deactivated', inactive_reason: reason });
    }
    for (const { status, data } of await twice('reactivate', { reason })) {
      expect(status).toBe(200);
      expect(data).toMatchObject({ state: 'active', inactive_reason: null, inactive_since: null });
    }
    const lines = (await auditOfStore(id)).slice(2).map((line) => [line.action, line.reason]);
    expect(lines).toEqual([
      ['store.deactivated', reason],
      ['store.reactivated', reason],
    ]);
    const kinds = (await sentMails(members[0]!.email)).map(({ kind }) => kind);
    expect(kinds).toEqual(['store_reactivated', 'store_deactivated', 'invitation']);
  });

  it('closes it for 30 days, and opens it again', async () => {
    const { id } = await makeStore();
    const closed = await ask(`POST /operator/stores/${id}/close`, { reason: 'Asked by letter' });
    expect([closed.status, closed.data.state]).toEqual([200, 'closed']);
    const row = await env.DIRECTORY.prepare('select erase_at, closed_at from stores where id = ?')
      .bind(id)
      .first<{ erase_at: number; closed_at: number }>();
    expect(row!.erase_at - row!.closed_at).toBe(30 * 86_400_000);
    const opened = await ask(`POST /operator/stores/${id}/reopen`, { reason: 'A mistake' });
    expect([opened.status, opened.data.state]).toEqual([200, 'active']);
  });

  it('changes the alias, and returns 409 (alias_taken) for that of another store', async () => {
    const [one, other] = [await makeStore(), await makeStore()];
    const rename = (alias: string) =>
      ask(`POST /operator/stores/${one.id}/rename`, { alias, reason: 'A typo' });
    const refused = await rename(other.alias);
    expect([refused.status, refused.body.code]).toEqual([409, 'alias_taken']);
    const alias = `${one.alias}x`;
    for (const { status, data } of [await rename(alias), await rename(alias)]) {
      expect([status, data.alias]).toEqual([200, alias]);
    }
    expect(await actionsOf(one.id)).toEqual(['store.created', 'member.invited', 'store.renamed']);
  });

  it('invites a member with 201, and removes one, but not the owner (409 owner_stays)', async () => {
    const owner = await createTestOperator({ isOperator: false });
    const { id } = await makeStore({ ...newStore(), owner_email: owner.email });
    const email = `m${id}@loja.test`;
    const invited = await ask(`POST /operator/stores/${id}/members`, { email, role: 'viewer' });
    expect(invited.status).toBe(201);
    expect((await sentMails(email)).map(({ kind }) => kind)).toEqual(['invitation']);
    const remove = (userId: number) =>
      ask(`POST /operator/stores/${id}/members/${userId}/remove`, { reason: 'Left' });
    const stays = await remove(owner.userId);
    expect([stays.status, stays.body.code]).toEqual([409, 'owner_stays']);
    expect((await remove(operator.userId)).status).toBe(200);
  });

  it('invites an owner again (200) until they have a password; the old link stops', async () => {
    const fields = newStore();
    const { id, owner_state: state } = await makeStore(fields);
    expect(state).toBe('invited');
    const path = `POST /operator/stores/${id}/owner/invite`;
    const olga = await new Browser().signIn(operator.userId);
    const page = `/operator/stores/${id}`;
    expect((await olga.get(page)).text).toContain(`${fields.owner_email} Invited`);
    const [first] = await sentMails(fields.owner_email, 'invitation');
    const again = await olga.submit(`${page}/invite-owner`, { reason: 'A call' });
    expect([again.status, again.location]).toEqual([303, `${page}?done=inviteOwner`]);
    const mails = await sentMails(fields.owner_email, 'invitation');
    expect(mails).toHaveLength(2);
    const links = mails.map(({ data }) => (data as { link: string }).link);
    const newest = links.find((link) => link !== (first!.data as { link: string }).link)!;
    const old = await new Browser().get(new URL((first!.data as { link: string }).link).pathname);
    expect(old.text).not.toContain('Password');
    const open = await new Browser().get(new URL(newest).pathname);
    expect(open.text).toContain('Password');
    await env.DIRECTORY.prepare(
      "insert into passwords (user_id, hash, changed_at) select owner_id, 'x', 0 from stores where id = ?",
    )
      .bind(id)
      .run();
    const late = await olga.submit(`${page}/invite-owner`, { reason: 'Late' });
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('is a member already')]);
    const joined = await ask(path, { reason: 'Again' });
    expect([joined.status, joined.data.owner_state]).toEqual([200, 'active']);
    expect(await sentMails(fields.owner_email, 'invitation')).toHaveLength(2);
    expect((await olga.get(page)).html).not.toContain('invite-owner');
    expect((await ask('POST /operator/stores/999999/owner/invite', { reason: 'x' })).status).toBe(
      404,
    );
  });

  it.each(['deactivate', 'close', 'reopen', 'rename', 'reactivate', 'owner/invite', 'limits'])(
    'returns 409 (store_erased) to %s a store whose data are erased',
    async (action) => {
      const { id, alias } = await makeStore();
      await env.DIRECTORY.prepare('update stores set active = 0, erased_at = 1 where id = ?')
        .bind(id)
        .run();
      const own = action === 'limits' ? { event_budget: 2_000_000 } : {};
      const body = { reason: 'x', ...own, ...(action === 'rename' && { alias: `${alias}y` }) };
      const { status, body: error } = await ask(`POST /operator/stores/${id}/${action}`, body);
      expect([status, error.code]).toEqual([409, 'store_erased']);
    },
  );
});

describe('GET /operator/stores', () => {
  it('finds stores by alias, owner, state and part of the name, page by page', async () => {
    const owner = await createTestOperator({ isOperator: false });
    const made = [];
    for (let index = 0; index < 3; index += 1) {
      made.push(
        await makeStore({ ...newStore(), name: `Find ${owner.name}`, owner_email: owner.email }),
      );
    }
    const list = async (query: string) => {
      const { body } = await operator.api(`GET /operator/stores?${query}`);
      const { data, meta } = body as { data: OperatedStore[]; meta: { cursor: { next: string } } };
      return { ids: data.map(({ id }) => id), next: meta.cursor.next };
    };
    const ids = made.map(({ id }) => id).toReversed();
    expect((await list(`alias=${made[0]!.alias}`)).ids).toEqual([made[0]!.id]);
    const page = await list(`owner=${owner.email}&limit=2`);
    expect(page.ids).toEqual(ids.slice(0, 2));
    expect(await list(`owner=${owner.email}&limit=2&cursor=${page.next}`)).toEqual({
      ids: ids.slice(2),
      next: '',
    });
    await ask(`POST /operator/stores/${ids[1]}/deactivate`, { reason: 'Test' });
    expect((await list(`owner=${owner.email}&state=deactivated`)).ids).toEqual([ids[1]]);
    expect((await list(`search=${made[0]!.alias.toUpperCase()}`)).ids).toEqual([made[0]!.id]);
  });

  it('returns 400 for an unknown state', async () => {
    expect((await ask('GET /operator/stores?state=lost')).status).toBe(400);
  });
});
