import { describe, expect, it } from 'vitest';
import { bool } from '../../src/wire/bool.ts';
import { idsOrBracketed } from '../../src/wire/bracketed-ids.ts';
import { cnpj } from '../../src/wire/cnpj.ts';
import { colour } from '../../src/wire/colour.ts';
import { cpf } from '../../src/wire/cpf.ts';
import { email } from '../../src/wire/email.ts';
import { host } from '../../src/wire/host.ts';
import { id, ids, pathId } from '../../src/wire/id.ts';
import { list } from '../../src/wire/list.ts';
import { moment } from '../../src/wire/moment.ts';
import { money } from '../../src/wire/money.ts';
import { int, number, percent } from '../../src/wire/number.ts';
import { object } from '../../src/wire/object.ts';
import { orNull } from '../../src/wire/or-null.ts';
import { orWrapped } from '../../src/wire/or-wrapped.ts';
import { phone } from '../../src/wire/phone.ts';
import { slug } from '../../src/wire/slug.ts';
import { line, raw, text } from '../../src/wire/text.ts';
import { url } from '../../src/wire/url.ts';
import { choice, word } from '../../src/wire/words.ts';
import { inZone } from '../../src/wire/zone.ts';
import { anything, outcome, sent } from './outcome.ts';

const schemas = {
  bool,
  cnpj,
  colour,
  cpf,
  email,
  host,
  moment,
  money,
  pathId,
  phone,
  id: id(),
  ids: ids(),
  idsOrBracketed: idsOrBracketed(),
  int: int(0, 9),
  number: number(),
  percent: percent(),
  slug: slug(9),
  line: line(9),
  raw: raw(9),
  text: text(9),
  url: url(),
  choice: choice(['a', 'b']),
  word: word(/[a-z]+/, 'Must be a word.'),
  list: list(int(0, 9), { max: 2 }),
  orWrapped: orWrapped(list(int(0, 9), { max: 2 })),
  object: object({ name: line(9) }),
};

describe.each(Object.entries(schemas))('%s', (name, schema) => {
  it('refuses with whole sentences that do not repeat what was sent', () => {
    for (const value of anything) {
      const result = inZone('UTC', () => outcome(schema, value));
      for (const sentence of Object.values(result.errors ?? {}).flat()) {
        expect(sentence).toMatch(/^(Required|Must .*)\.$/);
        expect(sentence).not.toContain('9'.repeat(400));
      }
    }
  });

  it('says Required for what is absent', () => {
    if (name === 'slug') return;
    expect(outcome(object({ field: schema }), {})).toEqual({ errors: { field: ['Required.'] } });
    expect(sent(object({ field: schema }))).toMatchObject({ required: ['field'] });
  });

  it('takes null within orNull alone', () => {
    if (name !== 'slug') expect(outcome(schema, null).errors).toBeDefined();
    const nullable = object({ field: orNull(schema) });
    if (name !== 'slug')
      expect(outcome(nullable, { field: null })).toEqual({ value: { field: null } });
    expect(JSON.stringify(sent(nullable))).toContain('"null"');
  });
});
