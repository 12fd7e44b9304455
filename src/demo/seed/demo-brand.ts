/** A market stall. */
const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0f6b4f"/><path d="M9.2 7h13.6l2.2 5H7z" fill="#fff"/><path d="M7 12h6a3 3 0 0 1-6 0zm6 0h6a3 3 0 0 1-6 0zm6 0h6a3 3 0 0 1-6 0z" fill="#ffd166"/><path d="M9 18v7h14v-7" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/></svg>';

/** The variables that give the demo a name and a look of its own. */
export const demoBrand = {
  BRAND_NAME: 'Feira',
  BRAND_ACCENT: '#0f6b4f #7fd6b5',
  BRAND_LOGO: mark,
};
