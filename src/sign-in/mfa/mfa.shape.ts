import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** Whether the second factor is on, as a whole and by its one method. */
export const MfaSettingsShape = Type.Object(
  { settings: Type.Object({ enabled: Type.Boolean(), totp: Type.Boolean() }, closed) },
  { ...closed, title: 'MfaSettings' },
);
export type MfaSettingsJson = Static<typeof MfaSettingsShape>;

/** The data for an authenticator app: the secret, alone and in an address for a QR code. */
export const TotpSetupShape = Type.Object(
  { key: Type.String({ pattern: '^[A-Z2-7]{32}$' }), provisioning_uri: Type.String({ pattern: '^otpauth://totp/' }) },
  { ...closed, title: 'TotpSetup' },
);
export type TotpSetupJson = Static<typeof TotpSetupShape>;

export const RecoveryCodesShape = Type.Object(
  { codes: Type.Array(Type.String({ minLength: 16, maxLength: 16 }), { minItems: 5, maxItems: 5 }) },
  { ...closed, title: 'RecoveryCodes' },
);
export type RecoveryCodesJson = Static<typeof RecoveryCodesShape>;
