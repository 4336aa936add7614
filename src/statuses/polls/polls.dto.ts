import { BooleanLike, CsvList, Describe, IntLike, Invalid, TextList } from '../../common/index.js';
import type { PollOptions } from './poll.draft.js';

/** Higher than any setting: the service rejects lower values with its own errors. */
const OPTIONS = 1_000;
const OPTION_LENGTH = 5_000;
const CHOICES = 1_000;

/** The poll of a post (spec §10.2, §10.13). */
export class PollBody {
  @Describe('The options to choose from.')
  @TextList({ max: OPTIONS, maxLength: OPTION_LENGTH })
  options?: string[];

  @Describe('After how many seconds the poll ends.')
  @IntLike()
  expires_in?: number;

  @Describe('Whether a vote may have several choices.')
  @BooleanLike()
  multiple?: boolean;

  @Describe('Whether to hide the counts until the poll ends.')
  @BooleanLike()
  hide_totals?: boolean;

  wanted(): PollOptions {
    return {
      options: this.options,
      expiresIn: this.expires_in,
      multiple: this.multiple,
      hideTotals: this.hide_totals,
    };
  }
}

/** `POST /api/v1/polls/:id/votes`, and the form of a vote. */
export class VoteBody {
  @Describe('The positions of the chosen options, from 0.')
  @CsvList({ max: CHOICES })
  choices?: string[];

  /** @throws Invalid when there are no choices, or when they are not numbers */
  wanted(): number[] {
    const choices = this.choices ?? [];
    if (choices.length === 0) throw new Invalid('choices is missing');
    if (!choices.every((choice) => /^-?\d+$/.test(choice))) throw new Invalid('choices must be whole numbers');
    return choices.map(Number);
  }
}
