import { type NewUserOptions, requireValidUser, UserRefused } from './new-user.js';

const rules = { reservedNames: new Set(['admin', 'api', 'relay']), nameLength: 10, bioLength: 20, reasonLength: 5 };
const valid: NewUserOptions = { nickname: 'alice', password: 'a secret' };

function problems(user: Partial<NewUserOptions>): unknown {
  try {
    requireValidUser({ ...valid, ...user }, rules);
    return {};
  } catch (error) {
    if (error instanceof UserRefused) return JSON.parse(JSON.stringify(error.fields));
    throw error;
  }
}

describe('a new user', () => {
  it('needs a nickname and a password; all else is optional', () => {
    expect(problems({})).toEqual({});
    expect(
      problems({ email: 'a@b.example', displayName: 'x'.repeat(10), bio: '🐦'.repeat(20), reason: 'hello' }),
    ).toEqual({});
  });

  it('U1 has a plain nickname that is not reserved, in no spelling', () => {
    for (const nickname of ['', 'a b', 'аlice', 'al\u200bice', 'alice ', '..', 'x'.repeat(31)]) {
      expect(problems({ nickname })).toEqual({ nickname: [expect.stringContaining('letters')] });
    }
    for (const nickname of ['admin', 'Admin', 'API', 'relay'])
      expect(problems({ nickname })).toEqual({ nickname: ['is reserved'] });
    expect(problems({ nickname: 'admin', isAdmin: true })).toEqual({});
  });

  it('gets all errors at once', () => {
    const wrong = {
      nickname: '',
      email: 'a@b',
      password: '',
      displayName: 'x'.repeat(11),
      bio: 'x'.repeat(21),
      reason: 'x'.repeat(6),
    };
    expect(problems(wrong)).toEqual({
      nickname: [expect.any(String)],
      email: ['has invalid format'],
      password: ["can't be blank"],
      display_name: ['should be at most 10 character(s)'],
      bio: ['should be at most 20 character(s)'],
      reason: ['should be at most 5 character(s)'],
    });
  });

  it('needs a password of 8 to 1024 characters', () => {
    expect(problems({ password: '1234567' })).toEqual({ password: ['should be at least 8 character(s)'] });
    expect(problems({ password: '🔑'.repeat(7) })).toEqual({ password: ['should be at least 8 character(s)'] });
    expect(problems({ password: 'x'.repeat(1025) })).toEqual({ password: ['should be at most 1024 character(s)'] });
  });

  it('gets the errors in one sentence, too', () => {
    expect(() => requireValidUser({ nickname: 'api', password: '' }, rules)).toThrow(
      "nickname is reserved, password can't be blank",
    );
  });
});
