import { describe, expect, it } from 'vitest';
import { runInZone } from '../../src/base/codecs/fields/zone.ts';
import { invalidBodyStatus } from '../../src/http/operation.ts';
import { operationGroups } from '../../src/routes/operations.ts';
import resourcesReadme from '../../src/routes/README.md?raw';
import { callWithBindings } from '../support/api/measure.ts';
import { operations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import { textFields } from '../support/api/text-fields.ts';
import { textsTable } from '../support/api/texts-table.ts';
import { headersFor } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { shared } from '../support/shared.ts';
import { kindsFor } from '../support/slow.ts';
import { bodyFields } from './body-fields.ts';

/** Texts of which nothing can be seen. */
const unseen = [
  '\u3164',
  '\u200e',
  '\u2060',
  '\u00ad',
  '\u2800',
  '\u200d',
  '\ufe0f',
  '\u034f',
  '\u115f',
  '\u{e0020}\u{e007e}',
  '\u180b',
  '\u17b4',
  '\ufff9\ufffb',
  '\uffff',
  '\ue000',
  '\u0301',
  ' <br>\u200b<p>\u2063</p>\u00a0',
] as const;

/** As many of them are nothing beside other characters either. */
const hidden = 14;

/** Other spellings of a code, which look the same. */
const spellings: readonly ((code: string) => string)[] = [
  (code) => `${code.slice(0, 1)}\u200b\u2060${code.slice(1)}\u00ad`,
  (code) => `\u200e${code}\ufe0f\u{e0041}`,
  (code) => ` \u00a0${code}\u3000`,
  (code) => code.replaceAll('-', '\u2011'),
  (code) => code.replaceAll('-', '\u2212'),
  (code) => code.replaceAll(' ', '\u202f'),
  (code) =>
    code.replaceAll(/[!-;=-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
];

/** Names that keep what joins their letters and emoji. */
const joined = ['می\u200cخواهم', 'क्\u200dष', '👨\u200d👩\u200d👧', '❤\ufe0f'] as const;

/** Every field of a body that takes a text. */
const fields = operations.flatMap((operation) => {
  const { body, method } = operation;
  if (!body || method === 'GET') return [];
  const places = [...bodyFields(publishedBody(operation))];
  return [...textFields(body)].map(({ field, rule, schema }) => ({
    name: `${operation.id} ${field}`,
    operation,
    field,
    rule,
    place: places.find((one) => one.field === field),
    isNullable: schema.safeParse(null).success,
    isDate:
      runInZone('UTC', () => schema.safeParse('2031-03-05 09:04:07').data) === 1_930_467_847_000,
    read: (value: unknown): unknown => {
      const { success, data } = schema.safeParse(value);
      return success ? data : refused;
    },
  }));
});

const refused = Symbol('refused');

const ofRule = (...rules: string[]) => fields.filter(({ rule = '' }) => rules.includes(rule));

describe('a field of a body that takes a text', () => {
  it('has a rule, as `npm run choices` writes it into the README of src/routes', () => {
    expect(fields.length).toBeGreaterThan(250);
    expect(fields.flatMap(({ rule, name }) => (rule === undefined ? [name] : []))).toEqual([]);
    expect(resourcesReadme).toContain(textsTable(operationGroups));
  });

  it('refuses what cannot be seen, or is cleared by it, as a name, a text or a code', () => {
    const subjects = ofRule('name', 'text', 'code');
    expect(subjects.length).toBeGreaterThan(200);
    for (const { name, field, isNullable, read } of subjects) {
      // Without a slug, the name gives one.
      const expected = field.endsWith('slug') ? undefined : isNullable ? null : refused;
      for (const sent of unseen) expect(read(sent), `${name}: ${sent}`).toBe(expected);
    }
  });

  it('loses what hides beside what can be seen, and keeps what joins, as a name or a text', () => {
    for (const { name, read } of ofRule('name', 'text')) {
      for (const sent of unseen.slice(0, hidden)) {
        expect(String(read(`${sent}S${sent}ol${sent}`)).replaceAll(' ', ''), name).toBe('Sol');
      }
      for (const sent of joined) expect(read(sent), name).toBe(sent);
    }
  });

  it('is the same in each spelling that looks the same, as a code', () => {
    const subjects = ofRule('code');
    let unified = 0;
    for (const { name, place, read } of subjects) {
      for (const code of [place?.example, 'AB-12 C']) {
        if (typeof code !== 'string' || read(code) === refused) continue;
        for (const spell of spellings) {
          expect(read(spell(code)), `${name}: ${spell(code)}`).toEqual(read(code));
        }
        unified += 1;
      }
    }
    expect(unified).toBeGreaterThan(subjects.length * 0.9);
  });

  it('is stored as sent, or refused, as raw', () => {
    for (const { name, place, isDate, read } of ofRule('raw')) {
      for (const spell of isDate ? [] : spellings) {
        const sent = spell(String(place?.example));
        const value = read(sent);
        // Ids in a text become a list.
        expect(Array.isArray(value) || value === sent || value === refused, name).toBe(true);
      }
    }
  });
});

const sharedStore = shared(() => createTestStore());
const required = ofRule('name', 'text').filter(({ isNullable }) => !isNullable);
const routes = [...new Set(required.map(({ operation }) => operation))];

describe.each(routes.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    const status = invalidBodyStatus(operation);

    it(`returns ${status} and names the field of which nothing can be seen`, async () => {
      const own = await sharedStore();
      const testStore = { ...own, headers: await headersFor(operation, own.headers) };
      const path = operation.path.replace('/{alias}', '').replaceAll(/\{\w+\}/g, '1');
      for (const one of required.filter((field) => field.operation === operation)) {
        for (const sent of kindsFor(one, required, unseen)) {
          const body = one.place?.build(sent);
          const response = await callWithBindings(
            testStore,
            `${operation.method} ${path}`,
            body,
            {},
          );
          expect(response.status, one.field).toBe(status);
          expect(response.body.errors).toHaveProperty([one.field]);
        }
      }
    });
  },
);
