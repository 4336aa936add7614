import { type Static, Type } from 'typebox';
import { Described } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

/** The captcha before a registration (spec §2.6): none, or letters in a picture. */
export const CaptchaShape = Type.Union(
  [
    Type.Object({ type: Described(Type.Literal('none'), 'The kind of the captcha.') }, closed),
    Type.Object(
      {
        type: Described(Type.Literal('native'), 'The kind of the captcha.'),
        token: Described(Type.String({ minLength: 43 }), 'The token that the solution is sent with.'),
        url: Described(Type.String({ pattern: '^data:image/png;base64,' }), 'The picture, as a `data:` address.'),
        answer_data: Described(Type.String(), 'Data to send back with the solution.'),
        seconds_valid: Described(Type.Integer({ minimum: 1 }), 'How long the captcha is valid.'),
      },
      closed,
    ),
  ],
  { title: 'Captcha' },
);

export type CaptchaJson = Static<typeof CaptchaShape>;
