import { Brand, readEnv } from '../../platform/index.js';
import { Pages } from './pages.js';

const env = readEnv({ BASE_URL: 'https://svc.test' });
const pages = new Pages(env, new Brand(env));
const content = {
  subject: 'Is this <you>?',
  paragraphs: ['Hello "Zoe" & all,', 'please look here.'],
  action: { label: 'Look', url: 'https://svc.test/look?a=1&b=2' },
};

describe('a letter', () => {
  pages.configure({ name: 'Näher <dran>', sourceUrl: '', locale: 'de', isOpen: true, mayJoin: true });

  it('has the same content in both forms, by default in the language of the server', () => {
    const { subject, text, html } = pages.letter(pages.translator(), content);
    expect(subject).toBe(content.subject);
    expect(text).toBe(
      [
        'Hello "Zoe" & all,',
        'please look here.',
        'Look:\nhttps://svc.test/look?a=1&b=2',
        '-- \nGesendet von Näher <dran>.\nhttps://svc.test',
      ].join('\n\n'),
    );
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('<p>Hello &quot;Zoe&quot; &amp; all,</p><p>please look here.</p>');
    expect(html).toContain('href="https://svc.test/look?a=1&amp;b=2">Look</a>');
    expect(html).toContain('Falls der Knopf nicht geht, öffne diese Adresse:<br />https://svc.test/look?a=1&amp;b=2');
    expect(html).toContain('Gesendet von Näher &lt;dran&gt;. <a href="https://svc.test">');
    expect(html).not.toMatch(/<(you|dran|script|img|link)\b/);
  });

  it('needs no action', () => {
    const { text, html } = pages.letter(pages.translator(), { subject: 'News', paragraphs: ['All is well.'] });
    expect(text).toBe('All is well.\n\n-- \nGesendet von Näher <dran>.\nhttps://svc.test');
    expect(html.match(/<a /g)).toHaveLength(1);
  });
});
