import type { RouteInput } from './inputs.js';

const PREFIXES = ['/api/v1/svc', '/api/svc'];

/** The inputs of routes of the service's own API, given by the path below it, for both of its prefixes. */
export function belowBothPrefixes(inputs: Readonly<Record<string, RouteInput>>): Record<string, RouteInput> {
  const entries = Object.entries(inputs).flatMap(([route, input]) => {
    const [method = '', path = ''] = route.split(' ');
    return PREFIXES.map((prefix): [string, RouteInput] => [`${method} ${prefix}/${path}`, input]);
  });
  return Object.fromEntries(entries);
}
