import { headings } from './headings.ts';
import { sectionOf } from './http/heading.ts';

/** Every row of the API, all loaded; a request loads those of its own heading alone (`http/mount-headings`). */
export const sections = await Promise.all(headings.map(sectionOf));
