import { OptionalText } from '../../common/index.js';

const MAX_LENGTH = 4096;

/** The fields that every form of a page sends. */
export class SentFormBody {
  @OptionalText({ max: MAX_LENGTH }) _csrf?: string;
  /** The path of the page that the form is on. */
  @OptionalText({ max: MAX_LENGTH }) return_to = '';
}
