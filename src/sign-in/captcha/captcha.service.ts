import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import {
  DAILY,
  hashToken,
  newToken,
  openSecret,
  Recurs,
  sameSecret,
  sealSecret,
  SECRET_KEY,
} from '../../platform/index.js';
import type { Locale, Reason } from '../../common/index.js';
import { CAPTCHA_LETTERS } from './captcha-glyphs.js';
import { captchaPicture } from './captcha-picture.js';
import { captchaQuestion } from './captcha-question.js';
import { CaptchaRepository } from './captcha.repository.js';
import type { CaptchaJson } from './captcha.shape.js';

/** An answer to a captcha. */
export interface CaptchaAnswer {
  readonly token: string | undefined;
  readonly solution: string | undefined;
  readonly answerData: string | undefined;
}

/** A question in words. Its token and its answer count as those of a picture. */
export interface AskedCaptcha {
  readonly question: string;
  readonly token: string;
  readonly answer_data: string;
}

interface Sealed {
  readonly solution: string;
  /** In milliseconds. */
  readonly expiresAt: number;
}

const LENGTH = 6;
const MS_PER_SECOND = 1_000;

/**
 * Captchas for registration (spec §2.6). A captcha carries its solution sealed and bound to its token, so that unused
 * ones need no storage. A tried captcha is stored, because it counts once.
 */
@Injectable()
export class CaptchaService {
  constructor(
    @Inject(SECRET_KEY) private readonly secretKey: Buffer,
    private readonly settings: Settings,
    private readonly repository: CaptchaRepository,
  ) {}

  /** A new captcha, or the fact that none is needed. */
  async issue(): Promise<CaptchaJson> {
    if (!this.isNeeded) return { type: 'none' };
    const solution = Array.from({ length: LENGTH }, () => CAPTCHA_LETTERS[randomInt(CAPTCHA_LETTERS.length)]).join('');
    const picture = await captchaPicture(solution);
    const url = `data:image/png;base64,${picture.toString('base64')}`;
    return { type: 'native', url, ...this.seal(solution), seconds_valid: this.secondsValid };
  }

  /** A question in place of the picture, for people who cannot see it; undefined when no captcha is needed. */
  ask(locale: Locale): AskedCaptcha | undefined {
    if (!this.isNeeded) return undefined;
    const { question, solution } = captchaQuestion(locale);
    return { question, ...this.seal(solution) };
  }

  /** Whether registration requires a captcha. */
  get isNeeded(): boolean {
    return this.settings.get('captcha.enabled');
  }

  /** The error of an answer; undefined when it is right. Uses the captcha up in either case. */
  async problem({ token, solution, answerData }: CaptchaAnswer): Promise<Reason | undefined> {
    if (!token || !solution || !answerData) return "can't be blank";
    const sealed = this.open(token, answerData);
    if (!sealed) return 'is invalid';
    if (sealed.expiresAt <= Date.now()) return 'has expired';
    if (!(await this.repository.use(hashToken(token), new Date(sealed.expiresAt)))) return 'was used already';
    return sameSecret(normalised(solution), sealed.solution) ? undefined : 'is invalid';
  }

  /** Removes expired captchas. */
  @Recurs({ job: 'captchas.purge', everyMinutes: DAILY })
  purge(): Promise<void> {
    return this.repository.purge();
  }

  private get secondsValid(): number {
    return this.settings.get('captcha.seconds_valid');
  }

  /** A new token, and the solution that belongs to it. */
  private seal(solution: string): { readonly token: string; readonly answer_data: string } {
    const token = newToken();
    const sealed: Sealed = { solution, expiresAt: Date.now() + this.secondsValid * MS_PER_SECOND };
    const data = sealSecret(this.secretKey, JSON.stringify(sealed), contextOf(token));
    return { token, answer_data: data.toString('base64url') };
  }

  /** Undefined for a foreign text, or one of another token. */
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

/** Ignores case and blanks. */
function normalised(solution: string): string {
  return solution.replace(/\s/g, '').toUpperCase();
}
