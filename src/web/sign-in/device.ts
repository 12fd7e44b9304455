const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/**
 * Describes a browser and its system in words, such as `Firefox, Linux`, for its user to recognise. Empty for others.
 * The header itself is not stored: it is long, and no page shows it.
 */
export function describeDevice(userAgent: string | undefined): string {
  const sent = (userAgent ?? '').slice(0, 1_000);
  const names = [browsers, systems].map((kinds) => kinds.find(([, mark]) => mark.test(sent))?.[0]);
  return names.filter(Boolean).join(', ');
}
