import { openSecret } from '../../../src/platform/index.js';

/** A captcha as `GET /api/v1/svc/captcha` gives it out. */
export interface Captcha {
  readonly token: string;
  readonly url: string;
  readonly answer_data: string;
}

/** What a person reads in the picture, found out with the secret key of the server. */
export function solutionOf({ token, answer_data: data }: Captcha, secretKey: Buffer): string {
  const opened = openSecret(secretKey, Buffer.from(data, 'base64url'), `captcha:${token}`);
  return (JSON.parse(opened.toString()) as { solution: string }).solution;
}

/** The fields of a registration that answer it. */
export function answerTo(captcha: Captcha, solution: string) {
  return {
    captcha_token: captcha.token,
    captcha_answer_data: captcha.answer_data,
    captcha_solution: solution,
  };
}
