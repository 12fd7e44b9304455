import { Problem } from '../../problem.ts';

/** Whether a store had its last ping less than ten seconds ago. */
export const isTooSoon = (error: unknown): error is Problem =>
  error instanceof Problem && error.status === 429;

/** With what a page says so: the status, and how long to wait. */
export const tooSoon = ({ headers }: Problem) => ({ status: 429, headers }) as const;
