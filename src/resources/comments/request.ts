import type * as z from 'zod';
import { bool } from '../../wire/bool.ts';
import { email } from '../../wire/email.ts';
import { id } from '../../wire/id.ts';
import { orNull } from '../../wire/or-null.ts';
import { request } from '../../wire/request.ts';
import { line, text } from '../../wire/text.ts';

/** The bodies of POST and PUT comments (contract 3.6). */
export const CommentRequest = request({
  required: {
    product_id: id(),
    approved: bool,
    name: line(100),
    email,
    message: text(5000),
  },
  optional: { comment_id: [orNull(id()), null] },
});

export type NewComment = z.output<typeof CommentRequest.post>;
export type CommentChanges = z.output<typeof CommentRequest.put>;
