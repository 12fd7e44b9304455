/** The accent colour of a brand, for light and dark mode, and the text on it. */
interface AccentColors {
  light: string;
  onLight: string;
  dark: string;
  onDark: string;
}

/** The style sheet that replaces the accent colour. */
export const brandStyle = ({ light, onLight, dark, onDark }: AccentColors) =>
  `
:root { --accent: ${light}; --on-accent: ${onLight}; }
@media (prefers-color-scheme: dark) {
  :root { --accent: ${dark}; --on-accent: ${onDark}; }
}
`.trim();
