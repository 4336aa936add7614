import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The captcha before a registration (spec §2.6): none, or letters in a picture. */
export const CaptchaShape = Type.Union(
  [
    Type.Object({ type: Type.Literal('none') }, closed),
    Type.Object(
      {
        type: Type.Literal('native'),
        token: Type.String({ minLength: 43 }),
        url: Type.String({ pattern: '^data:image/png;base64,' }),
        answer_data: Type.String(),
        seconds_valid: Type.Integer({ minimum: 1 }),
      },
      closed,
    ),
  ],
  { title: 'Captcha' },
);

export type CaptchaJson = Static<typeof CaptchaShape>;
