/** What the sanitiser must let pass for {@link withMathAsText}. */
export const MATH_ELEMENTS: readonly string[] = ['math', 'annotation', 'annotation-xml'];
/** The other elements of MathML, of which only the text remains. */
export const MATH_SIGNS: readonly string[] =
  'merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics'.split(
    ' ',
  );
export const MATH_ATTRIBUTES = { math: ['alttext', 'display'], annotation: ['encoding'] };

const FORMULA = /<math(?=[\s>])([^>]*)>(.*?)<\/math>/gs;
const ANNOTATION = /<annotation(?:-xml)?(?=[\s>])([^>]*)>(.*?)<\/annotation(?:-xml)?>/gs;
const TAG = /<[^>]*>/g;
const STRAY = /<\/?(?:math|annotation(?:-xml)?)(?=[\s>])[^>]*>/g;

/**
 * Canonical HTML with MathML as text, once: its TeX between dollars (FEP-dc88), else its plain annotation, its alternative
 * text, or the text of its signs.
 */
export function withMathAsText(html: string): string {
  return html
    .replace(FORMULA, (_, attributes: string, content: string) => formula(attributes, content))
    .replace(STRAY, '');
}

function formula(attributes: string, content: string): string {
  const annotations = Array.from(content.matchAll(ANNOTATION), ([, of = '', text = '']) => ({ of, text }));
  const annotated = (type: string) =>
    annotations
      .find(({ of }) => of.includes(`encoding="${type}"`))
      ?.text.replace(TAG, '')
      .trim();
  const tex = annotated('application/x-tex');
  const dollars = attributes.includes('display="block"') ? '$$' : '$';
  if (tex) return `${dollars}${tex}${dollars}`;
  const signs = content.replace(ANNOTATION, '').replace(TAG, '');
  return annotated('text/plain') || / alttext="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&quot;', '"') || signs;
}
