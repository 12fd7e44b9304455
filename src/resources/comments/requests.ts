import type * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { recordId } from '../../codecs/fields/ids.ts';
import { orNull } from '../../codecs/fields/nullable.ts';
import { bool } from '../../codecs/fields/scalars.ts';
import { email } from '../../codecs/fields/string-formats.ts';
import { line, text } from '../../codecs/fields/text.ts';

export const CommentRequest = requestBodies({
  required: {
    product_id: recordId(),
    approved: bool,
    name: line(100),
    email,
    message: text(5000),
  },
  optional: { comment_id: [orNull(recordId()), null] },
});

export type NewComment = z.output<typeof CommentRequest.post>;
export type CommentChanges = z.output<typeof CommentRequest.put>;
