/** A local path with a parameter set to a value, or without it; the rest of its query stays byte for byte. */
export function withParameter(path: string, name: string, value?: string): string {
  const [before = '', query = ''] = path.split(/\?(.*)/s);
  const kept = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== name);
  const all = value === undefined ? kept : [...kept, `${name}=${encodeURIComponent(value)}`];
  return all.length > 0 ? `${before}?${all.join('&')}` : before;
}
