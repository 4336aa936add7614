import { isBlank, isLongerThan, phrase, type Reason, unique, Unprocessable } from '../../common/index.js';

/** The input for a poll. */
export interface PollOptions {
  readonly options?: readonly string[] | undefined;
  /** Seconds. */
  readonly expiresIn?: number | undefined;
  readonly multiple?: boolean | undefined;
  readonly hideTotals?: boolean | undefined;
}

/** The setting `instance.poll_limits`: lengths in characters, durations in seconds. */
export interface PollLimits {
  readonly max_options: number;
  readonly max_option_chars: number;
  readonly min_expiration: number;
  readonly max_expiration: number;
}

/** A valid poll. */
export interface PollDraft {
  readonly options: readonly string[];
  /** Null for remote polls that never end. */
  readonly expiresAt: Date | null;
  readonly multiple: boolean;
  readonly hideTotals: boolean;
  /** See {@link RemotePoll}. */
  readonly nonAnonymous?: boolean;
  /** The votes for each option and the number of voters, from a remote server. */
  readonly counts?: PollCounts;
}

export interface PollCounts {
  readonly votes: readonly number[];
  readonly voters: number;
  /** A moment after which its server had these. */
  readonly asOf: Date;
}

/** @throws Unprocessable when the poll breaks a rule (spec §10.13) */
export function draftPoll(poll: PollOptions, limits: PollLimits, now: Date): PollDraft {
  if (poll.options === undefined || poll.expiresIn === undefined) throw new Unprocessable('Invalid poll');
  const options = poll.options.map((option) => option.trim());
  const problem = optionsProblem(options, limits) ?? durationProblem(poll.expiresIn, limits);
  if (problem !== undefined) throw new Unprocessable(problem);
  return {
    options,
    expiresAt: new Date(now.getTime() + poll.expiresIn * 1_000),
    multiple: poll.multiple ?? false,
    hideTotals: poll.hideTotals ?? false,
  };
}

function optionsProblem(options: readonly string[], limits: PollLimits): Reason | undefined {
  const { max_options: most, max_option_chars: longest } = limits;
  if (options.length > most) return phrase("Poll can't contain more than {max} options", { max: most });
  if (options.length < 2) return 'Poll must contain at least 2 options';
  if (options.some((option) => isLongerThan(longest, option))) {
    return phrase('Poll options cannot be longer than {max} characters each', { max: longest });
  }
  if (options.some(isBlank)) return "Poll options can't be empty";
  // Federated votes contain the title of the option only.
  return unique(options).length < options.length ? 'Poll options must differ from each other' : undefined;
}

function durationProblem(seconds: number, limits: PollLimits): Reason | undefined {
  if (seconds > limits.max_expiration) return 'Expiration date is too far in the future';
  return seconds < limits.min_expiration ? 'Expiration date is too soon' : undefined;
}
