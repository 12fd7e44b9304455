// Numbers as the spreadsheets of a country print them. `1.500` is 1500 in one country and 1.5 in
// another, so all cells of a column say together which mark is before its decimals. Where they
// leave it open, a person is asked.

/** The mark before the decimals of a number. The other one may separate its thousands. */
export const decimalMarks = ['.', ','] as const;

export type DecimalMark = (typeof decimalMarks)[number];

/** How the numbers of a column are written. */
export interface NumberSpelling {
  /**
   * The mark that a cell of the column shows; `undefined` if none does, or if two cells show both.
   */
  mark?: DecimalMark | undefined;
  /** Cells that have another value for each mark, one of each form. */
  doubtful: readonly string[];
}

/** Longer cells hold no number. */
const maxLength = 60;

/** Marks of direction, which some programs write around a currency. */
const invisible = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Forms of digits and signs with the width of an ideograph. */
const fullWidth = /[\uff01-\uff5e]/g;

/**
 * Currencies by their code, or by their sign with the letters of a country around it. Some
 * countries have no sign.
 */
const currency = String.raw`(?:[a-z]{0,3}\p{Sc}u?|[a-z]{3}|(?:S/|B/|Bs|Gs|Rs)\.?)`;
const amount = new RegExp(
  String.raw`^\+? ?(${currency})? ?\+? ?([\d.,][\d., ']*?) ?(${currency})?$`,
  'iu',
);

const currencies = new Set(Intl.supportedValuesOf('currency'));

const isCurrency = (text: string | undefined) =>
  text === undefined || !/^[a-z]{3}$/i.test(text) || currencies.has(text.toUpperCase());

/** Thousands, or the lakhs of India, between one kind of separator. A number below 1 has none. */
const grouped = /^(?!0)\d{1,3}([., '])\d{3}(?:\1\d{3})*$|^(?!0)\d{1,2}(?:,\d{2})+,\d{3}$/;

/**
 * The digits and separators of a cell, each kind of blank as a space; `undefined` if it is no plain
 * number from 0 on.
 */
function bareNumber(cell: string): string | undefined {
  if (cell.length > maxLength) return undefined;
  // Most numbers have nothing around them.
  if (/^\d[\d.,]*$/.test(cell)) return cell;
  const plain = cell
    .replace(invisible, '')
    .replace(fullWidth, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[’ʼ]/g, "'")
    .replace(/\s/g, ' ')
    .trim();
  const [, before, bare, after] = amount.exec(plain) ?? [];
  return isCurrency(before) && isCurrency(after) ? bare : undefined;
}

const isDigits = /^\d*$/;

/**
 * The value of a bare number with this mark before its decimals; `undefined` if it is not written
 * so.
 */
function valueOf(bare: string, mark: DecimalMark): number | undefined {
  const at = bare.indexOf(mark);
  const [whole, decimals] = at === -1 ? [bare, ''] : [bare.slice(0, at), bare.slice(at + 1)];
  if (!isDigits.test(decimals) || whole + decimals === '') return undefined;
  if (isDigits.test(whole)) return Number(`${whole}.${decimals}`);
  return grouped.test(whole) ? Number(`${whole.replace(/\D/g, '')}.${decimals}`) : undefined;
}

/**
 * Finds out how the numbers of a column are written, from all its cells. Others than numbers say
 * nothing.
 */
export class SpellingReader {
  readonly #shown = new Set<DecimalMark>();
  /** By the mark that separates thousands, or decimals. */
  readonly #doubtful = new Map<string, string>();

  add(cell: string): void {
    if (/^\d*$/.test(cell)) return;
    const bare = bareNumber(cell);
    if (bare === undefined) return;
    const [point, comma] = [valueOf(bare, '.'), valueOf(bare, ',')];
    if (point === comma) return;
    if (comma === undefined) this.#shown.add('.');
    else if (point === undefined) this.#shown.add(',');
    else {
      const form = bare.replace(/\d/g, '');
      if (!this.#doubtful.has(form)) this.#doubtful.set(form, cell);
    }
  }

  get spelling(): NumberSpelling {
    const [mark] = this.#shown;
    return {
      ...(this.#shown.size === 1 && { mark }),
      doubtful: [...this.#doubtful.values()],
    };
  }
}

/** Whether the cells of a column leave open what its numbers are. */
export const isOpen = ({ mark, doubtful }: NumberSpelling) =>
  mark === undefined && doubtful.length > 0;

/**
 * Reads the number of a cell in a column with this mark; one that only the other mark allows is
 * read with that. `undefined` for all that is no plain number from 0 on: signs, parts of a hundred,
 * powers of ten, errors, dates.
 */
export function readNumber(cell: string, mark: DecimalMark | undefined): number | undefined {
  const bare = bareNumber(cell);
  if (bare === undefined) return undefined;
  const [point, comma] = [valueOf(bare, '.'), valueOf(bare, ',')];
  if (point === comma || comma === undefined) return point;
  if (point === undefined) return comma;
  return mark && (mark === '.' ? point : comma);
}
