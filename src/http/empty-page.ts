import * as z from 'zod';
import { Pagination } from '../codecs/listing/pagination.ts';

/** Response field: `meta` of a page. */
export const meta = z.object({ pagination: Pagination });

/** The 404 of a list without any match: an error body that also has the members of a list. */
export const EmptyPage = z
  .object({
    message: z.string().describe('The status and its reason phrase.'),
    status_code: z.literal(404).describe('The HTTP status of the response.'),
    code: z.literal('empty_list').describe('Why there is no list: nothing matches the query.'),
    hint: z.string().describe('What to do, in one sentence for a developer.'),
    request_id: z.string().describe('The X-Request-Id of this response.'),
    documentation_url: z.string().describe('The place in the guide that explains the code.'),
    data: z.array(z.null()).max(0).describe('Always empty.'),
    meta,
  })
  .meta({ id: 'EmptyPage', description: 'The query matches nothing.' });
