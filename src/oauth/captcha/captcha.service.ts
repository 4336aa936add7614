import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { hashToken, newToken, openSecret, sameSecret, sealSecret, SECRET_KEY } from '../../platform/index.js';
import { CAPTCHA_LETTERS } from './captcha-glyphs.js';
import { captchaPicture } from './captcha-picture.js';
import { CaptchaRepository } from './captcha.repository.js';
import type { CaptchaJson } from './captcha.shape.js';

/** What somebody answers to a captcha. */
export interface CaptchaAnswer {
  readonly token: string | undefined;
  readonly solution: string | undefined;
  readonly answerData: string | undefined;
}

interface Sealed {
  readonly solution: string;
  /** In milliseconds. */
  readonly expiresAt: number;
}

const LENGTH = 6;
const MS_PER_SECOND = 1_000;

/**
 * Keeps programs from signing up (spec §2.6). A captcha carries its solution with it, sealed and bound to its token, so that
 * nothing is stored of those that nobody tries to solve; that one was tried is remembered, since it counts once.
 */
@Injectable()
export class CaptchaService {
  constructor(
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly settings: Settings,
    private readonly repository: CaptchaRepository,
  ) {}

  /** A new one; where none is needed, that. */
  issue(): CaptchaJson {
    if (!this.isNeeded) return { type: 'none' };
    const seconds = this.settings.get('captcha.seconds_valid');
    const solution = Array.from({ length: LENGTH }, () => CAPTCHA_LETTERS[randomInt(CAPTCHA_LETTERS.length)]).join('');
    const token = newToken();
    const sealed: Sealed = { solution, expiresAt: Date.now() + seconds * MS_PER_SECOND };
    return {
      type: 'native',
      token,
      url: `data:image/png;base64,${captchaPicture(solution).toString('base64')}`,
      answer_data: sealSecret(this.secretKey, JSON.stringify(sealed), contextOf(token)).toString('base64url'),
      seconds_valid: seconds,
    };
  }

  /** Whether whoever signs up has to solve one. */
  get isNeeded(): boolean {
    return this.settings.get('captcha.enabled');
  }

  /** What is wrong with an answer; undefined when it is right. Afterwards this captcha is used up in either case. */
  async problem({ token, solution, answerData }: CaptchaAnswer): Promise<string | undefined> {
    if (!token || !solution || !answerData) return "can't be blank";
    const sealed = this.open(token, answerData);
    if (!sealed) return 'is invalid';
    if (sealed.expiresAt <= Date.now()) return 'has expired';
    if (!(await this.repository.use(hashToken(token), new Date(sealed.expiresAt)))) return 'was used already';
    return sameSecret(normalised(solution), sealed.solution) ? undefined : 'is invalid';
  }

  /** Forgets what nobody can use any more. */
  purge(): Promise<void> {
    return this.repository.purge();
  }

  /** Undefined for what is none of ours, or belongs to another token. */
  private open(token: string, answerData: string): Sealed | undefined {
    try {
      const opened = openSecret(this.secretKey, Buffer.from(answerData, 'base64url'), contextOf(token));
      return JSON.parse(opened.toString()) as Sealed;
    } catch {
      return undefined;
    }
  }
}

function contextOf(token: string): string {
  return `captcha:${token}`;
}

/** People type as they like. */
function normalised(solution: string): string {
  return solution.replace(/\s/g, '').toUpperCase();
}
