import { isEmail } from './email.js';

describe('e-mail addresses', () => {
  it('accept common addresses', () => {
    for (const text of [
      'a@b.example',
      'first.last+tag@mail.b-c.example',
      "o'neil@x.example",
      `${'x'.repeat(64)}@b.example`,
    ]) {
      expect(isEmail(text)).toBe(true);
    }
  });

  it('O23 refuse every trick', () => {
    const tricks = [
      '',
      'a',
      '@b.example',
      'a@',
      'a@b',
      'a@b@c.example',
      '"a b"@c.example',
      '"a"@c.example',
      'a@[127.0.0.1]',
      'a@b..example',
      '.a@b.example',
      'a.@b.example',
      'a..b@c.example',
      'a@b.example\r\nBcc: x@y.example',
      ' a@b.example',
      'a@b.example ',
      'a(c)@b.example',
      'a@-b.example',
      'a@b-.example',
      'á@b.example',
      'a@b.example\0',
      'a,b@c.example',
      '<a@b.example>',
      `${'x'.repeat(65)}@b.example`,
      `a@${'b.'.repeat(130)}example`,
    ];
    for (const text of tricks) expect(isEmail(text)).toBe(false);
  });
});
