/** Why a signature was refused: for metrics and logs. */
export type RefusalReason =
  | 'unsigned'
  | 'malformed'
  | 'coverage'
  | 'algorithm'
  | 'clock'
  | 'digest'
  | 'key'
  | 'gone'
  | 'unreachable'
  | 'signature';

/** A signature that is refused before or while it is verified. The message is for the operator of the other server. */
export class SignatureRefused extends Error {
  override name = 'SignatureRefused';

  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}
