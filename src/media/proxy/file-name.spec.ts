import { fileNameOf } from './file-name.js';

describe('the file name of a URL', () => {
  it.each([
    ['https://b.example/a/cat.png', 'cat.png'],
    ['https://b.example/a/cat.png?size=1#top', 'cat.png'],
    ['https://b.example/a%20cat.png', 'a cat.png'],
    ['https://b.example/K%C3%A4se', 'Käse'],
    ['https://b.example/%FF.png', '%FF.png'],
    ['https://b.example/..%2F..%2Fetc%5Cpasswd', '.._.._etc_passwd'],
    ['https://b.example/a%00b%0D%0Ac', 'a_b_c'],
    ['https://b.example/%E2%80%AEgnp.exe', '_gnp.exe'],
    ['https://b.example/', ''],
    ['https://b.example', ''],
    ['https://b.example/a/...', ''],
    ['not a URL', ''],
  ])('turns %s into %j', (url, name) => {
    expect(fileNameOf(url)).toBe(name);
  });

  it('truncates long names and keeps the extension', () => {
    expect(fileNameOf(`https://b.example/${'😀'.repeat(500)}.png`)).toBe(`${'😀'.repeat(116)}.png`);
  });
});
