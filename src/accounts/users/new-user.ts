import {
  type FieldMessages,
  fieldPhrase,
  FieldsRefused,
  isLongerThan,
  isStatusLongerThan,
  joined,
  phrase,
  type Reason,
} from '../../common/index.js';
import { passwordProblem } from '../../platform/index.js';
import { isEmail } from './email.js';
import { isNickname } from '../model/nickname.js';

/** The input for a new local account. */
export interface NewUserOptions {
  readonly nickname: string;
  readonly email?: string | undefined;
  readonly password: string;
  /** Administrators may have a reserved name. */
  readonly isAdmin?: boolean;
  /** True unless the e-mail address is still to be confirmed. */
  readonly isConfirmed?: boolean;
  /** True unless an administrator is still to approve. */
  readonly isApproved?: boolean;
  /** Language of mails and pages. */
  readonly locale?: string | undefined;
  readonly displayName?: string | undefined;
  readonly bio?: string | undefined;
  /** `YYYY-MM-DD`; the caller checks it ({@link birthdayProblem}). */
  readonly birthday?: string | undefined;
  /** The reason for signing up, for the staff that approves. */
  readonly reason?: string | undefined;
}

/** The settings on new users; lengths in characters. */
export interface NewUserRules {
  /** Lower case. */
  readonly reservedNames: ReadonlySet<string>;
  readonly nameLength: number;
  readonly bioLength: number;
  readonly reasonLength: number;
}

/** A new user breaks a rule, or its name or address is taken. */
export class UserRefused extends FieldsRefused {
  constructor(fields: FieldMessages) {
    const sentences = Object.entries(fields).flatMap(([field, messages]) =>
      messages.map((text) => fieldPhrase(field, text)),
    );
    super(fields, joined(sentences));
  }
}

/** @throws UserRefused naming every field that breaks a rule (threats U1, O23) */
export function requireValidUser(user: NewUserOptions, rules: NewUserRules): void {
  const problems: Readonly<Record<string, Reason | undefined>> = {
    nickname: nicknameProblem(user, rules),
    email: user.email === undefined || isEmail(user.email) ? undefined : 'has invalid format',
    password: passwordProblem(user.password),
    display_name: lengthProblem(user.displayName, rules.nameLength),
    bio: lengthProblem(user.bio, rules.bioLength, isStatusLongerThan),
    reason: lengthProblem(user.reason, rules.reasonLength),
  };
  const found = Object.entries(problems).flatMap(([field, text]) =>
    text === undefined ? [] : [[field, [text]] as const],
  );
  if (found.length > 0) throw new UserRefused(Object.fromEntries(found));
}

/** @throws UserRefused for an address that is invalid (threat O23) */
export function requireEmail(email: string | null): void {
  if (email !== null && !isEmail(email)) throw new UserRefused({ email: ['has invalid format'] });
}

function nicknameProblem({ nickname, isAdmin = false }: NewUserOptions, rules: NewUserRules): Reason | undefined {
  if (!isNickname(nickname)) return 'must be 1 to 30 letters, digits, underscores or hyphens';
  return !isAdmin && rules.reservedNames.has(nickname.toLowerCase()) ? 'is reserved' : undefined;
}

function lengthProblem(text: string | undefined, max: number, isLonger = isLongerThan): Reason | undefined {
  return text !== undefined && isLonger(max, text)
    ? phrase('should be at most {max} character(s)', { max })
    : undefined;
}
