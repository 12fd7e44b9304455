import { requestBodies } from '../../../codecs/body/request-bodies.ts';
import { int } from '../../../codecs/fields/scalars.ts';
import { reason } from '../requests.ts';

const shard = int(0, 99_999).describe('Number of the database that the store goes to.');

export const MoveRequest = requestBodies({
  required: { shard },
  optional: { reason: [reason, undefined] },
}).post;
