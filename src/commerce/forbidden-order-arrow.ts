import { InvalidBody } from '../problem.ts';
import { nextStatuses } from './order-arrows.ts';

/** The refusal of an arrow that an order may not take; it names those that it may (sources 4). */
export function forbiddenOrderArrow(order: Parameters<typeof nextStatuses>[0]): InvalidBody {
  const next = nextStatuses(order);
  const sentence = next.length > 0 ? `Must be one of ${next.join(', ')}.` : 'No longer changes.';
  return new InvalidBody({ status_id: [sentence] });
}
