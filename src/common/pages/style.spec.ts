import { STYLESHEET } from './assets.js';

const css = STYLESHEET.content.toString();
const [light = '', dark = ''] = Array.from(css.matchAll(/:root \{([^}]*)\}/g), ([, rules = '']) => rules);

const coloursOf = (rules: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(rules.matchAll(/--([\w-]+): (#[\da-f]{6});/g), ([, name = '', value = '']) => [name, value]),
  );

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const READ = ['ink', 'soft', 'accent', 'alarm'].flatMap((text) => ['paper', 'card'].map((behind) => [text, behind]));

describe.each([
  ['light', coloursOf(light)],
  ['dark', { ...coloursOf(light), ...coloursOf(dark) }],
])('the %s colours', (scheme, colours) => {
  it.each([...READ, ['on-accent', 'accent']])('keep %s readable on %s', (text = '', behind = '') => {
    expect(contrast(colours[text]!, colours[behind]!)).toBeGreaterThanOrEqual(4.5);
  });

  it('are complete and fit their scheme', () => {
    const own = Object.keys(coloursOf(scheme === 'light' ? light : dark)).sort();
    expect(own).toEqual(Object.keys(coloursOf(light)).sort());
    expect(luminance(colours['paper']!) > 0.5).toBe(scheme === 'light');
  });
});

describe('the stylesheet', () => {
  it('uses colours of the two lists only, so that the tests cover all', () => {
    const rest = css.replace(/:root \{[^}]*\}/g, '');
    expect(rest.match(/#[\da-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/gi)).toBeNull();
    expect(rest).not.toMatch(/\b(black|white|gr[ae]y|red)\b/);
  });

  it('loads nothing from other places', () => {
    expect(css).not.toMatch(/@import|url\(/);
  });

  it('has a name that changes with its content', () => {
    expect(STYLESHEET.path).toMatch(/^\/pages\/style-[\da-f]{12}\.css$/);
  });
});

it('computes the contrast of known pairs', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
