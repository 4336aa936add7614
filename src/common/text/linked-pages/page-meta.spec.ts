import { metaOfPage } from './page-meta.js';

describe('the metadata of a page', () => {
  it('is its title, each meta element once, and its oEmbed link', async () => {
    const { title, meta, oembed } = await metaOfPage(`<!doctype html><head><title>Tea &amp; milk</title>
      <meta property="OG:Title" content="Tea"><meta property="og:title" content="other"><meta name="description" content="&lt;b&gt;">
      <meta property="og:empty"><link rel="alternate" type="application/json+oembed" href="/oembed?a=1&amp;b=2">
      <link type="application/json+oembed" href="/other"></head><svg><title>no</title></svg>`);
    expect(title).toBe('Tea & milk');
    expect(Object.fromEntries(meta)).toEqual({ 'og:title': 'Tea', description: '<b>' });
    expect(oembed).toBe('/oembed?a=1&b=2');
  });

  it('has no NUL, which cannot be stored', async () => {
    const page =
      '<title>Te\0a</title><meta name="fediverse:creator" content="@ann\0@far.test"><meta name="a\0b" content="">';
    expect(await metaOfPage(page)).toMatchObject({
      title: 'Tea',
      meta: new Map([
        ['fediverse:creator', '@ann@far.test'],
        ['ab', ''],
      ]),
    });
  });

  it('can be empty and has a limited size', async () => {
    expect(await metaOfPage('')).toEqual({ title: '', meta: new Map(), oembed: undefined });
    const many = Array.from({ length: 1_000 }, (_, n) => `<meta name="n${n}" content="${'x'.repeat(9_999)}">`).join('');
    const { meta } = await metaOfPage(many);
    expect(meta.size).toBe(200);
    expect(meta.get('n0')).toHaveLength(4_096);
  });
});
