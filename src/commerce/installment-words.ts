/** Installments as Brazilian shops write them: `3x R$ 1.033,34`, from their number and the value of one in cents. */
export function installmentWords(count: number, cents: number): string {
  const [whole = '', fraction = ''] = (cents / 100).toFixed(2).split('.');
  return `${count}x R$ ${whole.replace(/\B(?=(?:\d{3})+$)/g, '.')},${fraction}`;
}
