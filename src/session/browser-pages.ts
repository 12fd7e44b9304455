import { Hono } from 'hono';
import type { Faces } from '../http/faces.ts';
import { showProblem } from './show-fault.tsx';

/** The part of the app that people see: what goes wrong there is a page, not JSON. */
export function browserPages(): Hono<Faces> {
  const pages = new Hono<Faces>();
  pages.onError(showProblem);
  return pages;
}
