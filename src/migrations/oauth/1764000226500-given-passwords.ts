import { ForwardOnly } from '../forward-only.js';

/** Passwords that an administrator chose: their users replace them at the next sign-in. */
export class GivenPasswords1764000226500 extends ForwardOnly {
  readonly name = 'GivenPasswords1764000226500';
  protected readonly statements = `
    alter table users add column password_is_given boolean not null default false;
  `;
}
