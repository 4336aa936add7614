import { DomainError } from '../../common/index.js';

/** A change of the own account that is refused, which these routes answer with 200 (spec §7). */
export class ChangeRefused extends DomainError {
  readonly status = 200;
}

/** The password that a change asks for is wrong. */
export class WrongPassword extends ChangeRefused {
  constructor() {
    super('Invalid password.');
  }
}
