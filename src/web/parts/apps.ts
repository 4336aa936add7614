/** Apps for phones and for the web that people begin with, none of them ours. Some take the server in their address. */
export const APPS: readonly (readonly [name: string, url: (host: string) => string])[] = [
  ['Tusky', () => 'https://tusky.app/'],
  ['Ice Cubes', () => 'https://github.com/Dimillian/IceCubesApp'],
  ['Elk', () => 'https://elk.zone/'],
  ['Phanpy', (host) => `https://phanpy.social/#/login?instance=${encodeURIComponent(host)}`],
];
