import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../src/data/directory/job.ts';
import { requestJob } from '../../src/data/directory/request-job.ts';
import { exportFile } from '../../src/stores/export/export-download.ts';
import { exportKeptMs, exportPrefix } from '../../src/stores/export/kept-exports.ts';
import { Browser } from '../support/browser/browser.ts';
import { createCompleteStore, type CompleteStore } from '../support/fixtures/complete-store.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { dyingBindings, finishJob, operatorAction, readJob, sweepJobs } from '../support/jobs.ts';
import { sentMails } from '../support/mail.ts';
import { isSlow } from '../support/slow.ts';
import { upTo } from '../support/transfers/catalog.ts';

const day = 86_400_000;
/** A time at which no job of another test is due. */
const later = Date.now() + day;

const mark = 'Exportada';
let store: CompleteStore;

beforeAll(async () => {
  store = await createCompleteStore(mark);
});

const startExport = (now: number) =>
  requestJob(operatorAction(now), { kind: 'store_export', storeId: store.id });

/** The files of a tar archive by name. */
function untar(bytes: Uint8Array): Map<string, string> {
  const decoder = new TextDecoder();
  const text = (from: number, to: number) =>
    decoder.decode(bytes.subarray(from, to)).replace(/\0.*$/s, '');
  const files = new Map<string, string>();
  for (let at = 0; bytes[at] !== 0;) {
    const name = text(at, at + 100);
    const size = Number.parseInt(text(at + 124, at + 136), 8);
    files.set(name, decoder.decode(bytes.subarray(at + 512, at + 512 + size)));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

async function filesOf(job: Job, now = later): Promise<Map<string, string>> {
  const file = exportFile(env.ARCHIVE, job, now);
  if (!file) throw new Error('no file');
  const bytes = new Uint8Array(await new Response(file.stream).arrayBuffer());
  expect(bytes.length).toBe(file.bytes);
  return untar(bytes);
}

const linesOf = (files: Map<string, string>, name: string) =>
  (files.get(`${name}.ndjson`) ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** All files but those that change with each export. */
const comparable = (files: Map<string, string>) =>
  [...files].filter(([name]) => name !== 'manifest.json' && name !== 'activity.ndjson');

describe('an export of a store', () => {
  it('has every record once, and no secret', async () => {
    const job = await finishJob(await startExport(later), later);
    expect(job).toMatchObject({ state: 'done', error: null });
    expect(job.done).toBe(job.total);
    const files = await filesOf(job);
    const manifest = JSON.parse(files.get('manifest.json') ?? '') as {
      files: { file: string; records: number; bytes: number }[];
    };
    for (const { file, records, bytes } of manifest.files) {
      const text = files.get(file) ?? '';
      expect(new TextEncoder().encode(text).length, file).toBe(bytes);
      expect(text.split('\n').filter(Boolean), file).toHaveLength(records);
    }
    for (const name of [
      'products',
      'customers',
      'addresses',
      'orders',
      'order_items',
      'carts',
      'webhook_events',
      'product_comments',
    ]) {
      expect(linesOf(files, name).length, name).toBeGreaterThan(0);
    }
    expect(linesOf(files, 'store')).toEqual([expect.objectContaining({ alias: store.alias })]);
    expect(linesOf(files, 'members')).toEqual([expect.objectContaining({ role: 'owner' })]);
    const customer = linesOf(files, 'customers').find(({ id }) => id === store.ids['customers']);
    expect(customer).toMatchObject({
      first_name: mark,
      anonymized: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    });
    expect(customer).not.toHaveProperty('email_key');
    const all = [...files.values()].join('');
    const { results } = await (store.shard === 0 ? env.STORE_0 : env.STORE_1)
      .prepare(
        `select secret_current as secret from webhook_endpoints where store_id = ?1
        union all select password_sealed from email_configurations where store_id = ?1`,
      )
      .bind(store.id)
      .all<{ secret: string }>();
    expect(results.length).toBeGreaterThan(0);
    for (const { secret } of results) expect(all).not.toContain(secret);
    // No file names the keys of the bucket.
    expect(all).not.toContain('store-exports/');
  });

  it('is the same, and notifies the owner once, whichever call was the last of its process', async () => {
    const clean = await finishJob(await startExport(later), later);
    const expected = comparable(await filesOf(clean));
    const { results: owners } = await env.DIRECTORY.prepare('select email from users where id = ?')
      .bind(store.userId)
      .all<{ email: string }>();
    const mailsBefore = (await sentMails(owners[0]!.email, 'export_ready')).length;
    let exports = 0;
    const whole = dyingBindings(Infinity);
    await startExport(later);
    await sweepJobs(store.shard, later, whole.bindings);
    exports += 1;
    const last = whole.calls.count;
    expect(last).toBeGreaterThan(50);
    // The first calls and the last ones, and some that read tables and store files. A loss before a
    // call equals a loss after the one before.
    const calls = isSlow
      ? [...upTo(5), 20, 40, ...upTo(6).map((n) => last - 6 + n)]
      : [1, 20, last - 1, last];
    for (const call of calls) {
      const started = await startExport(later);
      const dying = dyingBindings(call).bindings;
      await sweepJobs(store.shard, later, dying).catch(() => undefined);
      const ended = await finishJob(started, later + 200_000);
      exports += 1;
      expect(ended, `${call}`).toMatchObject({ state: 'done' });
      expect(comparable(await filesOf(ended)), `${call}`).toEqual(expected);
    }
    const mails = await sentMails(owners[0]!.email, 'export_ready');
    expect(mails.length - mailsBefore).toBe(exports);
  });

  it('loses its files a week later, and when it is cancelled', async () => {
    const job = await finishJob(await startExport(later), later);
    const prefix = exportPrefix(job) ?? '';
    expect((await env.ARCHIVE.list({ prefix })).objects.length).toBeGreaterThan(0);
    expect(exportFile(env.ARCHIVE, job, later + exportKeptMs - day)).toBeDefined();
    expect(exportFile(env.ARCHIVE, job, later + exportKeptMs + day)).toBeUndefined();
    await sweepJobs(store.shard, later + exportKeptMs + day);
    expect((await env.ARCHIVE.list({ prefix })).objects).toEqual([]);
    expect(await readJob(job)).toMatchObject({ state: 'done', due_at: null });
  });
});

describe('POST /operator/stores/{id}/exports', () => {
  it('returns 202 with the job, and the file as soon as it is done: 409 before', async () => {
    const operator = await createTestOperator();
    const started = await operator.api(`POST /operator/stores/${store.id}/exports`);
    expect(started.status).toBe(202);
    const { id } = started.body.data;
    const path = `/operator/stores/${store.id}/exports/${id}`;
    expect(started.body.data).toMatchObject({
      kind: 'store_export',
      result: null,
      finished_at: null,
    });
    expect((await operator.api(`GET ${path}/file`)).body).toMatchObject({
      code: 'export_not_ready',
    });
    const again = await operator.api(`POST /operator/stores/${store.id}/exports`);
    expect(again.body.data.id).toBe(started.body.data.id);
    await finishJob(await readJob(started.body.data), Date.now());
    const shown = await operator.api(`GET /operator/jobs/${id}`);
    expect(shown.body.data).toMatchObject({
      state: 'done',
      result: { url: expect.stringContaining(`/v2${path}/file`) as string },
    });
    const file = await operator.api(`GET ${path}/file`);
    expect(file.status).toBe(200);
    expect(untar(file.body as Uint8Array).has('customers.ndjson')).toBe(true);
  });

  it('returns 404 for a store that there is not, and for the job of another one', async () => {
    const operator = await createTestOperator();
    expect((await operator.api('POST /operator/stores/999999999/exports')).status).toBe(404);
    const job = await startExport(later);
    const elsewhere = `GET /operator/stores/${store.id + 1}/exports/${job.id}/file`;
    expect((await operator.api(elsewhere)).status).toBe(404);
    expect((await operator.api(`POST /operator/jobs/${job.id}/cancel`)).status).toBe(200);
    expect(
      (await operator.api(`GET /operator/stores/${store.id}/exports/${job.id}/file`)).status,
    ).toBe(409);
  });
});

describe('GET /account/stores/:alias/exports/:id', () => {
  it('returns 200 with the file to the owner, and 404 to all others', async () => {
    const job = await finishJob(await startExport(later), later);
    const path = `/account/stores/${store.alias}/exports/${job.id}`;
    const owner = await new Browser().signIn(store.userId);
    expect((await owner.send('HEAD', path)).status).toBe(200);
    const other = await new Browser().signIn((await createTestStore()).userId);
    expect((await other.get(path)).status).toBe(404);
    expect((await owner.get(`/account/stores/${store.alias}/exports/999999999`)).status).toBe(404);
  });
});
