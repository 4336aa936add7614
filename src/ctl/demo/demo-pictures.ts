import sharp from 'sharp';

const SIZE = 400;
const WIDTH = 1200;
const HEIGHT = 800;

/** A picture of a person: a face of two shapes. `hue` in degrees. PNG. */
export function portrait(hue: number): Promise<Buffer> {
  return png(`<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">
    <rect width="100%" height="100%" fill="hsl(${hue} 45% 72%)"/>
    <circle cx="200" cy="165" r="80" fill="hsl(${hue} 40% 32%)"/>
    <ellipse cx="200" cy="400" rx="150" ry="130" fill="hsl(${hue} 40% 32%)"/>
  </svg>`);
}

/** Hills below a sun; `seed` moves them. PNG. */
export function landscape(hue: number, seed: number): Promise<Buffer> {
  const sun = 200 + ((seed * 263) % 800);
  const hills = [0, 1, 2].map((at) => {
    const top = 420 + at * 110;
    const shift = ((seed * 97 + at * 331) % 600) - 300;
    return `<path d="M-400 ${top} Q ${200 + shift} ${top - 190} ${700 + shift} ${top} T 1700 ${top - 40} V 900 H -400 Z"
      fill="hsl(${hue} 35% ${52 - at * 14}%)"/>`;
  });
  return png(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="100%" height="100%" fill="hsl(${hue + 30} 60% 88%)"/>
    <circle cx="${sun}" cy="230" r="90" fill="hsl(${hue + 60} 85% 70%)"/>
    ${hills.join('')}
  </svg>`);
}

function png(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).png().toBuffer();
}
