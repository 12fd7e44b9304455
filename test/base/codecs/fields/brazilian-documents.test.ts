import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cnpj, cpf } from '../../../../src/base/codecs/fields/brazilian-documents.ts';
import { phone } from '../../../../src/base/codecs/fields/string-formats.ts';
import { parseOutcome, bodyError } from '../parse-outcome.ts';

describe('cpf', () => {
  it.each([
    ['529.982.247-25', '52998224725'],
    ['52998224725', '52998224725'],
    ['111.444.777-35', '11144477735'],
    ['000.000.001-91', '00000000191'],
  ])('accepts %s', (sent, stored) => expect(cpf.parse(sent)).toBe(stored));

  it.each([
    '529.982.247-24',
    '529.982.247-35',
    '11111111111',
    '5299822472',
    '529982247250',
    'x',
    '',
    '५२९९८२२४७२५',
  ])('rejects %s', (sent) =>
    expect(parseOutcome(cpf, sent)).toEqual(bodyError('Must be a valid CPF.')),
  );

  it('rejects every number with one wrong digit', () => {
    const mistaken = fc.tuple(fc.nat({ max: 10 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(mistaken, ([at, by]) => {
        const digits = Array.from('52998224725', Number);
        digits[at] = (digits[at]! + by) % 10;
        return !cpf.safeParse(digits.join('')).success;
      }),
    );
  });
});

describe('cnpj', () => {
  it.each([
    ['11.222.333/0001-81', '11222333000181'],
    ['00.000.000/0001-91', '00000000000191'],
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12abc34501de35', '12ABC34501DE35'],
  ])('accepts %s', (sent, stored) => expect(cnpj.parse(sent)).toBe(stored));

  it.each([
    '11.222.333/0001-82',
    '12ABC34501DE36',
    '12ABC34501DEAB',
    '00000000000000',
    '1122233300018',
    '',
  ])('rejects %s', (sent) =>
    expect(parseOutcome(cnpj, sent)).toEqual(bodyError('Must be a valid CNPJ.')),
  );
});

describe('phone', () => {
  it.each([
    ['+55 (11) 91234-5678', '+5511912345678'],
    ['11 1234.5678', '1112345678'],
  ])('accepts %s', (sent, stored) => expect(phone.parse(sent)).toBe(stored));

  it.each(['1234567', '1'.repeat(16), '++5511912345678', '11 CALL-ME-NOW', ''])(
    'rejects %s',
    (sent) =>
      expect(parseOutcome(phone, sent)).toEqual(
        bodyError('Must be a phone number of 8 to 15 digits.'),
      ),
  );
});
