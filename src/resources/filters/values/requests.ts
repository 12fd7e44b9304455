import { requestBodies } from '../../../codecs/body/request-bodies.ts';
import { orNull } from '../../../codecs/fields/nullable.ts';
import { colour, url } from '../../../codecs/fields/string-formats.ts';
import { line } from '../../../codecs/fields/text.ts';

export const FilterOptionRequest = requestBodies({
  required: { name: line(100) },
  optional: { color: [orNull(colour), null], image_url: [orNull(url()), null] },
});
