/** The form in which text is compared and sorted: no accents, no case, single spaces. */
export function fold(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/\s+/gu, ' ');
}

/** The form in which names are unique: no case, single spaces; accents count (contract 1.5). */
export function nameKey(text: string): string {
  return text.toLowerCase().normalize('NFC').replace(/\s+/gu, ' ').trim();
}
