import { type Static, Type } from 'typebox';
import { Described } from '../../common/index.js';

const closed = { additionalProperties: false } as const;

/** Whether the second factor is on, as a whole and by its one method. */
export const MfaSettingsShape = Type.Object(
  {
    settings: Described(
      Type.Object(
        {
          enabled: Described(Type.Boolean(), 'Whether sign-ins need a second factor.'),
          totp: Described(Type.Boolean(), 'Whether an authenticator app is the second factor.'),
        },
        closed,
      ),
      'The state of the second factor.',
    ),
  },
  { ...closed, title: 'MfaSettings' },
);
export type MfaSettingsJson = Static<typeof MfaSettingsShape>;

/** The data for an authenticator app: the secret, alone and in an address for a QR code. */
export const TotpSetupShape = Type.Object(
  {
    key: Described(Type.String({ pattern: '^[A-Z2-7]{32}$' }), 'The secret for the authenticator app, in base32.'),
    provisioning_uri: Described(
      Type.String({ pattern: '^otpauth://totp/' }),
      'The secret as an address, for a QR code.',
    ),
  },
  { ...closed, title: 'TotpSetup' },
);
export type TotpSetupJson = Static<typeof TotpSetupShape>;

export const RecoveryCodesShape = Type.Object(
  {
    codes: Described(
      Type.Array(Type.String({ minLength: 16, maxLength: 16 }), { minItems: 5, maxItems: 5 }),
      'Codes instead of the second factor; each works once.',
    ),
  },
  { ...closed, title: 'RecoveryCodes' },
);
export type RecoveryCodesJson = Static<typeof RecoveryCodesShape>;
