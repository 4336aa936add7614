import { openSecret } from '../../../src/platform/index.js';

/** A captcha from `GET /api/v1/svc/captcha`. */
export interface Captcha {
  readonly token: string;
  readonly url: string;
  readonly answer_data: string;
}

/** The text in the picture, decrypted with the server's key. */
export function solutionOf({ token, answer_data: data }: Captcha, secretKey: Buffer): string {
  const opened = openSecret(secretKey, Buffer.from(data, 'base64url'), `captcha:${token}`);
  return (JSON.parse(opened.toString()) as { solution: string }).solution;
}

/** The fields of a registration with the solution. */
export function answerTo(captcha: Captcha, solution: string) {
  return {
    captcha_token: captcha.token,
    captcha_answer_data: captcha.answer_data,
    captcha_solution: solution,
  };
}
